// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IHookManager} from "./IHookManager.sol";

/// A hook that is asked only before liquidity is added, and counts. Its address has to end in the bits 0x0800.
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
