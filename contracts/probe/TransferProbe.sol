// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Move, Moves, Pool} from "./Moves.sol";
import {ContractTrader} from "./ContractTrader.sol";
import {Market, Markets} from "./Market.sol";
import {Order, Orders} from "./Orders.sol";
import {Swapper} from "./Swapper.sol";
import {Purchase, Swapping} from "./Swapping.sol";
import {SwappingTrader} from "./SwappingTrader.sol";
import {Trader} from "./Trader.sol";
import {Lender, Manner, Means, Swapped, Trial} from "./Trials.sol";
import {IOperator, Setting, Trading} from "./Trading.sol";

/// Lets whoever has the probe's code trade.
interface ITrader {
    function trade(Setting calldata setting, uint256 amount, uint256 gasOfCall, bool isRound) external returns (Move[4] memory);
    function tradeAt(Market calldata market, Order calldata order) external returns (Move[4] memory moves, uint256 gasUsed);
}

/// What of a token's transfers can be seen in one call that is never mined. It is placed at the address of the call's sender by a state override.
contract TransferProbe is IOperator, ITrader, Swapper {
    /// Answers begin with it, so that one from an account without code, or from a node that ignores overrides, is none.
    bytes32 public constant MARK = keccak256("braid transfer probe 3");
    /// What a trial takes beside the four calls of the token and the four times that a pool looks, with half of a call's gas each.
    uint256 private constant TRIAL_OVERHEAD = 3_500_000;
    /// What a trial of true swaps, or of a loan where there are none, takes beside calls of the token.
    uint256 private constant SWAPS_OVERHEAD = 8_000_000;
    uint256 private constant TRIALS_PER_SIZE = 5;

    /// Under way from `borrowed` to the pool's callback.
    struct Loan {
        address token;
        address holder;
        uint256 amount;
        /// What the holder and the borrower had before.
        uint256 had;
        uint256 held;
        uint256 gasOfCall;
    }

    Loan private loan;
    /// What the sender of `open` got.
    uint256 public lastBought;

    error NoLoan();

    /// `sizes`: parts of what the holder has, in 2^128, and at every second one, of no more than `reach` and what the holder's price is made with. `least`: where that is less, this. `gases`: of each call of the token, and of each in the thrifty manner. Begins no trial that might
    /// want for gas: then it is not complete, nor is it where the holder's balance can not be read. `other`: what a market's token is traded against, zero where the holder is none. `funded`: false.
    function probe(Setting calldata setting, uint256[] calldata sizes, uint256 least, uint256[2] calldata gases, uint256 reach)
        external
        payable
        returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] memory trials, address other, bool funded)
    {
        (mark, gasGiven) = (MARK, gasleft());
        trials = new Trial[](sizes.length * TRIALS_PER_SIZE);
        (complete, held) = Moves.balance(setting.token, setting.holder);
        uint256 within;
        (other, within) = withinOf(setting, held, reach);
        for (uint256 i = 0; i < sizes.length; i++) {
            uint256 amount = Orders.part(isWithin(setting, i) ? within : held, sizes[i], least);
            // What the holder can not give says nothing of the token.
            if (amount > held / 2) continue;
            for (uint256 manner = 0; manner < TRIALS_PER_SIZE; manner++) {
                if (gasleft() < 6 * gases[0] + TRIAL_OVERHEAD) return (mark, gasGiven, false, held, trials, other, false);
                trials[i * TRIALS_PER_SIZE + manner] = tried(setting, Manner(manner), amount, gases, i);
            }
        }
    }

    /// The same at the pool with its own code: by true swaps, paid with what is wrapped or lent, or where that can not be, by loans of the pool, where it lends as a pair or a V3 pool does.
    /// Afterwards half of them again, with as little gas as they took and some more, or much more. `funded`: whether there was something to pay with.
    function swap(Setting calldata setting, uint256[] calldata sizes, uint256 least, Means calldata means, uint256 reach)
        external
        payable
        returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] memory trials, address other, bool funded)
    {
        (mark, gasGiven) = (MARK, gasleft());
        trials = new Trial[](2 * sizes.length);
        Market memory market = Markets.at(setting.token, setting.holder);
        (other, market.bank) = (market.other, address(this));
        funded = other != address(0) && other == means.lender.token && isFunded(market, means.lender, means.owned);
        if (funded && market.isPair) Markets.catchUp(market);
        (complete, held) = Moves.balance(setting.token, setting.holder);
        (, uint256 within) = withinOf(setting, held, reach);
        Swapped[] memory swaps = new Swapped[](sizes.length);
        market.gasOfCall = means.gases[0];
        for (uint256 i = 0; i < sizes.length; i++) {
            uint256 had = isWithin(setting, i) ? within : held;
            uint256 amount = Orders.part(had, sizes[i], least);
            if (amount > held / 2) continue;
            if (gasleft() < 8 * means.gases[0] + SWAPS_OVERHEAD) return (mark, gasGiven, false, held, trials, other, funded);
            if (funded && swappedSomehow(trials[i], swaps[i], setting, market, had, sizes[i], least, i)) continue;
            trials[i].told = false;
            (trials[i].manner, trials[i].place, trials[i].amount) = (Manner.Borrowing, uint8(i), amount);
            bytes memory input = abi.encodeCall(this.borrowed, (setting.token, setting.holder, amount, means.gases[0]));
            lent(trials[i], address(this), input, gasleft());
        }
        uint256 first = drawn(setting, 0, "thrifty") % 2;
        for (uint256 i = first; i < sizes.length; i += 2) {
            // What there is no gas for any more is left out: all else was tried.
            bool isSold = swaps[i].gasUsed > 0 && trials[i].told && trials[i].moves[3].ending == Moves.MOVED;
            if (!isSold || gasleft() < 8 * means.gases[0] + SWAPS_OVERHEAD) continue;
            uint256 random = drawn(setting, i, "gas");
            // One as a wallet leaves it, the others up to what all others have.
            market.gasOfCall = means.gases[1] << (i == first ? 0 : random % 3);
            uint256 margin = marginOf(swaps[i].gasUsed, random, i == first ? 3 : 7);
            Trial memory trial = trials[sizes.length + i];
            // What a token does for whoever has little may take more than what it does for others: so much is added as a wallet's estimate would.
            for (uint256 tries = 0; tries < 4; tries++) {
                market.gasOfPurchase = swaps[i].gasUsed + (margin << tries);
                swapped(trial, setting, market, swaps[i].order, i + 1);
                if (!trial.told || trial.moves[0].ending != Moves.REFUSED) break;
            }
            (trial.manner, trial.place) = (Manner.Thrifty, uint8(i));
        }
    }

    /// By the first of the ways to say how much that something comes of. The smallest size begins with those that make it small.
    function swappedSomehow(
        Trial memory trial,
        Swapped memory its,
        Setting calldata setting,
        Market memory market,
        uint256 had,
        uint256 size,
        uint256 least,
        uint256 place
    ) private returns (bool tried) {
        uint256 turns = place == 0 ? Orders.OF_PAYER : Orders.BASES;
        uint256 first = drawn(setting, place, "basis");
        // Where the pool spent all gas it would again: the next trials would want for what three ways of that take.
        for (uint256 i = 0; i < (market.isPair ? 1 : Orders.BASES) && !tried && its.gasUsed == 0; i++) {
            its.order = Orders.at(market, had, size, least, i < turns ? (first % turns + i) % turns : Orders.OF_PAYER);
            if (its.order.amount + its.order.paid > 0) (tried, its.gasUsed) = swapped(trial, setting, market, its.order, place);
        }
        if (!tried) its.gasUsed = 0;
    }

    /// As one of three: an account without code and the sender itself, by an allowance, and the Router, without. Not tried: the sender is too poor.
    function swapped(Trial memory trial, Setting calldata setting, Market memory market, Order memory order, uint256 place)
        private
        returns (bool tried, uint256 gasUsed)
    {
        uint256 trader = (place + uint256(setting.salt)) % 3;
        (trial.manner, trial.place) = (Manner.Swapping, uint8(place));
        market.operator = trader == 1 ? setting.signer : setting.operator;
        if (trader == 0) {
            bytes memory code = abi.encodePacked(type(SwappingTrader).creationCode, abi.encode(market, order));
            bytes32 salt = keccak256(abi.encode(setting.salt, order, place));
            uint256 value = address(this).balance / 7;
            assembly ("memory-safe") {
                pop(create2(value, add(code, 0x20), mload(code), salt))
            }
            gasUsed = keep(trial);
        } else {
            gasUsed = lent(trial, address(this), abi.encodeCall(this.swappedBy, (market, order, trader == 1 ? address(0) : setting.router)), gasleft());
        }
        // What a refusal was of is not known where it was told in the other token: some.
        trial.amount = trial.moves[0].asked > 0 ? trial.moves[0].asked : order.amount > 0 ? order.amount : order.least;
        tried = !trial.told || trial.moves[0].ending != Moves.NOT_TRIED;
    }

    /// Always reverts, with the moves and the gas of the purchase. `router`: zero where the sender trades.
    function swappedBy(Market calldata market, Order calldata order, address router) external {
        (Move[4] memory moves, uint256 gasUsed) = router == address(0) ? Swapping.traded(market, order, true) : ITrader(router).tradeAt(market, order);
        bytes memory seen = abi.encode(moves, gasUsed);
        assembly ("memory-safe") {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    function tradeAt(Market calldata market, Order calldata order) external returns (Move[4] memory moves, uint256 gasUsed) {
        return Swapping.traded(market, order, false);
    }

    /// Remembers what a pool and the sender have, so that a later transaction need not look before it trades: a token can tell what was looked at before by what reading it costs.
    function note(address token, address pool) external bySender {
        Market memory market = Markets.at(token, pool);
        if (market.isPair) Markets.catchUp(market);
        noteBalances(token, pool, msg.sender);
    }

    /// Buys for the sender, which is an account like any other, what it sells in a later block (`close`), after a `note`. Not tried where this is too poor.
    function open(address token, address pool, uint256 amount, uint256 gasOfCall, Lender calldata lender) external bySender returns (Move memory move) {
        Market memory market = Markets.at(token, pool);
        (market.bank, market.gasOfCall) = (address(this), gasOfCall);
        if (market.other == address(0) || market.other != lender.token || !isFunded(market, lender, 0)) return move;
        Purchase memory bought = this.purchase(market, Order(amount, 0, 0), msg.sender);
        if (bought.isPoor) return move;
        move.asked = bought.asked;
        if (bought.ok) movedSinceNote(move, token, pool, msg.sender);
        else move.ending = Moves.REFUSED;
        lastBought = move.credited;
    }

    /// Sells a part of what `bank` bought for the sender, in 2^16, by its allowance, after a `note` of its own.
    function close(address token, address pool, TransferProbe bank, uint256 part, uint256 gasOfCall) external bySender returns (Move memory) {
        Market memory market = Markets.at(token, pool);
        market.gasOfCall = gasOfCall;
        uint256 bought = bank.lastBought();
        return this.sell(market, msg.sender, bought < 2 ** 128 ? (bought * part) >> 16 : bought, bank.lastKept());
    }

    /// Whether the sender comes to have of the other token what it needs: as much native money as that is wrapped, or a lender gives half of what it has. The rest of the money is gone before the token is called.
    function isFunded(Market memory market, Lender calldata lender, uint256 owned) private returns (bool) {
        (address other, uint256 wanted) = (market.other, 100 ether);
        (, uint256 has) = Moves.balance(other, market.pool);
        if (has < type(uint128).max && 2 * has > wanted) wanted = 2 * has;
        bytes memory input = abi.encodeWithSignature("deposit()");
        uint256 money = address(this).balance;
        if (money > owned && money - owned > wanted) {
            Moves.assureGas(200_000);
            assembly ("memory-safe") {
                pop(call(200000, other, wanted, add(input, 0x20), mload(input), 0, 0))
            }
        }
        money = address(this).balance;
        address nobody = address(bytes20(keccak256(abi.encode(lender.secret, owned))));
        assembly ("memory-safe") {
            if gt(money, owned) { pop(call(gas(), nobody, sub(money, owned), 0, 0, 0, 0)) }
        }
        (, uint256 holds) = Moves.balance(other, address(this));
        if (holds > 0 || lender.at == address(0)) return holds > 0;
        (, has) = Moves.balance(other, lender.at);
        input = abi.encodePacked(lender.secret, other, abi.encodeWithSignature("transfer(address,uint256)", address(this), has / 2));
        return Moves.confirmed(lender.at, other, input, 500_000);
    }

    /// Always reverts, with the moves where the pool lends.
    function borrowed(address token, address holder, uint256 amount, uint256 gasOfCall) external {
        bool isFirst = hasToken(holder, "token0()", token);
        if (!isFirst && !hasToken(holder, "token1()", token)) revert NoLoan();
        (, uint256 had) = Moves.balance(token, holder);
        (, uint256 held) = Moves.balance(token, address(this));
        loan = Loan(token, holder, amount, had, held, gasOfCall);
        (uint256 first, uint256 second) = isFirst ? (amount, uint256(0)) : (uint256(0), amount);
        Trial memory trial;
        uint256 gasOfLoan = 3 * gasOfCall + 1_500_000;
        lent(trial, holder, abi.encodeWithSignature("swap(uint256,uint256,address,bytes)", first, second, address(this), hex"00"), gasOfLoan);
        if (!trial.told) lent(trial, holder, abi.encodeWithSignature("flash(address,uint256,uint256,bytes)", address(this), first, second, ""), gasOfLoan);
        if (!trial.told) revert NoLoan();
        bytes memory seen = abi.encode(trial.moves);
        assembly ("memory-safe") {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    /// A pool calls back, whatever it calls that: what it lent is measured, sent back, measured again, and all of it undone.
    fallback() external payable {
        if (isPayment()) return;
        Loan memory its = loan;
        if (its.amount == 0 || msg.sender != its.holder) return;
        Move[4] memory moves;
        (bool known, uint256 has) = Moves.balance(its.token, its.holder);
        (bool knownToo, uint256 holds) = Moves.balance(its.token, address(this));
        moves[0] = Move(known && knownToo ? Moves.MOVED : Moves.UNREADABLE, its.amount, 0, 0, 0);
        moves[0].debited = its.had > has ? its.had - has : 0;
        moves[0].credited = holds > its.held ? holds - its.held : 0;
        uint256 amount = moves[0].credited;
        bytes memory input = abi.encodeWithSignature("transfer(address,uint256)", its.holder, amount);
        moves[3] = Moves.measured(its.token, address(this), its.holder, amount, its.token, input, its.gasOfCall);
        bytes memory seen = abi.encode(moves);
        assembly ("memory-safe") {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    function take(address token, address from, Pool calldata to, uint256 amount, uint256 gasOfCall) external returns (Move memory) {
        bytes memory input = abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to.at, amount);
        return Moves.watched(to, token, from, to.at, amount, token, input, gasOfCall);
    }

    /// Always reverts, with the moves.
    function asSender(Setting calldata setting, uint256 amount, uint256 gasOfCall) external {
        Setting memory its = setting;
        its.operator = setting.signer;
        bytes memory seen = abi.encode(Trading.direct(its, amount, gasOfCall));
        assembly ("memory-safe") {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    /// Always reverts, with the moves: then the trader is gone too.
    function asContract(Setting calldata setting, uint256 amount, uint256 gasOfCall, uint256 place) external {
        address trader = place % 2 == 0 ? setting.router : address(new ContractTrader{salt: setting.salt, value: address(this).balance / 7}());
        bytes memory seen = abi.encode(ITrader(trader).trade(setting, amount, gasOfCall, place >= 2));
        assembly ("memory-safe") {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    /// As the Router does with what lies there between two hops; `isRound`: with what it collects from an account and pays to one.
    function trade(Setting calldata setting, uint256 amount, uint256 gasOfCall, bool isRound) external returns (Move[4] memory) {
        return isRound ? Trading.round(setting, amount, gasOfCall) : Trading.passed(setting, amount, gasOfCall);
    }

    receive() external payable {}

    /// What of the token is in reach of who trades at a pool, of what it has.
    function withinOf(Setting calldata setting, uint256 held, uint256 reach) private view returns (address other, uint256 within) {
        Market memory market = Markets.at(setting.token, setting.holder);
        uint256 depth = Markets.depthOf(market);
        (other, within) = (market.other, held);
        if (depth < within) within = depth;
        if (reach < within) within = reach;
    }

    function isWithin(Setting calldata setting, uint256 place) private pure returns (bool) {
        return (uint256(setting.salt) / 3 + place) % 2 == 0;
    }

    function drawn(Setting calldata setting, uint256 place, string memory what) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(setting.secret, setting.salt, place, what)));
    }

    /// Of what a call took, between a sixteenth and a half with three doublings, as wallets add, and up to eight times as much with seven.
    function marginOf(uint256 gasUsed, uint256 random, uint256 doublings) private pure returns (uint256 margin) {
        margin = (gasUsed / 16) << ((random >> 16) % doublings);
        margin += (margin * (random % 2 ** 16)) / 2 ** 16;
    }

    function hasToken(address holder, string memory signature, address token) private view returns (bool) {
        bytes memory input = abi.encodeWithSignature(signature);
        bool ok;
        uint256 word;
        Moves.assureGas(100_000);
        assembly ("memory-safe") {
            mstore(0, 0)
            ok := staticcall(100000, holder, add(input, 0x20), mload(input), 0, 0x20)
            word := mload(0)
        }
        return ok && word == uint160(token);
    }

    /// Calls what ends with moves, and keeps them.
    function lent(Trial memory trial, address target, bytes memory input, uint256 gasOfCall) private returns (uint256 gasUsed) {
        assembly ("memory-safe") {
            pop(call(gasOfCall, target, 0, add(input, 0x20), mload(input), 0, 0))
        }
        return keep(trial);
    }

    /// Keeps the moves that the last call ended with, and where it says so, what a purchase took.
    function keep(Trial memory trial) private pure returns (uint256 gasUsed) {
        bytes memory seen = new bytes(21 * 32);
        uint256 size;
        assembly ("memory-safe") {
            size := returndatasize()
            if or(eq(size, 640), eq(size, 672)) { returndatacopy(add(seen, 0x20), 0, size) }
        }
        trial.told = size == 640 || size == 672;
        if (trial.told) (trial.moves, gasUsed) = abi.decode(seen, (Move[4], uint256));
    }

    function tried(Setting calldata setting, Manner manner, uint256 amount, uint256[2] calldata gases, uint256 place)
        private
        returns (Trial memory trial)
    {
        (trial.manner, trial.place, trial.amount) = (manner, uint8(place), amount);
        uint256 gasOfCall = manner == Manner.Thrifty ? gases[1] : gases[0];
        bool isOwn = manner == Manner.AsSender || manner == Manner.AsContract;
        bytes memory input = manner == Manner.AsSender
            ? abi.encodeCall(this.asSender, (setting, amount, gasOfCall))
            : manner == Manner.AsContract
                ? abi.encodeCall(this.asContract, (setting, amount, gasOfCall, place))
                : abi.encodePacked(type(Trader).creationCode, abi.encode(setting, manner == Manner.Round, amount, gasOfCall));
        bytes32 salt = keccak256(abi.encode(setting.salt, manner, amount));
        // Some of what the sender has, so that the trader is no account that owns nothing.
        uint256 value = address(this).balance / 7;
        assembly ("memory-safe") {
            switch isOwn
            case 1 { pop(call(gas(), address(), 0, add(input, 0x20), mload(input), 0, 0)) }
            default { pop(create2(value, add(input, 0x20), mload(input), salt)) }
        }
        keep(trial);
    }
}
