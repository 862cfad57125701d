// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPoolManager, PoolKey, SwapParams} from "../interfaces/IPoolManager.sol";
import {NATIVE} from "./Addresses.sol";
import {Calls} from "./Calls.sol";
import {Payer} from "./Hop.sol";
import {Transient} from "./Transient.sol";

/// What legs of Uniswap V4 do in the call back of the manager that they unlocked, which is the caller. The manager keeps an account for each currency, and lets the unlocking end only where all are at zero.
library Unlocked {
    /// One inside the ends of TickMath's range, as in Uniswap V3.
    uint160 private constant LOWEST_LIMIT = 4_295_128_740;
    uint160 private constant HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;
    /// Where the order begins in the data of the manager's call back: after the selector, the offset and the length.
    uint256 internal constant ORDER_START = 68;

    error ManagerInputUnfit(address manager, uint256 amountIn);
    /// The pool pays for its input, or wants the output too: what hooks may bring about, and no route plans.
    error PoolDeltaUnfit(address manager, int256 delta);

    /// An exact input: what the pool took of it, and what it gave. Both are in the accounts, and nothing has moved. `hookData`: for the pool's hook.
    function swap(PoolKey memory key, bool zeroForOne, uint256 amountIn, bytes memory hookData) internal returns (uint256 taken, uint256 given) {
        SwapParams memory params = SwapParams(zeroForOne, -int256(amountIn), zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT);
        int256 delta = int256(Calls.sendForWord(msg.sender, abi.encodeCall(IPoolManager.swap, (key, params, hookData))));
        (int256 deltaIn, int256 deltaOut) = (delta >> 128, int128(delta));
        if (!zeroForOne) (deltaIn, deltaOut) = (deltaOut, deltaIn);
        if (deltaIn > 0 || deltaOut < 0) revert PoolDeltaUnfit(msg.sender, delta);
        return (uint256(-deltaIn), uint256(deltaOut));
    }

    /// Pays what the hop's token owes, out of what the hop may spend, and takes what the swaps brought. A currency is synced before it is paid, native included: somebody may have left another one synced.
    function close(address allowanceHolder, uint256 owed, address currencyOut, address receiver, uint256 brought) internal {
        if (owed > 0) {
            (address token, address payer) = Transient.spend(owed);
            Calls.send(msg.sender, 0, abi.encodeCall(IPoolManager.sync, (currencyOf(token))));
            if (token != NATIVE) Payer.pay(payer, allowanceHolder, token, msg.sender, owed);
            Calls.send(msg.sender, token == NATIVE ? owed : 0, abi.encodeCall(IPoolManager.settle, ()));
        }
        if (brought > 0) Calls.send(msg.sender, 0, abi.encodeCall(IPoolManager.take, (currencyOut, receiver, brought)));
    }

    /// The manager's name of the native token is zero.
    function currencyOf(address token) internal pure returns (address) {
        return token == NATIVE ? address(0) : token;
    }

    /// A swap of the manager takes a signed amount.
    function requireFit(address manager, uint256 amountIn) internal pure {
        if (amountIn > uint256(type(int256).max)) revert ManagerInputUnfit(manager, amountIn);
    }
}
