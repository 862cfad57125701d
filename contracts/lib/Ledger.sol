// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What a swap brought in and has not spent, by the place of a token. In memory: how many tokens, then of each its address and its amount. Arrays of
/// both would be checked twice and cleared before they are written, 900 gas more of one hop.
type Ledger is uint256;

using Ledgers for Ledger global;

/// Places are below `count`: whoever takes one from calldata holds it against that first.
library Ledgers {
    /// Every place has to be written with `enter` before it is read: memory holds what was there.
    function open(uint256 count_) internal pure returns (Ledger ledger) {
        assembly ("memory-safe") {
            ledger := mload(0x40)
            mstore(ledger, count_)
            mstore(0x40, add(add(ledger, 0x20), shl(6, count_)))
        }
    }

    function enter(Ledger ledger, uint256 place, address token_, uint256 amount_) internal pure {
        assembly ("memory-safe") {
            let entry := add(add(ledger, 0x20), shl(6, place))
            mstore(entry, shr(96, shl(96, token_)))
            mstore(add(entry, 0x20), amount_)
        }
    }

    function count(Ledger ledger) internal pure returns (uint256 count_) {
        assembly ("memory-safe") {
            count_ := mload(ledger)
        }
    }

    function token(Ledger ledger, uint256 place) internal pure returns (address token_) {
        assembly ("memory-safe") {
            token_ := mload(add(add(ledger, 0x20), shl(6, place)))
        }
    }

    function amount(Ledger ledger, uint256 place) internal pure returns (uint256 amount_) {
        assembly ("memory-safe") {
            amount_ := mload(add(add(ledger, 0x40), shl(6, place)))
        }
    }

    function setAmount(Ledger ledger, uint256 place, uint256 amount_) internal pure {
        assembly ("memory-safe") {
            mstore(add(add(ledger, 0x40), shl(6, place)), amount_)
        }
    }
}
