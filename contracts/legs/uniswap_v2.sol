// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV2Pair} from "../interfaces/IUniswapV2Pair.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop, Payer} from "../lib/Hop.sol";
import {Tokens} from "../lib/Tokens.sol";

/// Uniswap V2 pairs and their forks. Leg data: the pair (20 bytes), then 3 bytes: bit 23 tells to measure what reached the pair (a taxed input), the
/// others are the fee in millionths of the input.
library UniswapV2Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 1;

    uint256 private constant MILLION = 1_000_000;
    uint256 private constant MEASURED = 1 << 23;

    error PairInputUnfit(address pair, uint256 amountIn);
    error PairFeeUnfit(uint256 feePpm);

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256) {
        (address pair, uint256 data) = cursor.venueWith(hop.allowanceHolder, 3);
        bool zeroForOne = hop.tokenIn < hop.tokenOut;
        (uint256 reserveIn, uint256 reserveOut) = reserves(pair, zeroForOne);
        Payer.pay(hop.payer, hop.allowanceHolder, hop.tokenIn, pair, hop.amountIn);
        uint256 amountIn = hop.amountIn;
        if (data & MEASURED != 0) {
            uint256 held = Tokens.balance(hop.tokenIn, pair);
            amountIn = held < reserveIn ? 0 : held - reserveIn;
        }
        uint256 amountOut = output(pair, amountIn, reserveIn, reserveOut, data & (MEASURED - 1));
        Calls.send(
            pair, 0, abi.encodeCall(IUniswapV2Pair.swap, (zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, hop.receiver, ""))
        );
        return 0;
    }

    function reserves(address pair, bool zeroForOne) private view returns (uint256 reserveIn, uint256 reserveOut) {
        (uint256 first, uint256 second) = Calls.readPair(pair, abi.encodeCall(IUniswapV2Pair.getReserves, ()));
        (first, second) = (uint112(first), uint112(second));
        return zeroForOne ? (first, second) : (second, first);
    }

    /// The router library's formula, floor(kept × reserveOut / (reserveIn × 10^6 + kept)). Below 2^112 and 10^6 no product exceeds 2^244.
    function output(address pair, uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 feePpm) private pure returns (uint256) {
        if (feePpm >= MILLION) revert PairFeeUnfit(feePpm);
        if (amountIn == 0 || amountIn > type(uint112).max) revert PairInputUnfit(pair, amountIn);
        unchecked {
            uint256 kept = amountIn * (MILLION - feePpm);
            return (kept * reserveOut) / (reserveIn * MILLION + kept);
        }
    }
}
