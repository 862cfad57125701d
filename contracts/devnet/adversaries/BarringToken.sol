// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {DevnetToken} from "../tokens/DevnetToken.sol";

/// A token that moves nothing to one account: it reverts, or says false, as its deployer chose.
contract BarringToken is DevnetToken {
    address private immutable barred;
    bool private immutable saysFalse;

    constructor(address barred_, bool saysFalse_) {
        (barred, saysFalse) = (barred_, saysFalse_);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (refuses(to)) return false;
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (refuses(to)) return false;
        _spend(from, value);
        _move(from, to, value);
        return true;
    }

    function refuses(address to) private view returns (bool) {
        if (to != barred) return false;
        require(saysFalse, "barred");
        return true;
    }
}
