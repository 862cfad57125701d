// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IV4Manager} from "../interfaces/IV4Manager.sol";

/// A hook that is asked only before liquidity is added, and counts. Its address has to end in the bits 0x0800.
contract PassiveHook {
    uint256 public added;

    function beforeAddLiquidity(address, IV4Manager.PoolKey calldata, IV4Manager.ModifyLiquidityParams calldata, bytes calldata)
        external
        returns (bytes4)
    {
        added++;
        return this.beforeAddLiquidity.selector;
    }
}
