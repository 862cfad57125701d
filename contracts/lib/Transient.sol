// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Permit} from "./Permits.sol";

/// The Router's transient storage. One slot, one meaning; every slot is zero outside of a swap.
///   0  lock: 1 while a swap runs
///   1  expected: whose call back is awaited, by which name, and which leg answers it: address | selector << 160 | kind << 192. Zero: nobody's
///   2  token that the call back may ask for
///   3  payer of that token: the Router itself, the swap's taker, or Permit2 for a taker whose signature is kept
///   4  remaining: how much of it the hop may still spend
///   5  whose signature is kept for the hop that spends the sell token, its v and its deadline: owner | v << 160 | deadline << 168. Zero: none is kept
///   6  its amount
///   7  its nonce
///   8  its witness
///   9  its r
///  10  its s
library Transient {
    error Reentered();
    /// A call back from a stranger, outside of a hop, by another name, or for the second time.
    error UnexpectedCallback(address caller);
    /// The venue took its input in no call back.
    error CallbackMissing(address venue);
    /// The call back asked for more than the hop's input.
    error CallbackAsksTooMuch(uint256 asked, uint256 remaining);
    /// The signature has moved the sell token already. It does so once.
    error PermitUsedUp();

    function lock() internal {
        if (locked()) revert Reentered();
        assembly ("memory-safe") {
            tstore(0, 1)
        }
    }

    function unlock() internal {
        assembly ("memory-safe") {
            tstore(0, 0)
        }
    }

    function locked() internal view returns (bool taken) {
        assembly ("memory-safe") {
            taken := tload(0)
        }
    }

    /// Lets `venue` call back once, by the name `selector`, for the leg of this kind, which may then spend up to `amount` of `token`, paid by `payer`.
    function expect(uint8 kind, address venue, bytes4 selector, address token, address payer, uint256 amount) internal {
        uint256 expected = word(venue, selector) | (uint256(kind) << 192);
        assembly ("memory-safe") {
            tstore(1, expected)
            tstore(2, token)
            tstore(3, payer)
            tstore(4, amount)
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
        uint256 remaining;
        assembly ("memory-safe") {
            token := tload(2)
            payer := tload(3)
            remaining := tload(4)
        }
        if (asked > remaining) revert CallbackAsksTooMuch(asked, remaining);
        assembly ("memory-safe") {
            tstore(4, sub(remaining, asked))
        }
    }

    /// After the venue returned: clears everything and gives what the hop did not spend.
    function settle(address venue) internal returns (uint256 unspent) {
        bool open;
        assembly ("memory-safe") {
            open := tload(1)
            unspent := tload(4)
            tstore(2, 0)
            tstore(3, 0)
            tstore(4, 0)
        }
        if (open) revert CallbackMissing(venue);
    }

    /// Keeps a signature for the hop that spends the sell token, maybe in a call back.
    function keep(Permit memory permit) internal {
        (uint256 amount, uint256 nonce, bytes32 witness, bytes32 r, bytes32 s) = (permit.amount, permit.nonce, permit.witness, permit.r, permit.s);
        uint256 rest = uint256(uint160(permit.owner)) | (uint256(permit.v) << 160) | (permit.deadline << 168);
        assembly ("memory-safe") {
            tstore(5, rest)
            tstore(6, amount)
            tstore(7, nonce)
            tstore(8, witness)
            tstore(9, r)
            tstore(10, s)
        }
    }

    /// Gives the signature that is kept, once.
    function takePermit() internal returns (Permit memory permit) {
        uint256 rest;
        (uint256 amount, uint256 nonce, bytes32 witness, bytes32 r, bytes32 s) = (0, 0, bytes32(0), bytes32(0), bytes32(0));
        assembly ("memory-safe") {
            rest := tload(5)
            amount := tload(6)
            nonce := tload(7)
            witness := tload(8)
            r := tload(9)
            s := tload(10)
        }
        if (rest == 0) revert PermitUsedUp();
        forgetPermit();
        permit = Permit(address(uint160(rest)), amount, nonce, rest >> 168, witness, r, s, uint8(rest >> 160));
    }

    function keepsPermit() internal view returns (bool kept) {
        assembly ("memory-safe") {
            kept := iszero(iszero(tload(5)))
        }
    }

    function forgetPermit() internal {
        assembly ("memory-safe") {
            tstore(5, 0)
            tstore(6, 0)
            tstore(7, 0)
            tstore(8, 0)
            tstore(9, 0)
            tstore(10, 0)
        }
    }

    function word(address venue, bytes4 selector) private pure returns (uint256) {
        return uint256(uint160(venue)) | (uint256(uint32(selector)) << 160);
    }
}
