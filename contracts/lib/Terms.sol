// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NATIVE} from "./Addresses.sol";
import {Cursor, Reading} from "./Cursor.sol";
import {Shares} from "./Shares.sol";

/// What a swap was sold as. Amounts in base units.
struct Terms {
    bytes32 tag;
    uint256 deadline;
    address sellToken;
    address buyToken;
    uint256 sellAmount;
    /// Quoted output after the fee. In `buy` it is what the recipient gets, exactly.
    uint256 quotedNet;
    uint256 minBuyAmount;
    address recipient;
    address partner;
    uint256 feeBps;
    uint256 partnerShareBps;
    uint256 surplus;
    bool buy;
}

// Who gets the output above the quoted net amount.
uint256 constant SURPLUS_TO_PROTOCOL = 0;
uint256 constant SURPLUS_TO_RECIPIENT = 1;
uint256 constant SURPLUS_SHARED = 2;

library TermsReading {
    uint256 private constant MAX_FEE_BPS = 1_500;

    // Bits of the first byte; bits 1 and 2 hold the surplus policy and bit 7 is zero.
    uint256 private constant BUY = 1 << 0;
    uint256 private constant HAS_RECIPIENT = 1 << 3;
    uint256 private constant HAS_FEE = 1 << 4;
    uint256 private constant SELLS_NATIVE = 1 << 5;
    uint256 private constant BUYS_NATIVE = 1 << 6;

    error FlagsUnknown(uint256 flags);
    error Expired(uint256 deadline);
    error FeeTooHigh(uint256 feeBps, uint256 partnerShareBps);
    error SameToken(address token);
    error NothingSold();

    /// Reads the head of a payload: flags, tag, deadline, tokens (a native one is a flag), sellAmount, quotedNet, minBuyAmount (sell only), recipient
    /// (where it is not the taker), and the fee (where there is one).
    function readTerms(Cursor memory cursor, address taker) internal view returns (Terms memory terms) {
        uint256 flags = cursor.integer(1);
        terms.buy = flags & BUY != 0;
        terms.surplus = (flags >> 1) & 3;
        if (flags > 127 || terms.surplus > SURPLUS_SHARED) revert FlagsUnknown(flags);
        terms.tag = bytes32(cursor.integer(32));
        terms.deadline = cursor.amount();
        if (block.timestamp > terms.deadline) revert Expired(terms.deadline);
        terms.sellToken = flags & SELLS_NATIVE != 0 ? NATIVE : cursor.account();
        terms.buyToken = flags & BUYS_NATIVE != 0 ? NATIVE : cursor.account();
        if (terms.sellToken == terms.buyToken) revert SameToken(terms.sellToken);
        terms.sellAmount = cursor.amount();
        if (terms.sellAmount == 0) revert NothingSold();
        terms.quotedNet = cursor.amount();
        terms.minBuyAmount = terms.buy ? terms.quotedNet : cursor.amount();
        terms.recipient = flags & HAS_RECIPIENT != 0 ? cursor.account() : taker;
        if (flags & HAS_FEE != 0) {
            terms.partner = cursor.account();
            terms.feeBps = cursor.integer(2);
            terms.partnerShareBps = cursor.integer(2);
            if (terms.feeBps > MAX_FEE_BPS || terms.partnerShareBps > Shares.WHOLE) revert FeeTooHigh(terms.feeBps, terms.partnerShareBps);
        }
    }
}
