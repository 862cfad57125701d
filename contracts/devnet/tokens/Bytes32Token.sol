// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ReturningToken} from "./DevnetToken.sol";

/// Behaves as MKR does on Ethereum: name and symbol are bytes32, not strings.
contract Bytes32Token is ReturningToken {
    bytes32 public immutable name;
    bytes32 public immutable symbol;
    uint256 public immutable decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = bytes32(bytes(name_));
        symbol = bytes32(bytes(symbol_));
        decimals = decimals_;
    }
}
