// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface ISeededFactories {
    function createPair(address one, address other) external returns (address);
    function createPool(address one, address other, uint24 fee) external returns (address);
}

interface ISeededPair {
    function mint(address to) external;
}

interface ISeededPool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data) external returns (uint256, uint256);
    function token0() external view returns (address);
    function token1() external view returns (address);
}

interface ITransfer {
    function transfer(address to, uint256 value) external;
}

/// Makes a V2 pair and a V3 pool of two tokens and fills them from what it was sent.
contract PoolSeeder {
    mapping(address => mapping(address => address)) public pairOf;
    mapping(address => mapping(address => address)) public poolOf;
    /// Of the first against the second, without liquidity at its price.
    mapping(address => mapping(address => address)) public dryPoolOf;

    function seedPair(ISeededFactories factory, address one, address other, uint256 depth) external {
        address pair = factory.createPair(one, other);
        ITransfer(one).transfer(pair, depth);
        ITransfer(other).transfer(pair, depth);
        ISeededPair(pair).mint(address(this));
        (pairOf[one][other], pairOf[other][one]) = (pair, pair);
    }

    function seedPool(ISeededFactories factory, address one, address other, uint256 depth) external {
        ISeededPool pool = ISeededPool(factory.createPool(one, other, 3000));
        pool.initialize(2 ** 96);
        pool.mint(address(this), -6000, 6000, uint128(depth), "");
        (poolOf[one][other], poolOf[other][one]) = (address(pool), address(pool));
    }

    /// A V3 pool where so much of the first, or nothing, is for sale above its price.
    function seedDryPool(ISeededFactories factory, address one, address other, uint256 depth) external {
        ISeededPool pool = ISeededPool(factory.createPool(one, other, 10_000));
        pool.initialize(2 ** 96);
        (int24 lower, int24 upper) = pool.token0() == one ? (int24(200), int24(6000)) : (int24(-6000), int24(-200));
        if (depth > 0) pool.mint(address(this), lower, upper, uint128(depth), "");
        dryPoolOf[one][other] = address(pool);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        if (amount0 > 0) ITransfer(ISeededPool(msg.sender).token0()).transfer(msg.sender, amount0);
        if (amount1 > 0) ITransfer(ISeededPool(msg.sender).token1()).transfer(msg.sender, amount1);
    }
}
