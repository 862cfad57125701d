// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV2Pair} from "../interfaces/IUniswapV2Pair.sol";

/// Calls to contracts that may answer anything. At most two words of an answer are looked at and at most MAX_REASON bytes of a reason are copied: a
/// callee that returns megabytes costs its own gas only.
library Calls {
    uint256 internal constant MAX_REASON = 256;

    /// The venue or wrapped native reverted, with the start of its reason.
    error VenueReverted(address venue, bytes reason);
    /// The venue answered with less than it has to.
    error AnswerTooShort(address venue);

    /// Calls a venue; what it returns is not looked at.
    function send(address venue, uint256 value, bytes memory input) internal {
        bool ok;
        assembly ("memory-safe") {
            ok := call(gas(), venue, value, add(input, 0x20), mload(input), 0, 0)
        }
        if (!ok) revert VenueReverted(venue, reason());
    }

    /// Asks a venue's view for a word.
    function readWord(address venue, bytes memory input) internal view returns (uint256 word) {
        bool ok;
        uint256 size;
        assembly ("memory-safe") {
            ok := staticcall(gas(), venue, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
        if (!ok) revert VenueReverted(venue, reason());
        if (size < 0x20) revert AnswerTooShort(venue);
    }

    /// Calls a venue, and gives the first word of what it returns.
    function sendForWord(address venue, bytes memory input) internal returns (uint256 word) {
        bool ok;
        uint256 size;
        assembly ("memory-safe") {
            ok := call(gas(), venue, 0, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
        if (!ok) revert VenueReverted(venue, reason());
        if (size < 0x20) revert AnswerTooShort(venue);
    }

    /// Asks a venue's view without parameters for two words. In scratch space.
    function readPair(address venue, bytes4 name) internal view returns (uint256 first, uint256 second) {
        bool ok;
        uint256 size;
        assembly ("memory-safe") {
            mstore(0, name)
            ok := staticcall(gas(), venue, 0, 0x04, 0, 0x40)
            size := returndatasize()
            first := mload(0)
            second := mload(0x20)
        }
        if (!ok) revert VenueReverted(venue, reason());
        if (size < 0x40) revert AnswerTooShort(venue);
    }

    /// send(pair, 0, abi.encodeCall(IUniswapV2Pair.swap, (amount0Out, amount1Out, to, ""))), written where memory is free and not kept: with readPair 300 gas less of each pair.
    function swapPair(address pair, uint256 amount0Out, uint256 amount1Out, address to) internal {
        bytes4 name = IUniswapV2Pair.swap.selector;
        bool ok;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, name)
            mstore(add(input, 0x04), amount0Out)
            mstore(add(input, 0x24), amount1Out)
            mstore(add(input, 0x44), shr(96, shl(96, to)))
            mstore(add(input, 0x64), 0x80)
            mstore(add(input, 0x84), 0)
            ok := call(gas(), pair, 0, input, 0xa4, 0, 0)
        }
        if (!ok) revert VenueReverted(pair, reason());
    }

    /// The start of the last call's return data.
    function reason() internal pure returns (bytes memory data) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, MAX_REASON) { size := MAX_REASON }
            data := mload(0x40)
            mstore(data, size)
            returndatacopy(add(data, 0x20), 0, size)
            mstore(0x40, and(add(add(data, 0x3f), size), not(0x1f)))
        }
    }
}
