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

    uint256 private constant POOL_BYTES = 26;
    uint256 private constant TOKEN_BYTES = 20;

    /// A pool after the first takes more or less than the one before it gave: of what lies between, nothing may be left.
    error PathBroken(address currency, uint256 given, uint256 taken);

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address manager = cursor.venue(hop.allowanceHolder);
        uint256 between = cursor.integer(1);
        bytes memory pools = cursor.slice(POOL_BYTES + between * (TOKEN_BYTES + POOL_BYTES));
        Unlocked.requireFit(manager, hop.amountIn);
        // Nothing of what the leg tells itself through the manager says who pays, in which token or how much at most: that is in transient storage.
        bytes memory order = abi.encodePacked(hop.amountIn, hop.receiver, Unlocked.currencyOf(hop.tokenIn), Unlocked.currencyOf(hop.tokenOut), uint8(between), pools);
        Transient.expect(KIND, manager, IUnlockCallback.unlockCallback.selector, hop.tokenIn, hop.payer, hop.amountIn);
        Calls.send(manager, 0, abi.encodeCall(IPoolManager.unlock, (order)));
        return Transient.settle(manager);
    }

    /// In the unlocked manager: swaps from pool to pool, pays what the first one took, takes what the last one gave.
    function callback(address allowanceHolder) internal returns (bytes memory) {
        Cursor memory order = Cursor(Unlocked.ORDER_START, msg.data.length);
        uint256 amount = order.integer(32);
        address receiver = order.named();
        address currencyIn = order.named();
        address last = order.named();
        uint256 between = order.integer(1);
        uint256 owed;
        for (uint256 i = 0; i <= between; i++) {
            PoolKey memory key;
            key.fee = uint24(order.integer(3));
            key.tickSpacing = int24(uint24(order.integer(3)));
            key.hooks = order.named();
            address currencyOut = i == between ? last : order.named();
            bool zeroForOne = currencyIn < currencyOut;
            (key.currency0, key.currency1) = zeroForOne ? (currencyIn, currencyOut) : (currencyOut, currencyIn);
            (uint256 taken, uint256 given) = Unlocked.swap(key, zeroForOne, amount);
            // What the first pool leaves is the payer's still, as with a hop alone.
            if (i == 0) owed = taken;
            else if (taken != amount) revert PathBroken(currencyIn, amount, taken);
            (currencyIn, amount) = (currencyOut, given);
        }
        Unlocked.close(allowanceHolder, owed, last, receiver, amount);
        return abi.encode("");
    }
}
