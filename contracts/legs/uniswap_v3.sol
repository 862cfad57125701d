// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV3Callbacks, IUniswapV3Pool} from "../interfaces/IUniswapV3Pool.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop, Payer} from "../lib/Hop.sol";
import {Transient} from "../lib/Transient.sol";

/// Uniswap V3 pools and their forks. Leg data: the pool (20 bytes), then the name of its call back (1 byte: 0 Uniswap's, 1 PancakeSwap's).
library UniswapV3Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 2;

    /// One inside the ends of TickMath's range: the swap runs until its input is used up or liquidity ends.
    uint160 private constant LOWEST_LIMIT = 4_295_128_740;
    uint160 private constant HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;

    error PoolInputUnfit(address pool, uint256 amountIn);
    error CallbackUnknown(uint256 name);
    error CallbackMalformed();

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        (address pool, uint256 name) = cursor.venueWith(hop.allowanceHolder, 1);
        bytes4 selector = callbackOf(name);
        if (hop.amountIn > uint256(type(int256).max)) revert PoolInputUnfit(pool, hop.amountIn);
        bool zeroForOne = hop.tokenIn < hop.tokenOut;
        Transient.expect(KIND, pool, selector, hop.tokenIn, hop.payer, hop.amountIn);
        Calls.send(
            pool,
            0,
            abi.encodeCall(IUniswapV3Pool.swap, (hop.receiver, zeroForOne, int256(hop.amountIn), zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT, ""))
        );
        return Transient.settle(pool);
    }

    /// Pays the pool what it asks for: the delta above zero. Which token that is, who pays and how much at most was fixed before the pool was called.
    function callback(address allowanceHolder) internal returns (bytes memory) {
        if (msg.data.length < 68) revert CallbackMalformed();
        int256 owed = int256(uint256(bytes32(msg.data[4:36])));
        if (owed <= 0) owed = int256(uint256(bytes32(msg.data[36:68])));
        uint256 asked = owed > 0 ? uint256(owed) : 0;
        (address token, address payer) = Transient.spend(asked);
        // A swap that finds no liquidity asks for nothing.
        if (asked > 0) Payer.pay(payer, allowanceHolder, token, msg.sender, asked);
        return "";
    }

    function callbackOf(uint256 name) private pure returns (bytes4) {
        if (name == 0) return IUniswapV3Callbacks.uniswapV3SwapCallback.selector;
        if (name == 1) return IUniswapV3Callbacks.pancakeV3SwapCallback.selector;
        revert CallbackUnknown(name);
    }
}
