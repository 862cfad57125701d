// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {TaxedToken} from "./TaxedToken.sol";

/// Its owner says at any time whether others may sell it to pools, and whether they may move it at all.
contract GuardedToken is TaxedToken {
    bool public isTrap;
    bool public isPaused;

    constructor(string memory name_, string memory symbol_, uint8) TaxedToken(name_, symbol_) {}

    function setGuard(bool trap, bool paused) external {
        require(msg.sender == owner, "not the owner");
        (isTrap, isPaused) = (trap, paused);
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!isPaused || from == owner, "paused");
        require(!isTrap || !isPool[to] || from == owner, "not for sale");
        super._move(from, to, value);
    }
}
