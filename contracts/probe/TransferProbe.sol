// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Move, Moves} from "./Moves.sol";
import {ContractTrader} from "./ContractTrader.sol";
import {Trader} from "./Trader.sol";
import {IOperator, Setting, Trading} from "./Trading.sol";

/// Who trades in a trial, and how.
enum Manner {
    /// An account without code, by an allowance.
    Direct,
    /// An account without code, over an account that is new to the token.
    Round,
    /// The sender of the transaction itself, by an allowance.
    AsSender,
    /// As Direct, with little gas: what it finds counts, that it fails does not.
    Thrifty,
    /// A contract that is not the sender, without an allowance: the Router's address, and at every second size one that is new to the token.
    AsContract,
    /// The sender of the transaction, with what a pool lends it: the pool has its own code then, and is locked. Counts as Thrifty does.
    Borrowing
}

struct Trial {
    Manner manner;
    /// False where the trial ended with anything but its moves: then nothing is known from it.
    bool told;
    uint256 amount;
    Move[4] moves;
}

/// Lets whoever has the probe's code trade.
interface ITrader {
    function trade(Setting calldata setting, uint256 amount, uint256 gasOfCall) external returns (Move[4] memory);
}

/// What of a token's transfers can be seen in one call that is never mined. It is placed at the address of the call's sender by a state override.
contract TransferProbe is IOperator, ITrader {
    /// Answers begin with it, so that one from an account without code, or from a node that ignores overrides, is none.
    bytes32 public constant MARK = keccak256("braid transfer probe 1");
    uint256 private constant WHOLE_PPM = 1_000_000;
    /// What a trial takes beside the four calls of the token.
    uint256 private constant TRIAL_OVERHEAD = 3_500_000;
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

    error NoLoan();

    /// `sizesPpm`: parts per million of what the holder has. `least`: where that is less, this. `gases`: of each call of the token, and of each in the thrifty manner. Begins no trial
    /// that might want for gas: then it is not complete, nor is it where the holder's balance can not be read.
    function probe(Setting calldata setting, uint256[] calldata sizesPpm, uint256 least, uint256[2] calldata gases)
        external
        payable
        returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] memory trials)
    {
        (mark, gasGiven) = (MARK, gasleft());
        trials = new Trial[](sizesPpm.length * TRIALS_PER_SIZE);
        (complete, held) = Moves.balance(setting.token, setting.holder);
        for (uint256 i = 0; i < sizesPpm.length; i++) {
            uint256 amount = amountOf(held, sizesPpm[i], least);
            // What the holder can not give says nothing of the token.
            if (amount > held / 2) continue;
            for (uint256 manner = 0; manner < TRIALS_PER_SIZE; manner++) {
                if (gasleft() < 4 * gases[0] + TRIAL_OVERHEAD) return (mark, gasGiven, false, held, trials);
                trials[i * TRIALS_PER_SIZE + manner] = tried(setting, Manner(manner), amount, gases, i % 2 == 0);
            }
        }
    }

    /// The same with loans of a pool whose code is its own, where it lends as a pair or a V3 pool does. `gasOfCall`: of each call of the token.
    function borrow(Setting calldata setting, uint256[] calldata sizesPpm, uint256 least, uint256 gasOfCall)
        external
        payable
        returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] memory trials)
    {
        (mark, gasGiven) = (MARK, gasleft());
        trials = new Trial[](sizesPpm.length);
        (complete, held) = Moves.balance(setting.token, setting.holder);
        for (uint256 i = 0; i < sizesPpm.length; i++) {
            uint256 amount = amountOf(held, sizesPpm[i], least);
            if (amount > held / 2) continue;
            if (gasleft() < 4 * gasOfCall + TRIAL_OVERHEAD) return (mark, gasGiven, false, held, trials);
            (trials[i].manner, trials[i].amount) = (Manner.Borrowing, amount);
            bytes memory input = abi.encodeCall(this.borrowed, (setting.token, setting.holder, amount, gasOfCall));
            lent(trials[i], address(this), input, gasleft());
        }
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
        assembly {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    /// A pool calls back, whatever it calls that: what it lent is measured, sent back, measured again, and all of it undone.
    fallback() external payable {
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
        assembly {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    function take(address token, address from, address to, uint256 amount, uint256 gasOfCall) external returns (Move memory) {
        bytes memory input = abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount);
        return Moves.measured(token, from, to, amount, token, input, gasOfCall);
    }

    /// Always reverts, with the moves.
    function asSender(Setting calldata setting, uint256 amount, uint256 gasOfCall) external {
        Setting memory its = setting;
        its.operator = setting.signer;
        bytes memory seen = abi.encode(Trading.direct(its, amount, gasOfCall));
        assembly {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    /// Always reverts, with the moves: then the trader is gone too.
    function asContract(Setting calldata setting, uint256 amount, uint256 gasOfCall, bool isRouter) external {
        address trader = isRouter ? setting.router : address(new ContractTrader{salt: setting.salt, value: address(this).balance / 7}());
        bytes memory seen = abi.encode(ITrader(trader).trade(setting, amount, gasOfCall));
        assembly {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    /// As the Router does with what lies there between two hops.
    function trade(Setting calldata setting, uint256 amount, uint256 gasOfCall) external returns (Move[4] memory) {
        return Trading.passed(setting, amount, gasOfCall);
    }

    receive() external payable {}

    function amountOf(uint256 held, uint256 sizePpm, uint256 least) private pure returns (uint256 amount) {
        amount = held < type(uint256).max / WHOLE_PPM ? (held * sizePpm) / WHOLE_PPM : (held / WHOLE_PPM) * sizePpm;
        if (amount < least) amount = least;
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
    function lent(Trial memory trial, address target, bytes memory input, uint256 gasOfCall) private {
        bytes memory seen = new bytes(20 * 32);
        uint256 size;
        assembly ("memory-safe") {
            pop(call(gasOfCall, target, 0, add(input, 0x20), mload(input), 0, 0))
            size := returndatasize()
            if eq(size, 640) { returndatacopy(add(seen, 0x20), 0, 640) }
        }
        trial.told = size == 640;
        if (trial.told) trial.moves = abi.decode(seen, (Move[4]));
    }

    function tried(Setting calldata setting, Manner manner, uint256 amount, uint256[2] calldata gases, bool isRouter)
        private
        returns (Trial memory trial)
    {
        (trial.manner, trial.amount) = (manner, amount);
        uint256 gasOfCall = manner == Manner.Thrifty ? gases[1] : gases[0];
        bool isOwn = manner == Manner.AsSender || manner == Manner.AsContract;
        bytes memory input = manner == Manner.AsSender
            ? abi.encodeCall(this.asSender, (setting, amount, gasOfCall))
            : manner == Manner.AsContract
                ? abi.encodeCall(this.asContract, (setting, amount, gasOfCall, isRouter))
                : abi.encodePacked(type(Trader).creationCode, abi.encode(setting, manner == Manner.Round, amount, gasOfCall));
        bytes32 salt = keccak256(abi.encode(setting.salt, manner, amount));
        // Some of what the sender has, so that the trader is no account that owns nothing.
        uint256 value = address(this).balance / 7;
        bytes memory seen = new bytes(20 * 32);
        uint256 size;
        assembly ("memory-safe") {
            switch isOwn
            case 1 { pop(call(gas(), address(), 0, add(input, 0x20), mload(input), 0, 0)) }
            default { pop(create2(value, add(input, 0x20), mload(input), salt)) }
            size := returndatasize()
            if eq(size, 640) { returndatacopy(add(seen, 0x20), 0, 640) }
        }
        trial.told = size == 640;
        if (trial.told) trial.moves = abi.decode(seen, (Move[4]));
    }
}
