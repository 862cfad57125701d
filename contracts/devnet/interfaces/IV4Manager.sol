// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Uniswap V4's PoolManager as the devnet's hooks and the oracle see it, written down apart from what the settlement contracts go by.
interface IV4Manager {
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

    function setProtocolFeeController(address controller) external;
    function setProtocolFee(PoolKey memory key, uint24 fee) external;
    function updateDynamicLPFee(PoolKey calldata key, uint24 fee) external;
    function unlock(bytes calldata data) external returns (bytes memory);
    function initialize(PoolKey memory key, uint160 sqrtPriceX96) external returns (int24);
    function modifyLiquidity(PoolKey memory key, ModifyLiquidityParams memory params, bytes calldata data) external returns (int256, int256);
    function swap(PoolKey memory key, SwapParams memory params, bytes calldata data) external returns (int256);
    function mint(address to, uint256 id, uint256 amount) external;
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function extsload(bytes32 slot) external view returns (bytes32);
}
