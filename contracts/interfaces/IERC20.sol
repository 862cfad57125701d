// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Selectors only: real tokens return true, nothing or something else, so every call goes through lib/Tokens.sol.
interface IERC20 {
    function balanceOf(address account) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
