// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market, Markets} from "./Market.sol";
import {Move, Moves} from "./Moves.sol";
import {IBank, ISeller} from "./Swapping.sol";

/// Swaps at pools that have their own code, for traders, and pays a V3 pool when that asks for it.
abstract contract Swapper is IBank, ISeller {
    /// Of a transfer of the other token, which is not what is measured.
    uint256 private constant OTHER_GAS = 500_000;
    uint256 private constant LEAST_PAID = 1000;
    /// So many of 10,000 that come to a pair, as pairs of known fees keep: the first that a purchase goes by is what the sale has to go by too.
    uint256 private constant FEES = 4;

    /// Under way from a V3 pool's swap to its callback.
    struct Payment {
        Market market;
        bool isSale;
        /// Who has what is sold, and how much of it is paid.
        address from;
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

    function purchase(Market calldata market, uint256 amount, address to) external uninterrupted returns (bool ok, bool isPoor, uint256 asked, uint256 kept) {
        if (!market.isPair) {
            payment = Payment(market, false, address(0), 0);
            bytes memory seen;
            (ok, seen) = Markets.swapPool(market, false, amount, to);
            delete payment;
            if (ok) asked = Markets.gaveOf(market, seen);
            return (ok, ok ? asked == 0 : bytes4(seen) == TooPoor.selector, asked, 0);
        }
        uint256 price = Markets.priceOf(market, amount);
        (, uint256 has) = Moves.balance(market.other, address(this));
        // Of less, rounding would decide.
        if (price > 0 && price < LEAST_PAID) price = LEAST_PAID;
        if (price == 0 || price > has || !sendOther(market, price)) return (false, true, 0, 0);
        for (uint256 i = 0; i < FEES && !ok; i++) {
            kept = keptBy(i);
            asked = Markets.outOfPair(market, false, kept);
            if (asked == 0) return (false, true, 0, 0);
            ok = Markets.swapPair(market, false, asked, to);
        }
        lastKept = kept;
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
            (, uint256 has) = Moves.balance(its.market.other, address(this));
            if (owed > has || !sendOther(its.market, owed)) revert TooPoor();
            return true;
        }
        Move memory move = pay(its.market, its.from, its.amount);
        if (move.ending == Moves.MOVED && move.credited >= owed) {
            paid = move;
            return true;
        }
        bytes memory seen = abi.encode(move);
        assembly {
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
        (bool ok, bytes memory seen) = Markets.swapPool(market, true, taken, address(this));
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

    function sendOther(Market memory market, uint256 amount) private returns (bool) {
        bytes memory input = abi.encodeWithSignature("transfer(address,uint256)", market.pool, amount);
        return Moves.confirmed(market.other, market.other, input, OTHER_GAS);
    }

    function keptBy(uint256 fee) private pure returns (uint256) {
        return fee == 0 ? 9975 : fee == 1 ? 9970 : fee == 2 ? 9900 : 9680;
    }
}
