// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop, Payer} from "../lib/Hop.sol";
import {Pairs} from "../lib/Pairs.sol";

/// Uniswap V2 pairs and their forks in a row: each sends its output to the next one itself, and what lies between never comes to the Router. Leg data: the first pair (20 bytes) and of it the 3 bytes that legs/uniswap_v2.sol has, how
/// many tokens lie between (1), then of each further pair the token before it (20), the pair (20) and its 3 bytes.
library UniswapV2PathLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 10;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256) {
        (address pair, uint256 data) = cursor.venueWith(hop.allowanceHolder, 4);
        uint256 between = uint8(data);
        data >>= 8;
        address tokenIn = hop.tokenIn;
        uint256 amount = hop.amountIn;
        Payer.pay(hop.payer, hop.allowanceHolder, tokenIn, pair, amount);
        for (; between > 0; between--) {
            address tokenOut = cursor.named();
            (address next, uint256 nextData) = cursor.venueWith(hop.allowanceHolder, 3);
            amount = sell(pair, data, tokenIn, tokenOut, amount, next);
            (pair, data, tokenIn) = (next, nextData, tokenOut);
        }
        sell(pair, data, tokenIn, hop.tokenOut, amount, hop.receiver);
        return 0;
    }

    /// Sells what was sent to a pair, and gives what the pair is told to send on. It is priced when it has come, by the pair's books of that moment, and nothing is called between that and the swap. Whether it has come the pair itself
    /// holds against its books: one that got less refuses, unless it is measured here, and then no more than came is sold. What lay in the pair before is nobody's input: it counts for nothing above what was sent.
    function sell(address pair, uint256 data, address tokenIn, address tokenOut, uint256 sent, address receiver) private returns (uint256 amountOut) {
        bool zeroForOne = tokenIn < tokenOut;
        (uint256 reserveIn, uint256 reserveOut) = Pairs.reserves(pair, zeroForOne);
        if (data & Pairs.MEASURED != 0) {
            uint256 came = Pairs.unbooked(pair, tokenIn, reserveIn);
            if (came < sent) sent = came;
        }
        amountOut = Pairs.output(pair, sent, reserveIn, reserveOut, data);
        Calls.swapPair(pair, zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, receiver);
    }
}
