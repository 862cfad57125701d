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
    /// The last that was placed.
    address public placed;
    /// Base units that are paid to V3 pools beyond what they ask for: of tokens of which some are lost on the way.
    uint256 public lostOnTheWay;

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

    /// A V3 pool at a price of the first in the second, given by its root in 2^96, with so much liquidity between two ticks of that price, or none.
    function placePool(ISeededFactories factory, address one, address other, uint24 fee, uint160 root, int24 lower, int24 upper, uint128 liquidity)
        external
    {
        ISeededPool pool = ISeededPool(factory.createPool(one, other, fee));
        bool isFirst = pool.token0() == one;
        pool.initialize(isFirst ? root : uint160(2 ** 192 / uint256(root)));
        if (liquidity > 0) pool.mint(address(this), isFirst ? lower : -upper, isFirst ? upper : -lower, liquidity, "");
        placed = address(pool);
    }

    /// A V2 pair of amounts of each.
    function placePair(ISeededFactories factory, address one, address other, uint256 ofOne, uint256 ofOther) external {
        placed = factory.createPair(one, other);
        ITransfer(one).transfer(placed, ofOne);
        ITransfer(other).transfer(placed, ofOther);
        ISeededPair(placed).mint(address(this));
    }

    function setLostOnTheWay(uint256 units) external {
        lostOnTheWay = units;
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        if (amount0 > 0) ITransfer(ISeededPool(msg.sender).token0()).transfer(msg.sender, amount0 + lostOnTheWay);
        if (amount1 > 0) ITransfer(ISeededPool(msg.sender).token1()).transfer(msg.sender, amount1 + lostOnTheWay);
    }
}
