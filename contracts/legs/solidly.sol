// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISolidlyPool} from "../interfaces/ISolidlyPool.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop, Payer} from "../lib/Hop.sol";

/// Solidly's volatile and stable pools (Velodrome, Aerodrome). Leg data: the pool (20 bytes). The pool's own view prices the swap, by the fee of the moment: what it promises
/// too much its invariant refuses.
library SolidlyLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 5;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256) {
        address pool = cursor.venue(hop.allowanceHolder);
        Payer.pay(hop.payer, hop.allowanceHolder, hop.tokenIn, pool, hop.amountIn);
        uint256 amountOut = Calls.readWord(pool, abi.encodeCall(ISolidlyPool.getAmountOut, (hop.amountIn, hop.tokenIn)));
        bool zeroForOne = hop.tokenIn < hop.tokenOut;
        Calls.send(pool, 0, abi.encodeCall(ISolidlyPool.swap, (zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, hop.receiver, "")));
        return 0;
    }
}
