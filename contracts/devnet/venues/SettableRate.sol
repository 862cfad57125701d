// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A rate provider whose owner says what the rate is, 18 decimals, and whether it can be asked at all.
contract SettableRate {
    address public immutable owner;
    uint256 private rate;
    bool private silent;

    error Silent();

    constructor() {
        owner = msg.sender;
    }

    function set(uint256 rate_, bool silent_) external {
        require(msg.sender == owner, "not the owner");
        (rate, silent) = (rate_, silent_);
    }

    function getRate() external view returns (uint256) {
        if (silent) revert Silent();
        return rate;
    }
}
