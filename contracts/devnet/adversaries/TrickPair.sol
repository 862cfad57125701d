// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "../../interfaces/IERC20.sol";

/// Says that it is a pair with such books, and in a swap sends what it was told to, to whom it was told to, whatever it is asked for. Then it makes a call, whose end it keeps.
contract TrickPair {
    uint112 private reserve0;
    uint112 private reserve1;
    address private token;
    uint256 private amount;
    address private target;
    bytes private input;
    bool public called;
    bytes public result;

    /// `target_` of zero: no call.
    function set(uint112 reserve0_, uint112 reserve1_, address token_, uint256 amount_, address target_, bytes calldata input_) external {
        (reserve0, reserve1, token, amount, target, input) = (reserve0_, reserve1_, token_, amount_, target_, input_);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, 0);
    }

    function swap(uint256, uint256, address to, bytes calldata) external {
        if (amount > 0) require(IERC20(token).transfer(to, amount), "not sent");
        if (target != address(0)) (called, result) = target.call(input);
    }
}
