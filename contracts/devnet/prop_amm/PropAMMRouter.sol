// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

interface IMaker {
    function quote(address tokenIn, address tokenOut, uint256 amountIn) external returns (uint256 amountOut);
    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minAmountOut, address recipient, uint256 deadline)
        external
        returns (uint256 amountOut);
}

interface IFallback {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 deadline;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256 amountOut);
}

/// The router that makers stand behind, as far as the local chain needs it: who is listed, what a maker gives, a swap that goes to Uniswap V3 where the maker fills less than it has to, and a pause.
/// Anybody may list and pause here. No constructor: its code is put where it is on Ethereum.
contract PropAMMRouter {
    using SafeERC20 for IERC20;

    mapping(address venue => bool) public isWhitelistedVenue;
    bool public paused;
    address public fallbackSwapRouter;
    uint24 public fallbackFee;

    error UnknownVenue();
    error EnforcedPause();
    error Expired();
    error OnlySelf();
    error InsufficientOutput(uint256 least, uint256 amountOut);

    function addVenue(address venue) external {
        isWhitelistedVenue[venue] = true;
    }

    function removeVenue(address venue) external {
        isWhitelistedVenue[venue] = false;
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function setFallback(address router, uint24 fee) external {
        (fallbackSwapRouter, fallbackFee) = (router, fee);
    }

    function quoteVenueV1(address venue, address tokenIn, address tokenOut, uint256 amount) external returns (uint256 amountOut, address quotedVenue) {
        if (!isWhitelistedVenue[venue]) revert UnknownVenue();
        return (IMaker(venue).quote(tokenIn, tokenOut, amount), venue);
    }

    function swapViaVenueV1(
        address venue,
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 amountOutMin,
        address recipient,
        uint256 deadline
    ) external payable returns (uint256 amountOut, address executedVenue) {
        if (paused) revert EnforcedPause();
        if (!isWhitelistedVenue[venue]) revert UnknownVenue();
        if (block.timestamp > deadline) revert Expired();
        IERC20(tokenIn).safeTransferFrom(msg.sender, address(this), amountIn);
        uint256 held = IERC20(tokenOut).balanceOf(recipient);
        executedVenue = venue;
        try this.dispatch(venue, tokenIn, tokenOut, amountIn, amountOutMin, recipient, deadline) {}
        catch {
            if (fallbackSwapRouter == address(0)) revert InsufficientOutput(amountOutMin, 0);
            executedVenue = fallbackSwapRouter;
            IERC20(tokenIn).forceApprove(executedVenue, amountIn);
            IFallback(executedVenue).exactInputSingle(
                IFallback.ExactInputSingleParams(tokenIn, tokenOut, fallbackFee, recipient, deadline, amountIn, amountOutMin, 0)
            );
        }
        amountOut = IERC20(tokenOut).balanceOf(recipient) - held;
        if (amountOut < amountOutMin) revert InsufficientOutput(amountOutMin, amountOut);
    }

    function dispatch(
        address venue,
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 amountOutMin,
        address recipient,
        uint256 deadline
    ) external {
        if (msg.sender != address(this)) revert OnlySelf();
        uint256 held = IERC20(tokenOut).balanceOf(recipient);
        IERC20(tokenIn).safeTransfer(venue, amountIn);
        IMaker(venue).swap(tokenIn, tokenOut, amountIn, amountOutMin, recipient, deadline);
        uint256 amountOut = IERC20(tokenOut).balanceOf(recipient) - held;
        if (amountOut < amountOutMin) revert InsufficientOutput(amountOutMin, amountOut);
    }
}
