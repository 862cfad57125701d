// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {PancakeV2Factory} from "./PancakeV2Factory.sol";
import {PancakeV2Pair} from "./PancakeV2Pair.sol";

/// What traders and providers of the local chain need of PancakeSwap's V2 router, by its signatures, and its two published formulas.
contract PancakeV2Router {
    using SafeERC20 for IERC20;

    uint256 private constant BASE = 10_000;
    uint256 private constant KEPT = 9975;

    PancakeV2Factory public immutable factory;

    constructor(PancakeV2Factory factory_) {
        factory = factory_;
    }

    /// Adds as much of both as keeps the pair's price; the pair is made where there is none.
    function addLiquidity(address one, address other, uint256 most, uint256 mostOther, uint256 least, uint256 leastOther, address to, uint256 deadline)
        external
        returns (uint256 amount, uint256 amountOther, uint256 liquidity)
    {
        requireInTime(deadline);
        address pair = factory.getPair(one, other);
        if (pair == address(0)) pair = factory.createPair(one, other);
        (amount, amountOther) = fitting(PancakeV2Pair(pair), one < other, most, mostOther);
        require(amount >= least && amountOther >= leastOther, "PancakeRouter: INSUFFICIENT_AMOUNT");
        IERC20(one).safeTransferFrom(msg.sender, pair, amount);
        IERC20(other).safeTransferFrom(msg.sender, pair, amountOther);
        liquidity = PancakeV2Pair(pair).mint(to);
    }

    function fitting(PancakeV2Pair pair, bool inOrder, uint256 most, uint256 mostOther) private view returns (uint256, uint256) {
        (uint256 reserve, uint256 reserveOther) = reserves(pair, inOrder);
        if (reserve == 0) return (most, mostOther);
        uint256 amountOther = (most * reserveOther) / reserve;
        return amountOther <= mostOther ? (most, amountOther) : ((mostOther * reserve) / reserveOther, mostOther);
    }

    function removeLiquidity(address one, address other, uint256 liquidity, uint256 least, uint256 leastOther, address to, uint256 deadline)
        external
        returns (uint256 amount, uint256 amountOther)
    {
        requireInTime(deadline);
        PancakeV2Pair pair = PancakeV2Pair(factory.getPair(one, other));
        IERC20(address(pair)).safeTransferFrom(msg.sender, address(pair), liquidity);
        (amount, amountOther) = pair.burn(to);
        if (one > other) (amount, amountOther) = (amountOther, amount);
        require(amount >= least && amountOther >= leastOther, "PancakeRouter: INSUFFICIENT_AMOUNT");
    }

    function swapExactTokensForTokens(uint256 amountIn, uint256 least, address[] calldata path, address to, uint256 deadline)
        external
        returns (uint256[] memory amounts)
    {
        requireInTime(deadline);
        amounts = new uint256[](path.length);
        amounts[0] = amountIn;
        IERC20(path[0]).safeTransferFrom(msg.sender, factory.getPair(path[0], path[1]), amountIn);
        for (uint256 i = 1; i < path.length; i++) {
            address receiver = i + 1 < path.length ? factory.getPair(path[i], path[i + 1]) : to;
            amounts[i] = swapPaid(path[i - 1], path[i], amounts[i - 1], receiver);
        }
        require(amounts[path.length - 1] >= least, "PancakeRouter: INSUFFICIENT_OUTPUT_AMOUNT");
    }

    /// The pair has its input already.
    function swapPaid(address tokenIn, address tokenOut, uint256 amountIn, address receiver) private returns (uint256 amountOut) {
        PancakeV2Pair pair = PancakeV2Pair(factory.getPair(tokenIn, tokenOut));
        bool zeroForOne = tokenIn < tokenOut;
        (uint256 reserveIn, uint256 reserveOut) = reserves(pair, zeroForOne);
        amountOut = getAmountOut(amountIn, reserveIn, reserveOut);
        pair.swap(zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, receiver, "");
    }

    function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) public pure returns (uint256) {
        require(amountIn > 0 && reserveIn > 0 && reserveOut > 0, "PancakeLibrary: INSUFFICIENT");
        uint256 kept = amountIn * KEPT;
        return (kept * reserveOut) / (reserveIn * BASE + kept);
    }

    function getAmountIn(uint256 amountOut, uint256 reserveIn, uint256 reserveOut) public pure returns (uint256) {
        require(amountOut > 0 && reserveIn > 0 && reserveOut > 0, "PancakeLibrary: INSUFFICIENT");
        return (reserveIn * amountOut * BASE) / ((reserveOut - amountOut) * KEPT) + 1;
    }

    function reserves(PancakeV2Pair pair, bool inOrder) private view returns (uint256, uint256) {
        (uint256 reserve0, uint256 reserve1,) = pair.getReserves();
        return inOrder ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    function requireInTime(uint256 deadline) private view {
        require(block.timestamp <= deadline, "PancakeRouter: EXPIRED");
    }
}
