// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ground} from "./Ground.sol";
import {Order, Payload} from "./Payload.sol";

/// What a route may say, and the order in which its hops may come.
contract Routes is Ground {
    error HopMalformed(uint256 kind, uint256 bps, uint256 tokenIn, uint256 tokenOut);

    uint256 private constant WHOLE = 10_000;

    /// Tokens 0, 1, 2 of the hops are the sold, the bought and the one in between.
    function test_a_hop_that_is_malformed_in_one_way_alone() public {
        refuse(WHOLE + 1, 0, 1);
        refuse(WHOLE, 3, 1);
        refuse(WHOLE, 0, 3);
        refuse(WHOLE, 2, 2);
        refuse(WHOLE, 2, 0);
        refuse(type(uint16).max, 0, 1);
        refuse(WHOLE, type(uint8).max, 1);
        refuse(WHOLE, 0, type(uint8).max);
        refuse(WHOLE, 0, 0);
    }

    /// What a hop brought is its balance then; in between another hop has spent of the same token, and paid the recipient.
    function test_a_token_comes_again_after_a_hop_that_pays_the_recipient() public {
        (address a, address x, address b) = (tokens[0], tokens[1], tokens[2]);
        Order memory order = orderOf(
            abi.encodePacked(
                Payload.v2(5_000, 0, 2, pairOf[a][x]),
                Payload.v2(WHOLE, 2, 1, pairOf[x][b]),
                Payload.v3(WHOLE, 0, 2, poolOf[a][x]),
                Payload.v3(WHOLE, 2, 1, poolOf[x][b])
            )
        );
        uint256 direct = received(order);
        assertGt(direct, order.sellAmount * 9 / 10);
        // With what could be kept of it, all of it comes here first.
        order.surplus = 0;
        order.quotedNet = type(uint256).max;
        assertEq(received(order), direct);
    }

    /// buy: what brings exactly the target goes through, and a unit less does not; by whichever funding.
    function test_a_buy_that_brings_exactly_what_is_wanted() public {
        for (uint256 i = 0; i < 2; i++) {
            Order memory order = orderOf(Payload.v3(WHOLE, 0, 1, poolOf[tokens[0]][tokens[2]]));
            uint256 gross = received(order);
            (order.buy, order.surplus, order.quotedNet) = (true, 0, gross);
            assertEq(received(order), gross);
            order.quotedNet = gross + 1;
            (bool ok, bytes memory reason) = send(order, i == 1);
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSignature("BelowMinimum(uint256,uint256)", gross, gross + 1));
        }
    }

    function orderOf(bytes memory hops) private view returns (Order memory order) {
        (order.sellToken, order.buyToken, order.sellAmount) = (tokens[0], tokens[2], 100 ether);
        (order.deadline, order.recipient, order.surplus) = (block.timestamp, recipient, 1);
        order.route = abi.encodePacked(uint8(1), tokens[1], hops);
    }

    function refuse(uint256 bps, uint8 tokenIn, uint8 tokenOut) private {
        (bool ok, bytes memory reason) = send(orderOf(Payload.v2(bps, tokenIn, tokenOut, pairOf[tokens[0]][tokens[2]])), false);
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(HopMalformed.selector, 1, bps, tokenIn, tokenOut));
    }

    /// What the recipient gets of it; and all is as it was before.
    function received(Order memory order) private returns (uint256 gained) {
        uint256 kept = vm.snapshotState();
        uint256 before = balance(order.buyToken, recipient);
        (bool ok, bytes memory reason) = send(order, false);
        assertTrue(ok, vm.toString(reason));
        gained = balance(order.buyToken, recipient) - before;
        assertEq(balance(order.sellToken, address(router)) + balance(tokens[1], address(router)) + balance(order.buyToken, address(router)), 0);
        vm.revertToState(kept);
    }
}
