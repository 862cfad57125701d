// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPoolManager, IUnlockCallback, PoolKey, SwapParams} from "../../contracts/interfaces/IPoolManager.sol";
import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {Order} from "./Payload.sol";
import {Venues} from "./Venues.sol";

/// Managers of Uniswap V4: in which order they are called and with what, by the leg of one pool and by that of pools in a row.
contract ManagersTest is Venues {
    bytes4 private constant SWAP = IPoolManager.swap.selector;
    address private hooks = makeAddr("hooks");

    /// Every pair of currencies, whoever is paid, by either funding, and what the pool leaves is the taker's.
    function test_one_pool() public {
        address[2][4] memory pairs = [[tokens[0], tokens[2]], [tokens[2], tokens[0]], [NATIVE, tokens[0]], [tokens[0], NATIVE]];
        for (uint256 i = 0; i < 64; i++) {
            uint256 state = vm.snapshotState();
            (address sold, address bought) = (pairs[i % 4][0], pairs[i % 4][1]);
            uint256 leaves = i & 4 == 0 ? 0 : 30 ether;
            bytes memory data = abi.encodePacked(venue, pool(0));
            bool alone = i & 32 == 0;
            Order memory order = orderOf(sold, bought, i & 8 == 0, alone ? hop(4, data) : hop(9, abi.encodePacked(venue, uint8(0), pool(0))));
            gives(sold, bought, SOLD - leaves, BROUGHT);
            brings(IPoolManager.take.selector, bought, receiverOf(order), BROUGHT);
            expectSwap(order, i & 16 == 0, SOLD - leaves, BROUGHT);
            expectCall(1, swapCall(0, sold, bought, SOLD), 0);
            expectCall(2, abi.encodeCall(IPoolManager.sync, (currencyOf(sold))), 0);
            expectCall(3, abi.encodeCall(IPoolManager.settle, ()), sold == NATIVE ? SOLD - leaves : 0);
            expectCall(4, abi.encodeCall(IPoolManager.take, (currencyOf(bought), receiverOf(order), BROUGHT)), 0);
            assertEq(venue.seen().length, 5);
            assertNothingExpected();
            vm.revertToState(state);
        }
    }

    /// Nothing is paid where nothing is owed, and nothing taken where nothing came.
    function test_a_pool_without_liquidity() public {
        for (uint256 i = 0; i < 4; i++) {
            uint256 state = vm.snapshotState();
            bytes memory data = i & 1 == 0 ? hop(4, abi.encodePacked(venue, pool(0))) : hop(9, abi.encodePacked(venue, uint8(0), pool(0)));
            Order memory order = orderOf(tokens[0], tokens[2], true, data);
            gives(tokens[0], tokens[2], 0, 0);
            expectSwap(order, i & 2 == 0, 0, 0);
            assertEq(venue.seen().length, 2);
            assertNothingExpected();
            vm.revertToState(state);
        }
    }

    function test_pools_in_a_row() public {
        address[2][3] memory ends = [[tokens[0], tokens[2]], [NATIVE, tokens[2]], [tokens[2], NATIVE]];
        for (uint256 i = 0; i < 12; i++) {
            uint256 state = vm.snapshotState();
            (address sold, address bought) = (ends[i % 3][0], ends[i % 3][1]);
            uint256 leaves = i >= 6 ? 10 ether : 0;
            bytes memory data = abi.encodePacked(venue, uint8(2), pool(0), tokens[1], pool(1), weth, pool(2));
            Order memory order = orderOf(sold, bought, i % 6 >= 3, hop(9, data));
            gives(sold, tokens[1], SOLD - leaves, 80 ether);
            gives(tokens[1], weth, 80 ether, 75 ether);
            gives(weth, bought, 75 ether, BROUGHT);
            brings(IPoolManager.take.selector, bought, receiverOf(order), BROUGHT);
            expectSwap(order, false, SOLD - leaves, BROUGHT);
            expectCall(1, swapCall(0, sold, tokens[1], SOLD), 0);
            expectCall(2, swapCall(1, tokens[1], weth, 80 ether), 0);
            expectCall(3, swapCall(2, weth, bought, 75 ether), 0);
            expectCall(4, abi.encodeCall(IPoolManager.sync, (currencyOf(sold))), 0);
            expectCall(6, abi.encodeCall(IPoolManager.take, (currencyOf(bought), receiverOf(order), BROUGHT)), 0);
            assertEq(venue.seen().length, 7);
            vm.revertToState(state);
        }
    }

    /// Native between two pools is a zero.
    function test_native_between_two_pools() public {
        Order memory order = orderOf(tokens[0], tokens[2], true, hop(9, abi.encodePacked(venue, uint8(1), pool(0), address(0), pool(1))));
        gives(tokens[0], NATIVE, SOLD, 80 ether);
        gives(NATIVE, tokens[2], 80 ether, BROUGHT);
        brings(IPoolManager.take.selector, tokens[2], recipient, BROUGHT);
        expectSwap(order, true, SOLD, BROUGHT);
        expectCall(2, swapCall(1, NATIVE, tokens[2], 80 ether), 0);
    }

    /// A path whose data end early is refused before anything is called.
    function test_a_row_that_is_cut() public {
        bytes memory whole = hop(9, abi.encodePacked(venue, uint8(1), pool(0), tokens[1], pool(1)));
        gives(tokens[0], tokens[1], SOLD, 80 ether);
        gives(tokens[1], tokens[2], 80 ether, BROUGHT);
        brings(IPoolManager.take.selector, tokens[2], recipient, BROUGHT);
        for (uint256 size = 1; size < whole.length; size++) {
            expectReason(orderOf(tokens[0], tokens[2], true, slice(whole, 0, size)), abi.encodeWithSignature("PayloadMalformed()"));
        }
        expectSwap(orderOf(tokens[0], tokens[2], true, whole), false, SOLD, BROUGHT);
    }

    /// A later pool takes a unit less, or more, than the one before it gave.
    function test_a_row_that_is_broken() public {
        for (uint256 i = 0; i < 3; i++) {
            uint256 state = vm.snapshotState();
            Order memory order = orderOf(tokens[0], tokens[2], true, hop(9, abi.encodePacked(venue, uint8(1), pool(0), tokens[1], pool(1))));
            gives(tokens[0], tokens[1], SOLD, 80 ether);
            gives(tokens[1], tokens[2], 80 ether + i - 1, BROUGHT);
            brings(IPoolManager.take.selector, tokens[2], recipient, BROUGHT);
            if (i == 1) expectSwap(order, false, SOLD, BROUGHT);
            else expectReason(order, venueReverted(abi.encodeWithSignature("PathBroken(address,uint256,uint256)", tokens[1], 80 ether, 80 ether + i - 1)));
            vm.revertToState(state);
        }
    }

    /// A pool that pays for its input, or wants its output, by a unit.
    function test_deltas_of_the_wrong_sign() public {
        int256[2][2] memory deltas = [[int256(1), int256(BROUGHT)], [-int256(SOLD), int256(-1)]];
        for (uint256 i = 0; i < 8; i++) {
            uint256 state = vm.snapshotState();
            (address sold, address bought) = i & 1 == 0 ? (tokens[0], tokens[2]) : (tokens[2], tokens[0]);
            int256[2] memory delta = deltas[i / 2 % 2];
            int256 packed = sold < bought ? pack(delta[0], delta[1]) : pack(delta[1], delta[0]);
            venue.says(SWAP, abi.encode(packed));
            bytes memory data = i & 4 == 0 ? hop(4, abi.encodePacked(venue, pool(0))) : hop(9, abi.encodePacked(venue, uint8(0), pool(0)));
            expectReason(orderOf(sold, bought, true, data), venueReverted(abi.encodeWithSignature("PoolDeltaUnfit(address,int256)", venue, packed)));
            vm.revertToState(state);
        }
    }

    function test_a_manager_calls_back_once_and_asks_for_the_input_at_most() public {
        for (uint8 kind = 4; kind < 10; kind += 5) {
            uint256 state = vm.snapshotState();
            bytes memory data = kind == 4 ? abi.encodePacked(venue, pool(0)) : abi.encodePacked(venue, uint8(0), pool(0));
            Order memory order = orderOf(tokens[0], tokens[2], true, hop(kind, data));
            venue.callsBack(0);
            expectReason(order, abi.encodeWithSignature("CallbackMissing(address)", venue));
            venue.callsBack(2);
            gives(tokens[0], tokens[2], SOLD, 0);
            expectReason(order, venueReverted(abi.encodeWithSignature("UnexpectedCallback(address)", venue)));
            vm.revertToState(state);
            gives(tokens[0], tokens[2], SOLD + 1, BROUGHT);
            expectReason(order, venueReverted(abi.encodeWithSignature("CallbackAsksTooMuch(uint256,uint256)", SOLD + 1, SOLD)));
            vm.revertToState(state);
        }
        vm.expectRevert(abi.encodeWithSignature("UnexpectedCallback(address)", address(this)));
        IUnlockCallback(address(router)).unlockCallback("");
    }

    /// The next swap takes so much and gives so much.
    function gives(address tokenIn, address tokenOut, uint256 taken, uint256 given) private {
        bool zeroForOne = currencyOf(tokenIn) < currencyOf(tokenOut);
        venue.says(SWAP, abi.encode(zeroForOne ? pack(-int256(taken), int256(given)) : pack(int256(given), -int256(taken))));
    }

    function pack(int256 zero, int256 one) private pure returns (int256) {
        return int256(uint256(zero) << 128 | uint128(uint256(one)));
    }

    function swapCall(uint24 which, address tokenIn, address tokenOut, uint256 amount) private view returns (bytes memory) {
        (address one, address other) = (currencyOf(tokenIn), currencyOf(tokenOut));
        bool zeroForOne = one < other;
        PoolKey memory key = PoolKey(zeroForOne ? one : other, zeroForOne ? other : one, 500 + which, -1, hooks);
        uint160 limit = zeroForOne ? 4_295_128_740 : 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;
        return abi.encodeCall(IPoolManager.swap, (key, SwapParams(zeroForOne, -int256(amount), limit), ""));
    }

    function currencyOf(address token) private pure returns (address) {
        return token == NATIVE ? address(0) : token;
    }

    function pool(uint24 which) private view returns (bytes memory) {
        return abi.encodePacked(500 + which, type(uint24).max, hooks);
    }

    function hop(uint8 kind, bytes memory data) private pure returns (bytes memory) {
        return abi.encodePacked(kind, uint16(10_000), uint8(0), uint8(1), data);
    }
}
