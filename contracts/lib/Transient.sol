// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The Router's transient storage. One slot, one meaning; every slot is zero outside of a swap.
///   0  lock: 1 while a swap runs
///   1  expected: whose call back is awaited, by which name, and which leg answers it: address | selector << 160 | kind << 192. Zero: nobody's
///   2  token that the call back may ask for
///   3  payer of that token: the Router itself, or the swap's taker
///   4  remaining: how much of it the hop may still spend
library Transient {
    error Reentered();
    /// A call back from a stranger, outside of a hop, by another name, or for the second time.
    error UnexpectedCallback(address caller);
    /// The venue took its input in no call back.
    error CallbackMissing(address venue);
    /// The call back asked for more than the hop's input.
    error CallbackAsksTooMuch(uint256 asked, uint256 remaining);

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

    function word(address venue, bytes4 selector) private pure returns (uint256) {
        return uint256(uint160(venue)) | (uint256(uint32(selector)) << 160);
    }
}
