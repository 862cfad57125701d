// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ReturningToken} from "./DevnetToken.sol";

/// An ERC-20 as the standard describes it.
contract StandardToken is ReturningToken {
    string public name;
    string public symbol;
    uint8 public immutable decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }
}
