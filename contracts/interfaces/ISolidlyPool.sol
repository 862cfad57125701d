// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface ISolidlyPool {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}
