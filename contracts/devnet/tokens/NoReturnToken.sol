// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {DevnetToken} from "./DevnetToken.sol";

/// Behaves as USDT does on Ethereum: transfer, transferFrom and approve return nothing, and an allowance that is not zero
/// can be changed to zero only.
contract NoReturnToken is DevnetToken {
    string public name;
    string public symbol;
    uint256 public immutable decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        _approve(spender, value);
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _spend(from, value);
        _move(from, to, value);
    }
}
