// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LAST_PRECOMPILE, PERMIT2} from "./Addresses.sol";

/// Reads packed calldata from front to back. `position` and `end` are offsets in the transaction's calldata.
struct Cursor {
    uint256 position;
    uint256 end;
}

using Reading for Cursor global;

library Reading {
    /// The payload ended in the middle of something, or goes on after its end.
    error PayloadMalformed();
    /// The allowance holder, Permit2, this contract, a precompile, or an account without code.
    error NotAVenue(address venue);

    function open(bytes calldata payload) internal pure returns (Cursor memory cursor) {
        uint256 start;
        assembly ("memory-safe") {
            start := payload.offset
        }
        // The ABI decoder has checked that the payload lies within the calldata.
        cursor.position = start;
        cursor.end = start + payload.length;
    }

    /// An unsigned integer of `size` bytes, 1 to 32, most significant first.
    function integer(Cursor memory cursor, uint256 size) internal pure returns (uint256 value) {
        uint256 position = cursor.position;
        // No overflow: a position never exceeds the end, and a size is at most 32.
        unchecked {
            if (position + size > cursor.end) revert PayloadMalformed();
            cursor.position = position + size;
            assembly ("memory-safe") {
                value := calldataload(position)
            }
            value >>= 256 - 8 * size;
        }
    }

    /// The integer of `size` bytes that begins `distance` bytes further on, a number that bytes of calldata bound. Nothing is passed over.
    function ahead(Cursor memory cursor, uint256 distance, uint256 size) internal pure returns (uint256 value) {
        unchecked {
            uint256 position = cursor.position + distance;
            if (position + size > cursor.end) revert PayloadMalformed();
            assembly ("memory-safe") {
                value := calldataload(position)
            }
            value >>= 256 - 8 * size;
        }
    }

    /// An amount: one byte that tells its length, then so many bytes.
    function amount(Cursor memory cursor) internal pure returns (uint256 value) {
        uint256 start = cursor.position;
        // No overflow: a position never exceeds the end, and a length is one byte.
        unchecked {
            uint256 size;
            assembly ("memory-safe") {
                size := byte(0, calldataload(start))
                value := calldataload(add(start, 1))
            }
            start += 1 + size;
            // Where the length itself lies beyond the end, so does what follows it.
            if (size > 32 || start > cursor.end) revert PayloadMalformed();
            cursor.position = start;
            // All of the word away, for no bytes.
            value >>= 256 - 8 * size;
        }
    }

    function account(Cursor memory cursor) internal pure returns (address) {
        return address(uint160(integer(cursor, 20)));
    }

    /// The next `size` bytes as they are. Memory grows with them: for sizes that a byte of calldata bounds.
    function slice(Cursor memory cursor, uint256 size) internal pure returns (bytes memory part) {
        uint256 position = cursor.position;
        // No overflow: a position never exceeds the end, and no size comes near 256 bits.
        unchecked {
            if (position + size > cursor.end) revert PayloadMalformed();
            cursor.position = position + size;
        }
        part = msg.data[position:position + size];
    }

    /// Passes over bytes, of a number that a byte of calldata bounds.
    function skip(Cursor memory cursor, uint256 size) internal pure {
        unchecked {
            uint256 position = cursor.position + size;
            if (position > cursor.end) revert PayloadMalformed();
            cursor.position = position;
        }
    }

    /// An address that a leg tells its venue and never calls itself, such as the hooks of a pool; a token between two pools may be asked for a balance, by lib/Tokens.sol.
    function named(Cursor memory cursor) internal pure returns (address) {
        return account(cursor);
    }

    /// The address of a venue. Every leg takes the address that it calls from here, so that none can be pointed at what holds allowances.
    function venue(Cursor memory cursor, address allowanceHolder) internal view returns (address target) {
        (target,) = venueWith(cursor, allowanceHolder, 0);
    }

    /// The address of a venue as `venue` gives it, and the integer of `size` bytes, up to 12, that follows it: one read for both.
    function venueWith(Cursor memory cursor, address allowanceHolder, uint256 size) internal view returns (address target, uint256 rest) {
        unchecked {
            uint256 both = integer(cursor, 20 + size);
            target = address(uint160(both >> (8 * size)));
            rest = both & ((1 << (8 * size)) - 1);
        }
        address permit2 = PERMIT2;
        uint256 lastPrecompile = LAST_PRECOMPILE;
        bool unfit;
        // target == allowanceHolder || target == PERMIT2 || target == address(this) || target <= LAST_PRECOMPILE || target.code.length == 0, without
        // the jumps of ||: 120 gas less of each hop.
        assembly ("memory-safe") {
            unfit := or(eq(target, shr(96, shl(96, allowanceHolder))), eq(target, permit2))
            unfit := or(unfit, or(eq(target, address()), iszero(gt(target, lastPrecompile))))
            unfit := or(unfit, iszero(extcodesize(target)))
        }
        if (unfit) revert NotAVenue(target);
    }
}
