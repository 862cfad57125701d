// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What hooks of the devnet see of the PoolManager, which is whoever calls them.
interface IHookManager {
    struct PoolKey {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    /// `amountSpecified` below zero: an exact input.
    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    struct ModifyLiquidityParams {
        int24 tickLower;
        int24 tickUpper;
        int256 liquidityDelta;
        bytes32 salt;
    }

    function updateDynamicLPFee(PoolKey calldata key, uint24 fee) external;
    function mint(address to, uint256 id, uint256 amount) external;
}
