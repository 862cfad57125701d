// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PERMIT2} from "./Addresses.sol";

/// The Router's transient storage. One slot, one meaning; every slot is zero outside of a swap.
///   0  lock: whose swap runs: taker | 1 << 160. Zero: none runs
///   1  expected: whose call back is awaited, by which name, and which leg answers it: address | selector << 160 | kind << 192. Zero: nobody's
///   2  token that the call back may ask for, and who pays it: token | payer << 160. Payer 0: the Router itself; 1: the swap's taker; 2: Permit2, for a
///      taker whose signature is kept
///   3  remaining: how much of it the hop may still spend
///   4  a signature of the taker that is kept for the hop that spends the sell token: what lib/Permits.sol packs of it. Zero: none is kept
///   5  its amount
///   6  its witness
///   7  its r
///   8  its s
library Transient {
    uint256 private constant PAID_BY_TAKER = 1 << 160;
    uint256 private constant PAID_BY_PERMIT2 = 2 << 160;

    error Reentered();
    /// A call back from a stranger, outside of a hop, by another name, or for the second time.
    error UnexpectedCallback(address caller);
    /// The venue took its input in no call back.
    error CallbackMissing(address venue);
    /// The call back asked for more than the hop's input.
    error CallbackAsksTooMuch(uint256 asked, uint256 remaining);
    /// The signature has moved the sell token already. It does so once.
    error PermitUsedUp();

    function lock(address taker) internal {
        if (locked()) revert Reentered();
        // A taker may have any address where a call is only asked for, zero too.
        uint256 running = uint256(uint160(taker)) | (1 << 160);
        assembly ("memory-safe") {
            tstore(0, running)
        }
    }

    function unlock() internal {
        assembly ("memory-safe") {
            tstore(0, 0)
        }
    }

    function locked() internal view returns (bool taken) {
        assembly ("memory-safe") {
            taken := iszero(iszero(tload(0)))
        }
    }

    /// Lets `venue` call back once, by the name `selector`, for the leg of this kind, which may then spend up to `amount` of `token`, paid by `payer`: the
    /// Router, Permit2, or whoever else, which is the swap's taker.
    function expect(uint8 kind, address venue, bytes4 selector, address token, address payer, uint256 amount) internal {
        uint256 expected = word(venue, selector) | (uint256(kind) << 192);
        uint256 paid = uint256(uint160(token));
        if (payer == PERMIT2) paid |= PAID_BY_PERMIT2;
        else if (payer != address(this)) paid |= PAID_BY_TAKER;
        assembly ("memory-safe") {
            tstore(1, expected)
            tstore(2, paid)
            tstore(3, amount)
        }
    }

    /// In the call back: uses up the expectation, so that nothing that the leg sets off can use it again, and tells which leg it was made by.
    function redeem(address caller, bytes4 selector) internal returns (uint256 kind) {
        uint256 expected;
        assembly ("memory-safe") {
            expected := tload(1)
        }
        if (uint192(expected) != word(caller, selector)) revert UnexpectedCallback(caller);
        assembly ("memory-safe") {
            tstore(1, 0)
        }
        return expected >> 192;
    }

    /// In the call back: books `asked` against what the hop may spend. What a venue is owed may be known only here, so this is the one bound on it.
    function spend(uint256 asked) internal returns (address token, address payer) {
        uint256 paid;
        uint256 remaining;
        assembly ("memory-safe") {
            paid := tload(2)
            remaining := tload(3)
        }
        if (asked > remaining) revert CallbackAsksTooMuch(asked, remaining);
        assembly ("memory-safe") {
            tstore(3, sub(remaining, asked))
        }
        token = address(uint160(paid));
        if (paid < PAID_BY_TAKER) payer = address(this);
        else if (paid < PAID_BY_PERMIT2) payer = whoseSwap();
        else payer = PERMIT2;
    }

    /// After the venue returned: clears everything and gives what the hop did not spend.
    function settle(address venue) internal returns (uint256 unspent) {
        bool open;
        assembly ("memory-safe") {
            open := iszero(iszero(tload(1)))
            unspent := tload(3)
            tstore(2, 0)
        }
        if (open) revert CallbackMissing(venue);
        if (unspent != 0) {
            assembly ("memory-safe") {
                tstore(3, 0)
            }
        }
    }

    /// Keeps a signature of the taker for the hop that spends the sell token, maybe in a call back. `signed` is not zero.
    function keepPermit(uint256 signed, uint256 amount, bytes32 witness, bytes32 r, bytes32 s) internal {
        assembly ("memory-safe") {
            tstore(4, signed)
            tstore(5, amount)
            tstore(6, witness)
            tstore(7, r)
            tstore(8, s)
        }
    }

    /// Gives the signature that is kept, once.
    function takePermit() internal returns (uint256 signed, uint256 amount, bytes32 witness, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            signed := tload(4)
            amount := tload(5)
            witness := tload(6)
            r := tload(7)
            s := tload(8)
        }
        if (signed == 0) revert PermitUsedUp();
        forgetPermit();
    }

    function keepsPermit() internal view returns (bool kept) {
        assembly ("memory-safe") {
            kept := iszero(iszero(tload(4)))
        }
    }

    function forgetPermit() internal {
        assembly ("memory-safe") {
            tstore(4, 0)
            tstore(5, 0)
            tstore(6, 0)
            tstore(7, 0)
            tstore(8, 0)
        }
    }

    /// The taker of the swap that runs.
    function whoseSwap() internal view returns (address taker) {
        uint256 running;
        assembly ("memory-safe") {
            running := tload(0)
        }
        return address(uint160(running));
    }

    function word(address venue, bytes4 selector) private pure returns (uint256) {
        return uint256(uint160(venue)) | (uint256(uint32(selector)) << 160);
    }
}
