// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPoolManager, IUnlockCallback, PoolKey} from "../interfaces/IPoolManager.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop} from "../lib/Hop.sol";
import {Transient} from "../lib/Transient.sol";
import {Unlocked} from "../lib/Unlocked.sol";

/// Uniswap V4 pools: of ERC-20s, and of the native token without wrapping. Leg data: the pool manager (20 bytes), then of the pool's key the fee (3), the
/// tick spacing (3) and the hooks (20). Hooks get no data.
library UniswapV4Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 4;

    /// What the leg tells itself through the manager. Nothing in it says who pays, in which token or how much at most: that is in transient storage.
    struct Order {
        PoolKey key;
        bool zeroForOne;
        uint256 amountIn;
        address receiver;
    }

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address manager = cursor.venue(hop.allowanceHolder);
        Order memory order;
        (address currencyIn, address currencyOut) = (Unlocked.currencyOf(hop.tokenIn), Unlocked.currencyOf(hop.tokenOut));
        order.zeroForOne = currencyIn < currencyOut;
        (order.key.currency0, order.key.currency1) = order.zeroForOne ? (currencyIn, currencyOut) : (currencyOut, currencyIn);
        order.key.fee = uint24(cursor.integer(3));
        order.key.tickSpacing = int24(uint24(cursor.integer(3)));
        order.key.hooks = cursor.named();
        Unlocked.requireFit(manager, hop.amountIn);
        (order.amountIn, order.receiver) = (hop.amountIn, hop.receiver);
        Transient.expect(KIND, manager, IUnlockCallback.unlockCallback.selector, hop.tokenIn, hop.payer, hop.amountIn);
        Calls.send(manager, 0, abi.encodeCall(IPoolManager.unlock, (abi.encode(order))));
        return Transient.settle(manager);
    }

    /// In the unlocked manager: swaps, pays what the swap came to cost, takes what it brought.
    function callback(address allowanceHolder) internal returns (bytes memory) {
        Order memory order = abi.decode(msg.data[Unlocked.ORDER_START:], (Order));
        (uint256 taken, uint256 given) = Unlocked.swap(order.key, order.zeroForOne, order.amountIn);
        Unlocked.close(allowanceHolder, taken, order.zeroForOne ? order.key.currency1 : order.key.currency0, order.receiver, given);
        return abi.encode("");
    }
}
