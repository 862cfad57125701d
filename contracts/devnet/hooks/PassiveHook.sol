// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IHookManager} from "./IHookManager.sol";

/// A hook that is asked only before liquidity is added, and counts. Its address ends in 0800. It has no constructor, so that its code can be placed.
contract PassiveHook {
    uint256 public added;

    function beforeAddLiquidity(address, IHookManager.PoolKey calldata, IHookManager.ModifyLiquidityParams calldata, bytes calldata)
        external
        returns (bytes4)
    {
        added++;
        return this.beforeAddLiquidity.selector;
    }
}
