// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "./PlainToken.sol";

interface IFactory {
    function feeAmountTickSpacing(uint24 fee) external view returns (int24);
    function enableFeeAmount(uint24 fee, int24 tickSpacing) external;
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address);
}

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data) external returns (uint256, uint256);
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 limit, bytes calldata data) external returns (int256, int256);
    /// The protocol's fee is a uint8 with Uniswap, a uint32 with PancakeSwap.
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint32, bool);
    function liquidity() external view returns (uint128);
    function ticks(int24 tick) external view returns (uint128, int128, uint256, uint256, int56, uint160, uint32, bool);
}

/// Asks the real UniswapV3Pool, or a fork's, for many swaps in one eth_call. Every call makes its pool anew; every swap runs in a frame that reverts with
/// what the pool did, so that each starts from the same state.
contract UniswapV3Oracle {
    struct Position {
        int24 lower;
        int24 upper;
        uint128 liquidity;
    }

    struct Swap {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 limit;
    }

    struct PoolSpec {
        uint24 fee;
        int24 tickSpacing;
        uint160 sqrtPriceX96;
        Position[] positions;
        Swap[] before;
    }

    struct TickState {
        int24 tick;
        uint128 gross;
        int128 net;
    }

    struct PoolState {
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
        TickState[] ticks;
    }

    struct Answer {
        bool ok;
        int256 amount0;
        int256 amount1;
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
    }

    error Outcome(int256 amount0, int256 amount1, uint160 sqrtPriceX96, int24 tick, uint128 liquidity);

    IFactory public immutable factory;
    PlainToken public immutable token0;
    PlainToken public immutable token1;
    IPool private pool;

    constructor(bytes memory factoryCode) {
        address made;
        assembly {
            made := create(0, add(factoryCode, 0x20), mload(factoryCode))
        }
        require(made != address(0), "the factory was not created");
        factory = IFactory(made);
        PlainToken a = new PlainToken();
        PlainToken b = new PlainToken();
        (token0, token1) = address(a) < address(b) ? (a, b) : (b, a);
    }

    /// The pool's state and its answers to `swaps`. Positions that the pool refuses are left out.
    function answer(PoolSpec calldata spec, Swap[] calldata swaps) external returns (PoolState memory state, Answer[] memory answers) {
        make(spec);
        state = read(spec);
        answers = new Answer[](swaps.length);
        for (uint256 i = 0; i < swaps.length; i++) {
            try this.attempt(swaps[i]) {}
            catch (bytes memory data) {
                answers[i] = decode(data);
            }
        }
    }

    /// The state of the pool that a transaction of `answer` left.
    function left(PoolSpec calldata spec) external view returns (PoolState memory) {
        return read(spec);
    }

    /// The gas that the pool's own function takes for a swap, call back included. In a call of its own every account and slot that the pool touches is cold,
    /// as for the first swap of a transaction.
    function spend(Swap calldata wanted) external returns (uint256 gas) {
        IPool asked = pool;
        gas = gasleft();
        asked.swap(address(this), wanted.zeroForOne, wanted.amountSpecified, wanted.limit, "");
        gas -= gasleft();
    }

    function attempt(Swap calldata wanted) external {
        (int256 amount0, int256 amount1) = pool.swap(address(this), wanted.zeroForOne, wanted.amountSpecified, wanted.limit, "");
        (uint160 sqrtPriceX96, int24 tick,,,,,) = pool.slot0();
        revert Outcome(amount0, amount1, sqrtPriceX96, tick, pool.liquidity());
    }

    function tryMint(Position calldata position) external {
        pool.mint(address(this), position.lower, position.upper, position.liquidity, "");
    }

    function trySwap(Swap calldata wanted) external {
        pool.swap(address(this), wanted.zeroForOne, wanted.amountSpecified, wanted.limit, "");
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        payBoth(amount0, amount1);
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        payBoth(amount0, amount1);
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        payOwed(amount0, amount1);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        payOwed(amount0, amount1);
    }

    function payBoth(uint256 amount0, uint256 amount1) private {
        token0.mint(msg.sender, amount0);
        token1.mint(msg.sender, amount1);
    }

    function payOwed(int256 amount0, int256 amount1) private {
        if (amount0 > 0) token0.mint(msg.sender, uint256(amount0));
        if (amount1 > 0) token1.mint(msg.sender, uint256(amount1));
    }

    function make(PoolSpec calldata spec) private {
        if (factory.feeAmountTickSpacing(spec.fee) == 0) factory.enableFeeAmount(spec.fee, spec.tickSpacing);
        require(factory.feeAmountTickSpacing(spec.fee) == spec.tickSpacing, "the fee belongs to another spacing");
        pool = IPool(factory.createPool(address(token0), address(token1), spec.fee));
        pool.initialize(spec.sqrtPriceX96);
        for (uint256 i = 0; i < spec.positions.length; i++) {
            try this.tryMint(spec.positions[i]) {} catch {}
        }
        for (uint256 i = 0; i < spec.before.length; i++) {
            try this.trySwap(spec.before[i]) {} catch {}
        }
    }

    function read(PoolSpec calldata spec) private view returns (PoolState memory state) {
        (state.sqrtPriceX96, state.tick,,,,,) = pool.slot0();
        state.liquidity = pool.liquidity();
        state.ticks = new TickState[](2 * spec.positions.length);
        for (uint256 i = 0; i < state.ticks.length; i++) {
            Position calldata position = spec.positions[i / 2];
            int24 tick = i % 2 == 0 ? position.lower : position.upper;
            (uint128 gross, int128 net,,,,,,) = pool.ticks(tick);
            state.ticks[i] = TickState(tick, gross, net);
        }
    }

    /// Anything but our own error is the pool's refusal.
    function decode(bytes memory data) private pure returns (Answer memory result) {
        if (data.length != 164 || bytes4(data) != Outcome.selector) return result;
        assembly {
            mstore(add(data, 0x04), 160)
            data := add(data, 0x04)
        }
        (result.amount0, result.amount1, result.sqrtPriceX96, result.tick, result.liquidity) =
            abi.decode(data, (int256, int256, uint160, int24, uint128));
        result.ok = true;
    }
}
