// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// In the place of a contract, tells what its transient storage holds.
contract SlotReader {
    function read(uint256 slot) external view returns (uint256 value) {
        assembly ("memory-safe") {
            value := tload(slot)
        }
    }
}
