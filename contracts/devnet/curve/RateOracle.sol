// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Says what a coin is worth, with 18 decimals: what its owner last said.
contract RateOracle {
    address public immutable owner;
    uint256 public rate = 10 ** 18;

    constructor() {
        owner = msg.sender;
    }

    function set(uint256 rate_) external {
        require(msg.sender == owner, "owner only");
        rate = rate_;
    }
}
