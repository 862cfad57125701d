// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IAllowanceHolder {
    function exec(address target, address token, uint256 amount, bytes calldata payload) external;
    function transferFrom(address token, address owner, address to, uint256 amount) external;
}
