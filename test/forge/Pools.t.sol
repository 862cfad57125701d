// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {ISolidlyPool} from "../../contracts/interfaces/ISolidlyPool.sol";
import {IUniswapV2Pair} from "../../contracts/interfaces/IUniswapV2Pair.sol";
import {IUniswapV3Callbacks, IUniswapV3Pool} from "../../contracts/interfaces/IUniswapV3Pool.sol";
import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {Order, Payload} from "./Payload.sol";
import {Venues} from "./Venues.sol";

/// Pools that are paid their input, before they are called or in their call back, and wrapped native.
contract PoolsTest is Venues {
    bytes4 private constant V3 = IUniswapV3Pool.swap.selector;
    bytes4 private constant V2 = IUniswapV2Pair.swap.selector;

    // Uniswap V3 -------------------------------------------------------------------------------------------------------------------------------------

    /// Whichever side is sold, whoever is paid, by whichever funding, and what the pool does not ask for stays with the taker.
    function test_a_v3_pool() public {
        for (uint256 i = 0; i < 32; i++) {
            uint256 state = vm.snapshotState();
            (bool direct, uint256 leaves, uint8 name) = (i & 1 == 0, i & 2 == 0 ? 0 : 30 ether, uint8(i >> 4));
            (address sold, address bought) = i & 4 == 0 ? (tokens[0], tokens[2]) : (tokens[2], tokens[0]);
            Order memory order = orderOf(sold, bought, direct, v3(0, 1, name));
            brings(V3, bought, receiverOf(order), BROUGHT);
            asks(name, sold < bought, SOLD - leaves);
            expectSwap(order, i & 8 == 0, SOLD - leaves, BROUGHT);
            expectCall(0, v3Call(receiverOf(order), sold < bought, SOLD), 0);
            assertNothingExpected();
            vm.revertToState(state);
        }
    }

    /// A pool without liquidity asks for nothing, and brings nothing: a signature that it was kept for is gone all the same.
    function test_a_v3_pool_that_asks_for_nothing() public {
        for (uint256 i = 0; i < 4; i++) {
            uint256 state = vm.snapshotState();
            Order memory order = orderOf(tokens[0], tokens[2], i & 1 == 0, v3(0, 1, 0));
            asks(0, true, 0);
            expectSwap(order, i & 2 == 0, 0, 0);
            assertNothingExpected();
            vm.revertToState(state);
        }
    }

    /// Half of a token each: the second hop is paid out of what the first left, whoever holds it.
    function test_v3_pools_that_share_what_is_sold() public {
        for (uint256 i = 0; i < 2; i++) {
            uint256 state = vm.snapshotState();
            bytes memory half = abi.encodePacked(uint8(2), uint16(5_000), uint8(0), uint8(1), venue, uint8(0));
            Order memory order = orderOf(tokens[0], tokens[2], true, abi.encodePacked(half, v3(0, 1, 0)));
            brings(V3, tokens[2], recipient, BROUGHT);
            asks(0, tokens[0] < tokens[2], SOLD / 2);
            expectSwap(order, i == 0, SOLD, 2 * BROUGHT);
            assertNothingExpected();
            vm.revertToState(state);
        }
    }

    function test_a_v3_pool_asks_once_by_its_name_and_for_its_input_at_most() public {
        bytes memory stranger = abi.encodeWithSignature("UnexpectedCallback(address)", venue);
        Order memory order = orderOf(tokens[0], tokens[2], true, v3(0, 1, 0));
        expectReason(order, abi.encodeWithSignature("CallbackMissing(address)", venue));
        uint256 state = vm.snapshotState();
        asks(0, true, SOLD + 1);
        expectReason(order, venueReverted(abi.encodeWithSignature("CallbackAsksTooMuch(uint256,uint256)", SOLD + 1, SOLD)));
        vm.revertToState(state);
        asks(1, true, SOLD);
        expectReason(order, venueReverted(stranger));
        vm.revertToState(state);
        asks(0, true, SOLD / 2);
        asks(0, true, SOLD / 2);
        expectReason(order, venueReverted(stranger));
        vm.revertToState(state);
        // Another than the pool that is expected.
        order = orderOf(tokens[0], tokens[2], true, Payload.v3(10_000, 0, 1, poolOf[tokens[0]][tokens[2]]));
        vm.expectRevert(abi.encodeWithSignature("UnexpectedCallback(address)", address(this)));
        IUniswapV3Callbacks(address(router)).uniswapV3SwapCallback(1, -1, "");
    }

    // Uniswap V2 and Solidly -------------------------------------------------------------------------------------------------------------------------

    function test_a_pair_is_paid_what_was_sold_and_told_what_it_owes() public {
        for (uint256 i = 0; i < 8; i++) {
            uint256 state = vm.snapshotState();
            (address sold, address bought) = i & 1 == 0 ? (tokens[0], tokens[2]) : (tokens[2], tokens[0]);
            Order memory order = orderOf(sold, bought, i & 2 == 0, pair(2_500));
            uint256 owed = formula(SOLD, 2_500);
            books(sold < bought);
            brings(V2, bought, receiverOf(order), owed);
            uint256 had = balance(sold, address(venue));
            expectSwap(order, i & 4 == 0, SOLD, owed);
            assertEq(balance(sold, address(venue)) - had, SOLD);
            (uint256 zero, uint256 one) = sold < bought ? (uint256(0), owed) : (owed, uint256(0));
            expectCall(0, abi.encodeCall(IUniswapV2Pair.swap, (zero, one, receiverOf(order), "")), 0);
            vm.revertToState(state);
        }
    }

    /// What reached a pair is what it holds beyond its books: of a taxed token, which is taxed once, less than was sent. A pair that is not measured is asked for the output of what was sent, and refuses itself.
    function test_a_taxed_token_reaches_a_pair() public {
        TrickToken(tokens[0]).set(TrickToken.Temper.Plain, 100, address(0));
        uint256 booked = balance(tokens[0], address(venue));
        for (uint256 i = 0; i < 16; i++) {
            uint256 state = vm.snapshotState();
            bool measured = i & 1 == 0;
            uint24 data = measured ? 3_000 | 1 << 23 : 3_000;
            bytes memory hop = i & 2 == 0 ? pair(data) : abi.encodePacked(uint8(10), uint16(10_000), uint8(0), uint8(1), venue, data, uint8(0));
            Order memory order = orderOf(tokens[0], tokens[2], true, hop);
            if (i & 8 != 0) order.route = abi.encodePacked(uint8(0), hop);
            booksOf(tokens[0] < tokens[2], booked, 2 * DEPTH);
            uint256 kept = (measured ? SOLD * 99 / 100 : SOLD) * 997_000;
            uint256 owed = kept * 2 * DEPTH / (booked * 1_000_000 + kept);
            brings(V2, tokens[2], recipient, owed);
            expectSwap(order, i & 4 == 0, SOLD, owed);
            (uint256 zero, uint256 one) = tokens[0] < tokens[2] ? (uint256(0), owed) : (owed, uint256(0));
            expectCall(0, abi.encodeCall(IUniswapV2Pair.swap, (zero, one, recipient, "")), 0);
            vm.revertToState(state);
        }
    }

    function test_a_solidly_pool_is_told_what_it_promised() public {
        for (uint256 i = 0; i < 8; i++) {
            uint256 state = vm.snapshotState();
            (address sold, address bought) = i & 1 == 0 ? (tokens[0], tokens[2]) : (tokens[2], tokens[0]);
            Order memory order = orderOf(sold, bought, i & 2 == 0, abi.encodePacked(uint8(5), uint16(10_000), uint8(0), uint8(1), venue));
            venue.saysAlways(ISolidlyPool.getAmountOut.selector, abi.encode(BROUGHT));
            vm.expectCall(address(venue), abi.encodeCall(ISolidlyPool.getAmountOut, (SOLD, sold)));
            brings(V2, bought, receiverOf(order), BROUGHT);
            uint256 had = balance(sold, address(venue));
            expectSwap(order, i & 4 == 0, SOLD, BROUGHT);
            assertEq(balance(sold, address(venue)) - had, SOLD);
            (uint256 zero, uint256 one) = sold < bought ? (uint256(0), BROUGHT) : (BROUGHT, uint256(0));
            expectCall(0, abi.encodeCall(ISolidlyPool.swap, (zero, one, receiverOf(order), "")), 0);
            vm.revertToState(state);
        }
    }

    // Wrapped native ---------------------------------------------------------------------------------------------------------------------------------

    function test_wrapping_alone() public {
        for (uint256 i = 0; i < 2; i++) {
            expectSwap(orderOf(NATIVE, weth, i == 0, Payload.wrap(10_000, 0, 1)), false, SOLD, SOLD);
            expectSwap(orderOf(weth, NATIVE, true, Payload.wrap(10_000, 0, 1)), i == 0, SOLD, SOLD);
        }
    }

    function test_wrapping_is_of_native_and_its_wrapper() public {
        address[2][4] memory pairs = [[NATIVE, tokens[0]], [tokens[0], NATIVE], [weth, tokens[0]], [tokens[0], weth]];
        for (uint256 i = 0; i < pairs.length; i++) {
            Order memory order = orderOf(pairs[i][0], pairs[i][1], true, Payload.wrap(10_000, 0, 1));
            expectReason(order, abi.encodeWithSignature("NotAWrap(address,address)", pairs[i][0], pairs[i][1]));
        }
    }

    function v3(uint8 tokenIn, uint8 tokenOut, uint8 name) private view returns (bytes memory) {
        return abi.encodePacked(uint8(2), uint16(10_000), tokenIn, tokenOut, venue, name);
    }

    function asks(uint8 name, bool zeroForOne, uint256 amount) private {
        (int256 zero, int256 one) = zeroForOne ? (int256(amount), -int256(BROUGHT)) : (-int256(BROUGHT), int256(amount));
        if (amount == 0) (zero, one) = (0, 0);
        bytes memory input = name == 0
            ? abi.encodeCall(IUniswapV3Callbacks.uniswapV3SwapCallback, (zero, one, ""))
            : abi.encodeCall(IUniswapV3Callbacks.pancakeV3SwapCallback, (zero, one, ""));
        venue.does(V3, address(router), 0, input);
    }

    function v3Call(address receiver, bool zeroForOne, uint256 amount) private pure returns (bytes memory) {
        uint160 limit = zeroForOne ? 4_295_128_740 : 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341;
        return abi.encodeCall(IUniswapV3Pool.swap, (receiver, zeroForOne, int256(amount), limit, ""));
    }

    function pair(uint24 data) private view returns (bytes memory) {
        return abi.encodePacked(uint8(1), uint16(10_000), uint8(0), uint8(1), venue, data);
    }

    function books(bool zeroForOne) private {
        booksOf(zeroForOne, DEPTH, 2 * DEPTH);
    }

    function booksOf(bool zeroForOne, uint256 reserveIn, uint256 reserveOut) private {
        bytes memory answer = zeroForOne ? abi.encode(reserveIn, reserveOut, 0) : abi.encode(reserveOut, reserveIn, 0);
        venue.saysAlways(IUniswapV2Pair.getReserves.selector, answer);
    }

    function formula(uint256 amountIn, uint256 feePpm) private pure returns (uint256) {
        uint256 kept = amountIn * (1_000_000 - feePpm);
        return kept * 2 * DEPTH / (DEPTH * 1_000_000 + kept);
    }
}
