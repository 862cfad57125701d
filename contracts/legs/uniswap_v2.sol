// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop, Payer} from "../lib/Hop.sol";
import {Pairs} from "../lib/Pairs.sol";

/// Uniswap V2 pairs and their forks. Leg data: the pair (20 bytes), then 3 bytes: bit 23 tells to measure what reached the pair (a taxed input), the
/// others are the fee in millionths of the input.
library UniswapV2Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 1;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256) {
        (address pair, uint256 data) = cursor.venueWith(hop.allowanceHolder, 3);
        bool zeroForOne = hop.tokenIn < hop.tokenOut;
        (uint256 reserveIn, uint256 reserveOut) = Pairs.reserves(pair, zeroForOne);
        Payer.pay(hop.payer, hop.allowanceHolder, hop.tokenIn, pair, hop.amountIn);
        uint256 amountIn = hop.amountIn;
        if (data & Pairs.MEASURED != 0) amountIn = Pairs.unbooked(pair, hop.tokenIn, reserveIn);
        uint256 amountOut = Pairs.output(pair, amountIn, reserveIn, reserveOut, data);
        Calls.swapPair(pair, zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, hop.receiver);
        return 0;
    }
}
