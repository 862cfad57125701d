// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ReturningToken} from "../tokens/DevnetToken.sol";

/// Moves like any other, and says of itself what nobody can use: decimals of any size, a name and a symbol of a megabyte of control and right-to-left characters.
contract LoudToken is ReturningToken {
    uint256 public immutable decimals;

    constructor(uint256 decimals_) {
        decimals = decimals_;
    }

    function symbol() external pure returns (string memory text) {
        // U+202E in UTF-8, escape, newline, quote, again and again; then zeros.
        bytes3 noise = 0xe280ae;
        bytes memory loud = new bytes(1_000_000);
        for (uint256 i = 0; i < 24_000; i += 6) {
            (loud[i], loud[i + 1], loud[i + 2]) = (noise[0], noise[1], noise[2]);
            (loud[i + 3], loud[i + 4], loud[i + 5]) = (0x1b, 0x0a, 0x22);
        }
        return string(loud);
    }

    function name() external view returns (string memory) {
        return this.symbol();
    }
}
