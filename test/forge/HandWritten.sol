// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {Recorder} from "./Recorder.sol";

/// For what is written by hand in assembly.
abstract contract HandWritten is Test {
    uint256 private constant DIRTY_BYTES = 0x800;

    /// Fills what is free of memory, and its scratch space.
    function dirty() internal pure {
        assembly ("memory-safe") {
            mstore(0, not(0))
            mstore(0x20, not(0))
            let start := mload(0x40)
            for { let i := 0 } lt(i, DIRTY_BYTES) { i := add(i, 0x20) } { mstore(add(start, i), not(0)) }
        }
    }

    function hash(uint256 seed, uint256 place) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, place)));
    }

    function expectSeen(Recorder by, bytes memory input, uint256 value) internal view {
        (bytes memory data, uint256 came) = by.seen();
        assertEq(data, input);
        assertEq(came, value);
    }
}
