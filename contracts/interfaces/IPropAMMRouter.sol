// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The router that proprietary market makers stand behind.
interface IPropAMMRouter {
    /// Pulls `amountIn` from the caller and has the maker fill it; fills it at Uniswap V3 where the maker gives less than `amountOutMin`, and reverts where that does too.
    function swapViaVenueV1(
        address venue,
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 amountOutMin,
        address recipient,
        uint256 deadline
    ) external payable returns (uint256 amountOut, address executedVenue);
}
