// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPoolManager, IUnlockCallback, PoolKey, SwapParams} from "../interfaces/IPoolManager.sol";
import {NATIVE} from "../lib/Addresses.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop, Payer} from "../lib/Hop.sol";
import {Transient} from "../lib/Transient.sol";

/// Uniswap V4 pools: of ERC-20s, and of the native token without wrapping. Leg data: the pool manager (20 bytes), then of the pool's key the fee (3), the
/// tick spacing (3) and the hooks (20). Hooks get no data.
library UniswapV4Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 4;

    /// One inside the ends of TickMath's range, as in Uniswap V3.
    uint160 private constant LOWEST_LIMIT = 4_295_128_740;
    uint160 private constant HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;
    /// Where the order begins in the data of the manager's call back: after the selector, the offset and the length.
    uint256 private constant ORDER_START = 68;

    error ManagerInputUnfit(address manager, uint256 amountIn);
    /// The pool pays for its input, or wants the output too: what hooks may bring about, and no route plans.
    error PoolDeltaUnfit(address manager, int256 delta);

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
        (address currencyIn, address currencyOut) = (currencyOf(hop.tokenIn), currencyOf(hop.tokenOut));
        order.zeroForOne = currencyIn < currencyOut;
        (order.key.currency0, order.key.currency1) = order.zeroForOne ? (currencyIn, currencyOut) : (currencyOut, currencyIn);
        order.key.fee = uint24(cursor.integer(3));
        order.key.tickSpacing = int24(uint24(cursor.integer(3)));
        order.key.hooks = cursor.named();
        if (hop.amountIn > uint256(type(int256).max)) revert ManagerInputUnfit(manager, hop.amountIn);
        (order.amountIn, order.receiver) = (hop.amountIn, hop.receiver);
        Transient.expect(KIND, manager, IUnlockCallback.unlockCallback.selector, hop.tokenIn, hop.payer, hop.amountIn);
        Calls.send(manager, 0, abi.encodeCall(IPoolManager.unlock, (abi.encode(order))));
        return Transient.settle(manager);
    }

    /// In the unlocked manager: swaps, pays what the swap came to cost, takes what it brought.
    function callback(address allowanceHolder) internal returns (bytes memory) {
        Order memory order = abi.decode(msg.data[ORDER_START:], (Order));
        SwapParams memory params = SwapParams(order.zeroForOne, -int256(order.amountIn), order.zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT);
        int256 delta = int256(Calls.sendForWord(msg.sender, abi.encodeCall(IPoolManager.swap, (order.key, params, ""))));
        (int256 deltaIn, int256 deltaOut) = (delta >> 128, int128(delta));
        if (!order.zeroForOne) (deltaIn, deltaOut) = (deltaOut, deltaIn);
        if (deltaIn > 0 || deltaOut < 0) revert PoolDeltaUnfit(msg.sender, delta);
        if (deltaIn < 0) settle(allowanceHolder, uint256(-deltaIn));
        address currencyOut = order.zeroForOne ? order.key.currency1 : order.key.currency0;
        if (deltaOut > 0) Calls.send(msg.sender, 0, abi.encodeCall(IPoolManager.take, (currencyOut, order.receiver, uint256(deltaOut))));
        return abi.encode("");
    }

    /// A currency is synced before it is paid, native included: somebody may have left another one synced.
    function settle(address allowanceHolder, uint256 owed) private {
        (address token, address payer) = Transient.spend(owed);
        Calls.send(msg.sender, 0, abi.encodeCall(IPoolManager.sync, (currencyOf(token))));
        if (token != NATIVE) Payer.pay(payer, allowanceHolder, token, msg.sender, owed);
        Calls.send(msg.sender, token == NATIVE ? owed : 0, abi.encodeCall(IPoolManager.settle, ()));
    }

    function currencyOf(address token) private pure returns (address) {
        return token == NATIVE ? address(0) : token;
    }
}
