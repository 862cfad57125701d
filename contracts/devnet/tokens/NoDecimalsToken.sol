// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ReturningToken} from "./DevnetToken.sol";

/// An ERC-20 whose decimals() reverts: the standard calls that function optional.
contract NoDecimalsToken is ReturningToken {
    string public name;
    string public symbol;

    constructor(string memory name_, string memory symbol_, uint8) {
        name = name_;
        symbol = symbol_;
    }

    function decimals() external pure returns (uint8) {
        revert("no decimals");
    }
}
