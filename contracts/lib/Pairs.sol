// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV2Pair} from "../interfaces/IUniswapV2Pair.sol";
import {Calls} from "./Calls.sol";
import {Tokens} from "./Tokens.sol";

/// What legs of Uniswap V2 pairs and their forks share. Of each pair calldata has 3 bytes: bit 23 tells to measure what reached it, the others are its fee in millionths of the input.
library Pairs {
    uint256 internal constant MEASURED = 1 << 23;

    uint256 private constant MILLION = 1_000_000;

    error PairInputUnfit(address pair, uint256 amountIn);
    error PairFeeUnfit(uint256 feePpm);

    function reserves(address pair, bool zeroForOne) internal view returns (uint256 reserveIn, uint256 reserveOut) {
        (uint256 first, uint256 second) = Calls.readPair(pair, IUniswapV2Pair.getReserves.selector);
        (first, second) = (uint112(first), uint112(second));
        return zeroForOne ? (first, second) : (second, first);
    }

    /// What a pair has of a token beyond its books: what it takes for the input of a swap.
    function unbooked(address pair, address token, uint256 reserve) internal view returns (uint256) {
        uint256 held = Tokens.balance(token, pair);
        unchecked {
            return held < reserve ? 0 : held - reserve;
        }
    }

    /// The router library's formula, floor(kept × reserveOut / (reserveIn × 10^6 + kept)). Below 2^112 and 10^6 no product exceeds 2^244. `data`: the 3 bytes of the pair.
    function output(address pair, uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 data) internal pure returns (uint256) {
        uint256 feePpm = data & (MEASURED - 1);
        if (feePpm >= MILLION) revert PairFeeUnfit(feePpm);
        if (amountIn == 0 || amountIn > type(uint112).max) revert PairInputUnfit(pair, amountIn);
        unchecked {
            uint256 kept = amountIn * (MILLION - feePpm);
            return (kept * reserveOut) / (reserveIn * MILLION + kept);
        }
    }
}
