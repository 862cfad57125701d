// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPoolManager, IUnlockCallback, PoolKey} from "../interfaces/IPoolManager.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop} from "../lib/Hop.sol";
import {Transient} from "../lib/Transient.sol";
import {Unlocked} from "../lib/Unlocked.sol";

/// Uniswap V4 pools in a row within one unlocking: what lies between two of them is in the manager's accounts alone, and moves nowhere. Leg data: the pool manager (20 bytes), how many tokens lie between (1), then
/// the first pool, and of each further one the token before it (20, zero for native) and the pool. A pool is of its key the fee (3), the tick spacing (3) and the hooks (20). Hooks get no data.
library UniswapV4PathLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 9;

    uint256 internal constant POOL_BYTES = 26;
    uint256 private constant TOKEN_BYTES = 20;

    /// A pool after the first takes more or less than the one before it gave: of what lies between, nothing may be left.
    error PathBroken(address currency, uint256 given, uint256 taken);

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address manager = cursor.venue(hop.allowanceHolder);
        uint256 between = cursor.integer(1);
        return unlock(hop, manager, "", between, cursor.slice(POOL_BYTES + between * (TOKEN_BYTES + POOL_BYTES)));
    }

    /// `hookData`: what the hook of the last pool gets.
    function unlock(Hop memory hop, address manager, bytes memory hookData, uint256 between, bytes memory pools) internal returns (uint256 unspent) {
        Unlocked.requireFit(manager, hop.amountIn);
        // Nothing of what the leg tells itself through the manager says who pays, in which token or how much at most: that is in transient storage.
        bytes memory order = abi.encodePacked(
            hop.amountIn, hop.receiver, Unlocked.currencyOf(hop.tokenIn), Unlocked.currencyOf(hop.tokenOut), uint8(between), pools, hookData
        );
        Transient.expect(KIND, manager, IUnlockCallback.unlockCallback.selector, hop.tokenIn, hop.payer, hop.amountIn);
        Calls.send(manager, 0, abi.encodeCall(IPoolManager.unlock, (order)));
        return Transient.settle(manager);
    }

    /// In the unlocked manager: swaps from pool to pool, pays what the first one took, takes what the last one gave.
    function callback(address allowanceHolder) internal returns (bytes memory) {
        Cursor memory order = Cursor(Unlocked.ORDER_START, Unlocked.ORDER_START + uint256(bytes32(msg.data[Unlocked.ORDER_START - 32:])));
        uint256 amount = order.integer(32);
        address receiver = order.named();
        address currencyIn = order.named();
        address last = order.named();
        uint256 between = order.integer(1);
        uint256 owed;
        for (uint256 i = 0; i <= between; i++) {
            PoolKey memory key;
            // The fee, the tick spacing and the hooks by one read.
            uint256 pool = order.integer(POOL_BYTES);
            (key.fee, key.tickSpacing, key.hooks) = (uint24(pool >> 184), int24(uint24(pool >> 160)), address(uint160(pool)));
            address currencyOut = last;
            bytes memory hookData;
            // All that is left after the last pool.
            if (i == between) hookData = order.slice(order.end - order.position);
            else currencyOut = order.named();
            bool zeroForOne = currencyIn < currencyOut;
            (key.currency0, key.currency1) = zeroForOne ? (currencyIn, currencyOut) : (currencyOut, currencyIn);
            (uint256 taken, uint256 given) = Unlocked.swap(key, zeroForOne, amount, hookData);
            // What the first pool leaves is the payer's still, as with a hop alone.
            if (i == 0) owed = taken;
            else if (taken != amount) revert PathBroken(currencyIn, amount, taken);
            (currencyIn, amount) = (currencyOut, given);
        }
        Unlocked.close(allowanceHolder, owed, last, receiver, amount);
        return abi.encode("");
    }
}
