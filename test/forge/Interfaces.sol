// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IHolder {
    error GrantTooSmall(address target, address owner, address token, uint256 amount, uint256 granted);

    function exec(address target, address token, uint256 amount, bytes calldata payload) external;
    function transferFrom(address token, address owner, address to, uint256 amount) external;
}

interface IRouter {
    error BelowMinimum(uint256 received, uint256 minimum);

    function swap(bytes calldata payload) external payable;
    function swapPermit2(bytes calldata payload) external;
    function executeFrom(address owner, bytes calldata payload) external returns (bytes4);
}

interface IV2Router {
    function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) external pure returns (uint256);
}

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
}

interface IPool {
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external returns (int256, int256);
}
