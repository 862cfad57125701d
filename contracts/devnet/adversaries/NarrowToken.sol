// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ReturningToken} from "../tokens/DevnetToken.sol";

/// A token that moves neither nothing nor more than 96 bits hold, as some governance tokens and some old ones.
contract NarrowToken is ReturningToken {
    error Unfit(uint256 value);

    function _move(address from, address to, uint256 value) internal override {
        if (value == 0 || value > type(uint96).max) revert Unfit(value);
        super._move(from, to, value);
    }
}
