// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IV4Manager} from "../interfaces/IV4Manager.sol";
import {PlainToken} from "./PlainToken.sol";

/// Asks the real PoolManager for many swaps in one eth_call. Every call makes its pool anew within one unlock, which ends in a revert that carries the answers: so nothing needs to be paid, and nothing
/// is left. Every swap runs in a frame of its own that reverts with what it did, its input settled, so that each starts from the same state.
contract UniswapV4Oracle {
    struct Position {
        int24 lower;
        int24 upper;
        uint128 liquidity;
    }

    /// `amountSpecified` above zero: an exact input, as with Uniswap V3.
    struct Swap {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 limit;
    }

    /// `setUp`: what the hook is told of its pool before anything moves; nothing where it is empty.
    struct PoolSpec {
        uint24 fee;
        int24 tickSpacing;
        uint160 sqrtPriceX96;
        address hooks;
        uint24 protocolFee;
        bytes setUp;
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
        uint24 protocolFee;
        uint24 lpFee;
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
    error Answers(bytes encoded);

    uint256 private constant POOLS_SLOT = 6;

    IV4Manager public immutable manager;
    PlainToken public immutable token0;
    PlainToken public immutable token1;

    constructor(bytes memory managerCode) {
        bytes memory code = abi.encodePacked(managerCode, abi.encode(address(this)));
        address made;
        assembly {
            made := create(0, add(code, 0x20), mload(code))
        }
        require(made != address(0), "the manager was not created");
        manager = IV4Manager(made);
        manager.setProtocolFeeController(address(this));
        PlainToken a = new PlainToken();
        PlainToken b = new PlainToken();
        (token0, token1) = address(a) < address(b) ? (a, b) : (b, a);
    }

    /// The pool's state and its answers to `swaps`. Positions that the pool refuses are left out.
    function answer(PoolSpec calldata spec, Swap[] calldata swaps) external returns (PoolState memory, Answer[] memory) {
        try manager.unlock(abi.encode(spec, swaps)) {
            revert("the unlock did not end");
        } catch (bytes memory data) {
            require(bytes4(data) == Answers.selector, "the pool was not made");
            assembly {
                mstore(add(data, 0x04), sub(mload(data), 0x04))
                data := add(data, 0x04)
            }
            return abi.decode(abi.decode(data, (bytes)), (PoolState, Answer[]));
        }
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (PoolSpec memory spec, Swap[] memory swaps) = abi.decode(data, (PoolSpec, Swap[]));
        IV4Manager.PoolKey memory key = keyOf(spec);
        make(key, spec);
        PoolState memory state = read(key, spec);
        Answer[] memory answers = new Answer[](swaps.length);
        for (uint256 i = 0; i < swaps.length; i++) {
            try this.attempt(key, swaps[i]) {}
            catch (bytes memory reason) {
                answers[i] = decode(reason);
            }
        }
        revert Answers(abi.encode(state, answers));
    }

    function attempt(IV4Manager.PoolKey memory key, Swap calldata wanted) external {
        int256 delta = swap(key, wanted);
        (int256 amount0, int256 amount1) = (delta >> 128, int256(int128(delta)));
        pay(token0, amount0);
        pay(token1, amount1);
        (uint160 sqrtPriceX96, int24 tick,,) = slot0Of(key);
        revert Outcome(amount0, amount1, sqrtPriceX96, tick, liquidityOf(key));
    }

    function trySwap(IV4Manager.PoolKey memory key, Swap calldata wanted) external {
        swap(key, wanted);
    }

    function tryAdd(IV4Manager.PoolKey memory key, Position calldata position) external {
        IV4Manager.ModifyLiquidityParams memory params =
            IV4Manager.ModifyLiquidityParams(position.lower, position.upper, int256(uint256(position.liquidity)), 0);
        manager.modifyLiquidity(key, params, "");
    }

    function swap(IV4Manager.PoolKey memory key, Swap calldata wanted) private returns (int256) {
        return manager.swap(key, IV4Manager.SwapParams(wanted.zeroForOne, -wanted.amountSpecified, wanted.limit), "");
    }

    function pay(PlainToken token, int256 amount) private {
        if (amount >= 0) return;
        manager.sync(address(token));
        token.mint(address(manager), uint256(-amount));
        manager.settle();
    }

    function keyOf(PoolSpec memory spec) private view returns (IV4Manager.PoolKey memory) {
        return IV4Manager.PoolKey(address(token0), address(token1), spec.fee, spec.tickSpacing, spec.hooks);
    }

    function make(IV4Manager.PoolKey memory key, PoolSpec memory spec) private {
        manager.initialize(key, spec.sqrtPriceX96);
        if (spec.protocolFee > 0) manager.setProtocolFee(key, spec.protocolFee);
        if (spec.setUp.length > 0) {
            (bool done,) = spec.hooks.call(spec.setUp);
            require(done, "the hook refused its setting up");
        }
        for (uint256 i = 0; i < spec.positions.length; i++) {
            try this.tryAdd(key, spec.positions[i]) {} catch {}
        }
        for (uint256 i = 0; i < spec.before.length; i++) {
            try this.trySwap(key, spec.before[i]) {} catch {}
        }
    }

    function read(IV4Manager.PoolKey memory key, PoolSpec memory spec) private view returns (PoolState memory state) {
        (state.sqrtPriceX96, state.tick, state.protocolFee, state.lpFee) = slot0Of(key);
        state.liquidity = liquidityOf(key);
        state.ticks = new TickState[](2 * spec.positions.length);
        for (uint256 i = 0; i < state.ticks.length; i++) {
            Position memory position = spec.positions[i / 2];
            int24 tick = i % 2 == 0 ? position.lower : position.upper;
            uint256 word = uint256(manager.extsload(keccak256(abi.encode(int256(tick), placeOf(key) + 4))));
            state.ticks[i] = TickState(tick, uint128(word), int128(int256(word) >> 128));
        }
    }

    function slot0Of(IV4Manager.PoolKey memory key) private view returns (uint160, int24, uint24, uint24) {
        uint256 word = uint256(manager.extsload(bytes32(placeOf(key))));
        return (uint160(word), int24(uint24(word >> 160)), uint24(word >> 184), uint24(word >> 208));
    }

    function liquidityOf(IV4Manager.PoolKey memory key) private view returns (uint128) {
        return uint128(uint256(manager.extsload(bytes32(placeOf(key) + 3))));
    }

    function placeOf(IV4Manager.PoolKey memory key) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(keccak256(abi.encode(key)), POOLS_SLOT)));
    }

    /// Anything but our own error is the manager's refusal.
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
