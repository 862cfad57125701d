// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Dispatch} from "./Dispatch.gen.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {NATIVE, PERMIT2} from "./lib/Addresses.sol";
import {Cursor, Reading} from "./lib/Cursor.sol";
import {Hop} from "./lib/Hop.sol";
import {Ledger, Ledgers} from "./lib/Ledger.sol";
import {Offers} from "./lib/Offers.sol";
import {Permits} from "./lib/Permits.sol";
import {Shares} from "./lib/Shares.sol";
import {SURPLUS_SHARED, SURPLUS_TO_PROTOCOL, SURPLUS_TO_RECIPIENT, Terms, TermsReading} from "./lib/Terms.sol";
import {Tokens} from "./lib/Tokens.sol";
import {Transient} from "./lib/Transient.sol";

/// Runs one route, or nothing. Holds no funds and no rights between transactions: nobody should ever approve it.
///
/// Payload, packed: the terms (lib/Terms.sol), the number of intermediate tokens (1 byte) and their addresses, then hops to the end. A hop is leg kind
/// (1 byte), bps (2), index of tokenIn (1), index of tokenOut (1), then what its leg reads. Index 0 is the sell token, 1 the buy token, 2 and up the
/// intermediate ones.
contract Router is IExecutor {
    uint256 private constant SELL = 0;
    uint256 private constant BUY = 1;

    address public immutable allowanceHolder;
    address public immutable wrappedNative;
    /// Receives the protocol's part of fees and of surplus.
    address public immutable feeCollector;

    /// What really moved. The fee is that of the terms, also where a receiver refused its part.
    event Swap(
        bytes32 indexed tag,
        address indexed taker,
        address recipient,
        address sellToken,
        address buyToken,
        uint256 sellAmount,
        uint256 buyAmount,
        uint256 feeAmount
    );

    error NotAReceiver(address account);
    error OnlyAllowanceHolder(address caller);
    /// The sell token is not one that this entry point is funded with.
    error FundingMismatch(address sellToken);
    error ValueMismatch(uint256 value, uint256 sellAmount);
    /// Native token from somebody other than wrapped native while no swap runs: it would be stuck here.
    error UnexpectedPayment(address from);
    error HopMalformed(uint256 kind, uint256 bps, uint256 tokenIn, uint256 tokenOut);
    error NothingToSpend(address token);
    error BalanceFell(address token);
    error BelowMinimum(uint256 received, uint256 minimum);
    error NotExact(uint256 received, uint256 wanted);

    constructor(address allowanceHolder_, address wrappedNative_, address feeCollector_) {
        (allowanceHolder, wrappedNative, feeCollector) = (allowanceHolder_, wrappedNative_, feeCollector_);
        requireReceiver(feeCollector_);
    }

    /// What wrapped native pays out, and what venues pay in a hop. A hop counts what it brought in by balances, so a payment from anybody else while a
    /// swap runs is a gift at most. A call with 2,300 gas gets through.
    receive() external payable {
        if (msg.sender != wrappedNative && !Transient.locked()) revert UnexpectedPayment(msg.sender);
    }

    /// Venues calling back in a hop, answered by the leg that made the expectation; nothing else is let through.
    fallback(bytes calldata) external returns (bytes memory) {
        return Dispatch.callback(Transient.redeem(msg.sender, msg.sig), allowanceHolder);
    }

    /// Sells native token that comes with the call.
    function swap(bytes calldata payload) external payable {
        Cursor memory cursor = Reading.open(payload);
        Terms memory terms = TermsReading.readTerms(cursor, msg.sender);
        begin(terms, msg.sender);
        if (terms.sellToken != NATIVE) revert FundingMismatch(terms.sellToken);
        if (msg.value != terms.sellAmount) revert ValueMismatch(msg.value, terms.sellAmount);
        settle(terms, cursor, msg.sender, address(this), terms.sellAmount);
    }

    /// Sells a token of the caller, which Permit2 moves by the caller's signature. That is the first 65 bytes of the payload, and is over all others.
    function swapPermit2(bytes calldata payload) external {
        Cursor memory cursor = Reading.open(payload);
        (bytes32 r, bytes32 s, uint8 v) = Permits.readSignature(cursor);
        Terms memory terms = TermsReading.readTerms(cursor, msg.sender);
        begin(terms, msg.sender);
        if (terms.sellToken == NATIVE) revert FundingMismatch(NATIVE);
        uint256 signed = Permits.pack(terms, v);
        bytes32 witness = Permits.witnessOf(terms, payload);
        if (spendsAllAtOnce(cursor)) {
            Transient.keepPermit(signed, terms.sellAmount, witness, r, s);
            settle(terms, cursor, msg.sender, PERMIT2, terms.sellAmount);
            // A venue without liquidity has asked for nothing.
            if (Transient.keepsPermit()) Transient.forgetPermit();
        } else {
            uint256 before = Tokens.balance(terms.sellToken, address(this));
            Permits.transfer(signed, terms.sellAmount, witness, r, s, msg.sender, terms.sellToken, address(this), terms.sellAmount);
            uint256 came = gained(terms.sellToken, address(this), before);
            // Of a token that taxes transfers, less comes; more would be a gift, and nobody's.
            settle(terms, cursor, msg.sender, address(this), came < terms.sellAmount ? came : terms.sellAmount);
        }
    }

    /// Sells a token of the account that is calling the allowance holder.
    function executeFrom(address owner, bytes calldata payload) external returns (bytes4) {
        if (msg.sender != allowanceHolder) revert OnlyAllowanceHolder(msg.sender);
        Cursor memory cursor = Reading.open(payload);
        Terms memory terms = TermsReading.readTerms(cursor, owner);
        begin(terms, owner);
        if (terms.sellToken == NATIVE) revert FundingMismatch(NATIVE);
        settle(terms, cursor, owner, owner, terms.sellAmount);
        return IExecutor.executeFrom.selector;
    }

    function begin(Terms memory terms, address taker) private {
        Transient.lock(taker);
        requireReceiver(terms.recipient);
    }

    /// Whether the first hop spends all of the sell token: then the signature moves it from the taker to where that hop wants it. It can move it once
    /// only, so for hops that share it, it comes here.
    function spendsAllAtOnce(Cursor memory cursor) private pure returns (bool) {
        uint256 head = cursor.ahead(1 + 20 * cursor.ahead(0, 1), 5);
        return uint16(head >> 16) == Shares.WHOLE && uint8(head >> 8) == SELL;
    }

    /// `payer` of the sell token: this contract, which holds `funded` of it already, or whom lib/Hop.sol names.
    function settle(Terms memory terms, Cursor memory cursor, address taker, address payer, uint256 funded) private {
        Ledger ledger = openLedger(terms, cursor, funded);
        uint256 received;
        uint256 fee;
        uint256 givenBack;
        if (deliversDirectly(terms)) {
            uint256 before = Tokens.balance(terms.buyToken, terms.recipient);
            givenBack = runHops(ledger, cursor, taker, payer, terms.recipient);
            sweep(ledger, taker, payer == address(this));
            received = gained(terms.buyToken, terms.recipient, before);
        } else {
            givenBack = runHops(ledger, cursor, taker, payer, address(this));
            (received, fee) = share(terms, ledger, taker, payer == address(this));
        }
        if (terms.buy) {
            if (received != terms.quotedNet) revert NotExact(received, terms.quotedNet);
        } else if (received < terms.minBuyAmount) {
            revert BelowMinimum(received, terms.minBuyAmount);
        }
        emit Swap(
            terms.tag,
            taker,
            terms.recipient,
            terms.sellToken,
            terms.buyToken,
            terms.sellAmount - ledger.amount(SELL) - givenBack,
            received,
            fee
        );
        Transient.unlock();
    }

    /// Fee and surplus out of what the hops brought here, what they left over to the taker, the rest to the recipient.
    function share(Terms memory terms, Ledger ledger, address taker, bool holdsSellToken) private returns (uint256 received, uint256 fee) {
        uint256 owed;
        uint256 captured;
        (owed, fee, captured) = terms.buy ? splitExact(terms, ledger.amount(BUY)) : split(terms, ledger.amount(BUY));
        payFees(terms, fee, captured, taker);
        sweep(ledger, taker, holdsSellToken);
        received = deliver(terms.buyToken, terms.recipient, owed);
    }

    /// Whether hops pay the recipient themselves: where nothing can be kept of what they bring. It is measured there over the whole route. Native token
    /// comes from the Router, since a receiver that passes it on at once has no balance to measure.
    function deliversDirectly(Terms memory terms) private pure returns (bool) {
        return !terms.buy && terms.feeBps == 0 && terms.surplus == SURPLUS_TO_RECIPIENT && terms.buyToken != NATIVE;
    }

    /// `funded` of an ERC-20 may still be with the taker: hops take it from there.
    function openLedger(Terms memory terms, Cursor memory cursor, uint256 funded) private pure returns (Ledger ledger) {
        uint256 count = 2 + cursor.integer(1);
        ledger = Ledgers.open(count);
        ledger.enter(SELL, terms.sellToken, funded);
        ledger.enter(BUY, terms.buyToken, 0);
        for (uint256 i = 2; i < count; i++) ledger.enter(i, cursor.account(), 0);
    }

    /// `receiver` of the buy token: this contract, or the recipient. Returns how much of the sell token hops took from the taker and gave back.
    function runHops(Ledger ledger, Cursor memory cursor, address taker, address payer, address receiver)
        private
        returns (uint256 givenBack)
    {
        Hop memory hop = Hop(address(0), address(0), 0, payer, receiver, allowanceHolder, wrappedNative, 0, taker);
        uint256 count = ledger.count();
        // Between what one hop brought in and the next hop's start nothing is called: of the same token the balance is known.
        address known;
        uint256 balance;
        while (cursor.position < cursor.end) {
            uint256 head = cursor.integer(5);
            (uint256 kind, uint256 bps, uint256 tokenIn, uint256 tokenOut) = (head >> 32, uint16(head >> 16), uint8(head >> 8), uint8(head));
            if (isMalformed(count, bps, tokenIn, tokenOut)) revert HopMalformed(kind, bps, tokenIn, tokenOut);
            hop.tokenIn = ledger.token(tokenIn);
            hop.tokenOut = ledger.token(tokenOut);
            hop.amountIn = Shares.portion(ledger.amount(tokenIn), bps);
            if (hop.amountIn == 0) revert NothingToSpend(hop.tokenIn);
            hop.payer = tokenIn == SELL ? payer : address(this);
            hop.receiver = tokenOut == BUY ? receiver : address(this);
            // What goes to the recipient is none of the swap's to spend, and is measured when all hops have run.
            bool measured = hop.receiver == address(this);
            if (measured && hop.tokenOut != known) (known, balance) = (hop.tokenOut, Tokens.balance(hop.tokenOut, address(this)));
            uint256 unspent = Dispatch.run(kind, hop, cursor);
            unchecked {
                // A leg spends at most its input; a balance fits 256 bits, and so do the differences that make up a ledger entry.
                ledger.setAmount(tokenIn, ledger.amount(tokenIn) - (hop.amountIn - unspent));
                if (measured) {
                    uint256 afterwards = Tokens.balance(known, address(this));
                    if (afterwards < balance) revert BalanceFell(known);
                    ledger.setAmount(tokenOut, ledger.amount(tokenOut) + (afterwards - balance));
                    balance = afterwards;
                } else {
                    known = address(0);
                }
            }
        }
        return hop.givenBack;
    }

    /// bps > Shares.WHOLE || tokenIn >= count || tokenOut >= count || tokenIn == tokenOut || tokenOut == SELL, without the jumps of ||: 120 gas less of
    /// each hop.
    function isMalformed(uint256 count, uint256 bps, uint256 tokenIn, uint256 tokenOut) private pure returns (bool malformed) {
        uint256 whole = Shares.WHOLE;
        assembly ("memory-safe") {
            malformed := or(gt(bps, whole), or(iszero(lt(tokenIn, count)), iszero(lt(tokenOut, count))))
            malformed := or(malformed, or(eq(tokenIn, tokenOut), eq(tokenOut, SELL)))
        }
    }

    /// sell: what the recipient is owed, the fee, and the part of the surplus that the protocol keeps.
    function split(Terms memory terms, uint256 gross) private pure returns (uint256 owed, uint256 fee, uint256 captured) {
        fee = Shares.portion(gross, terms.feeBps);
        unchecked {
            owed = gross - fee;
            if (owed > terms.quotedNet) {
                uint256 surplus = owed - terms.quotedNet;
                if (terms.surplus == SURPLUS_TO_PROTOCOL) captured = surplus;
                else if (terms.surplus == SURPLUS_SHARED) captured = surplus / 2;
                owed -= captured;
            }
        }
    }

    /// buy: the recipient is owed the target and nothing else; the fee is that of the gross target.
    function splitExact(Terms memory terms, uint256 gross) private pure returns (uint256 owed, uint256 fee, uint256 captured) {
        owed = terms.quotedNet;
        uint256 wanted = Shares.grossFor(owed, terms.feeBps);
        if (gross < wanted) revert BelowMinimum(gross, wanted);
        unchecked {
            fee = wanted - owed;
            captured = gross - wanted;
        }
    }

    /// What the partner refuses goes to the collector, what the collector refuses to the taker: neither can stop a swap, or spend much of its gas.
    function payFees(Terms memory terms, uint256 fee, uint256 captured, address taker) private {
        uint256 partnerAmount = Shares.portion(fee, terms.partnerShareBps);
        uint256 protocolAmount;
        unchecked {
            protocolAmount = fee - partnerAmount + captured;
        }
        if (partnerAmount > 0) {
            requireReceiver(terms.partner);
            unchecked {
                // Parts of one amount.
                if (!Offers.offer(terms.buyToken, terms.partner, partnerAmount)) protocolAmount += partnerAmount;
            }
        }
        if (protocolAmount > 0 && !Offers.offer(terms.buyToken, feeCollector, protocolAmount)) Tokens.pay(terms.buyToken, taker, protocolAmount);
    }

    /// Gives back to the taker what the hops left over. An ERC-20 sell token that no hop took has never left the taker.
    function sweep(Ledger ledger, address taker, bool holdsSellToken) private {
        uint256 count = ledger.count();
        for (uint256 i = holdsSellToken ? SELL : BUY + 1; i < count; i++) {
            uint256 left = ledger.amount(i);
            if (i != BUY && left > 0) Tokens.pay(ledger.token(i), taker, left);
        }
    }

    /// Pays the recipient and tells what it got: of a token that taxes transfers, less than was sent.
    function deliver(address token, address recipient, uint256 amount) private returns (uint256 received) {
        if (amount == 0) return 0;
        if (token == NATIVE) {
            Tokens.pay(token, recipient, amount);
            return amount;
        }
        uint256 before = Tokens.balance(token, recipient);
        Tokens.pay(token, recipient, amount);
        return gained(token, recipient, before);
    }

    function gained(address token, address account, uint256 before) private view returns (uint256) {
        uint256 afterwards = Tokens.balance(token, account);
        if (afterwards < before) revert BalanceFell(token);
        unchecked {
            return afterwards - before;
        }
    }

    function requireReceiver(address account) private view {
        if (account == address(0) || account == address(this) || account == allowanceHolder) revert NotAReceiver(account);
    }
}
