// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market, Markets} from "./Market.sol";
import {Move, Moves} from "./Moves.sol";
import {Order, Orders} from "./Orders.sol";
import {IBank, ISeller, Purchase} from "./Swapping.sol";

/// Swaps at pools that have their own code, for traders, and pays a V3 pool when that asks for it.
abstract contract Swapper is IBank, ISeller {
    /// Of a transfer of the other token, which is not what is measured.
    uint256 private constant OTHER_GAS = 500_000;
    /// So many of 10,000 that come to a pair, as pairs of known fees keep: the first that a purchase goes by is what the sale has to go by too.
    uint256 private constant FEES = 4;

    /// Under way from a V3 pool's swap to its callback.
    struct Payment {
        Market market;
        bool isSale;
        /// Who has what is sold.
        address from;
        /// How much of that is paid; in a purchase, what it has to give at least.
        uint256 amount;
    }

    /// What a pool and an account had in an earlier transaction.
    struct Note {
        bool isNoted;
        bool known;
        uint256 had;
        uint256 held;
    }

    Payment private payment;
    /// What the last purchase at a pair went by, of 10,000.
    uint256 public lastKept;
    Note private noted;
    /// What came of the last payment.
    Move private paid;

    error TooPoor();
    error Unpaid();
    error Interrupted();

    /// A token may call this while it is called. What it is measured by is not for it to set.
    modifier uninterrupted() {
        if (payment.market.pool != address(0)) revert Interrupted();
        _;
    }

    modifier bySender() {
        if (msg.sender != tx.origin) revert Interrupted();
        _;
    }

    function purchase(Market calldata market, Order calldata order, address to) external uninterrupted returns (Purchase memory) {
        return market.isPair ? ofPair(market, order, to) : ofPool(market, order, to);
    }

    function ofPool(Market memory market, Order memory order, address to) private returns (Purchase memory bought) {
        bool isGiven = order.amount > 0;
        payment = Payment(market, false, address(0), order.least);
        bytes memory seen;
        bought.gasUsed = gasleft();
        (bought.ok, seen) = Markets.swapPool(market, false, isGiven, isGiven ? order.amount : order.paid, to);
        bought.gasUsed -= gasleft();
        delete payment;
        if (bought.ok) bought.asked = Markets.gaveOf(market, seen);
        bought.isPoor = bought.ok ? bought.asked == 0 : bytes4(seen) == TooPoor.selector;
        bought.isSpent = !bought.ok && Markets.isSpent(market, seen, bought.gasUsed);
    }

    function ofPair(Market memory market, Order memory order, address to) private returns (Purchase memory bought) {
        uint256 price = order.amount > 0 ? Markets.priceOf(market, order.amount) : order.paid;
        (, uint256 has) = Moves.balance(market.other, address(this));
        if (price > 0 && price < Orders.LEAST_PAID) price = Orders.LEAST_PAID;
        bought.isPoor = true;
        bool isLoose = Markets.hasMore(market);
        if (price == 0 || price > has || !sendOther(market, price)) return bought;
        for (uint256 i = 0; i < FEES && !bought.ok; i++) {
            bought.kept = keptBy(i);
            bought.asked = Markets.outOfPair(market, false, bought.kept);
            // An order of so much of the token is for what a pair without a fee gives.
            if (bought.asked == 0 || bought.asked < order.least - order.least / 16) return bought;
            bought.gasUsed = gasleft();
            bought.ok = Markets.swapPair(market, false, bought.asked, to);
            bought.gasUsed -= gasleft();
        }
        bought.isPoor = false;
        // What lay there paid for a part of the fee: then any of them may be the pair's.
        if (isLoose) bought.kept = keptBy(FEES - 1);
        lastKept = bought.kept;
    }

    function sell(Market calldata market, address from, uint256 amount, uint256 kept) external uninterrupted returns (Move memory move) {
        if (!market.isPair) return sold(market, from, amount);
        move = pay(market, from, amount);
        if (move.ending != Moves.MOVED || move.credited == 0) return move;
        uint256 out = Markets.outOfPair(market, true, kept);
        // What is worth less than a base unit of the other token can not be sold by itself; what is not, and has not come as far as the pair's books and balance say, is not sold either.
        if (out == 0 ? Markets.isWorth(market, move.credited) : !Markets.swapPair(market, true, out, address(this))) move.ending = Moves.REFUSED;
    }

    /// Whether it is a pool's callback for a payment, which is then made. Reverts with the movement where that is not what the pool is owed.
    function isPayment() internal returns (bool) {
        Payment memory its = payment;
        if (its.market.pool == address(0) || msg.sender != its.market.pool || msg.data.length < 68) return false;
        uint256 owed = its.market.isFirst == its.isSale ? uint256(bytes32(msg.data[4:36])) : uint256(bytes32(msg.data[36:68]));
        if (!its.isSale) {
            // What it gives has left it already: the negative one of the two.
            int256 given = -int256(uint256(bytes32(its.market.isFirst ? msg.data[4:36] : msg.data[36:68])));
            if (given < int256(its.amount)) revert TooPoor();
            // Of what there is, where that is to be little.
            bool isThrifty = its.market.gasOfPurchase > 0;
            if (isThrifty) {
                // Too little gas is no want of means, so that it is tried again with more.
                if (!Moves.sent(its.market.other, its.market.pool, owed)) revert Unpaid();
            } else if (isShort(its.market, owed) || !sendOther(its.market, owed)) revert TooPoor();
            return true;
        }
        Move memory move = pay(its.market, its.from, its.amount);
        if (move.ending == Moves.MOVED && move.credited >= owed) {
            paid = move;
            return true;
        }
        bytes memory seen = abi.encode(move);
        assembly ("memory-safe") {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    /// All of it, or where less comes to the pool than left, what came: a pool takes no less than it is owed.
    function sold(Market memory market, address from, uint256 amount) private returns (Move memory move) {
        move = soldOnce(market, from, amount, amount);
        if (move.ending != Moves.MOVED || move.credited >= amount || move.credited < 10) return move;
        // Some less, where the next one is not taxed to the unit as the first was.
        return soldOnce(market, from, amount, move.credited - move.credited / 1000 - 1);
    }

    function soldOnce(Market memory market, address from, uint256 amount, uint256 taken) private returns (Move memory move) {
        payment = Payment(market, true, from, amount);
        delete paid;
        (bool ok, bytes memory seen) = Markets.swapPool(market, true, false, taken, address(this));
        delete payment;
        if (ok) return paid;
        if (seen.length == 160) {
            move = abi.decode(seen, (Move));
            if (move.ending != Moves.MOVED || move.credited < taken) return move;
        }
        // By what is read from outside it was paid.
        (move.asked, move.ending) = (amount, Moves.REFUSED);
    }

    function pay(Market memory market, address from, uint256 amount) private returns (Move memory move) {
        (address token, address to) = (market.token, market.pool);
        bytes memory input = from == address(this)
            ? abi.encodeWithSignature("transfer(address,uint256)", to, amount)
            : abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount);
        if (!noted.isNoted) return Moves.measured(token, from, to, amount, token, input, market.gasOfCall);
        bool ok = Moves.confirmed(token, token, input, market.gasOfCall);
        move.asked = amount;
        if (ok) soldSinceNote(move, token, to, from);
        else move.ending = Moves.REFUSED;
    }

    function noteBalances(address token, address pool, address account) internal {
        (bool known, uint256 had) = Moves.balance(token, pool);
        (bool knownToo, uint256 held) = Moves.balance(token, account);
        noted = Note(true, known && knownToo, had, held);
    }

    /// What went from a pool to an account since they were noted.
    function movedSinceNote(Move memory move, address token, address pool, address account) internal view {
        (bool known, uint256 has) = Moves.balance(token, pool);
        (bool knownToo, uint256 holds) = Moves.balance(token, account);
        move.ending = noted.known && known && knownToo ? Moves.MOVED : Moves.UNREADABLE;
        move.debited = noted.had > has ? noted.had - has : 0;
        move.credited = holds > noted.held ? holds - noted.held : 0;
        move.lost = noted.held > holds ? noted.held - holds : 0;
    }

    /// The other way.
    function soldSinceNote(Move memory move, address token, address pool, address account) private view {
        (bool known, uint256 has) = Moves.balance(token, pool);
        (bool knownToo, uint256 holds) = Moves.balance(token, account);
        move.ending = noted.known && known && knownToo ? Moves.MOVED : Moves.UNREADABLE;
        move.debited = noted.held > holds ? noted.held - holds : 0;
        move.credited = has > noted.had ? has - noted.had : 0;
        move.lost = noted.had > has ? noted.had - has : 0;
    }

    function isShort(Market memory market, uint256 owed) private view returns (bool) {
        (, uint256 has) = Moves.balance(market.other, address(this));
        return owed > has;
    }

    function sendOther(Market memory market, uint256 amount) private returns (bool) {
        bytes memory input = abi.encodeWithSignature("transfer(address,uint256)", market.pool, amount);
        return Moves.confirmed(market.other, market.other, input, OTHER_GAS);
    }

    function keptBy(uint256 fee) private pure returns (uint256) {
        return fee == 0 ? 9975 : fee == 1 ? 9970 : fee == 2 ? 9900 : 9680;
    }
}
