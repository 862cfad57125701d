// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {Draw} from "./Draw.sol";
import {IHolder, IRouter} from "./Interfaces.sol";
import {Order} from "./Payload.sol";

/// Where money moves: swaps by every funding against what the venues' own contracts bring, and what nobody may do.
contract MoneyPaths is Draw {
    /// Balances before and after, of those whom a swap could pay or rob.
    struct Books {
        uint256 taker;
        uint256 recipient;
        uint256 partner;
        uint256 collector;
    }

    /// K4, K14, K20: every part to the wei, nothing kept, nothing granted, nobody else touched; below the floor nothing at all.
    function testFuzz_delivers_to_the_wei_or_reverts(Choice memory choice, bool permitted) public {
        (Order memory order, uint256 gross) = draw(choice);
        Parts memory parts = partsOf(order, gross);
        Books memory before = books(order);
        uint256[] memory others = untouched();
        (bool ok, bytes memory answer) = send(order, permitted);
        if (parts.received < order.minBuyAmount) {
            assertFalse(ok, "below the floor");
            assertEq(bytes4(answer), IRouter.BelowMinimum.selector);
            return;
        }
        assertTrue(ok, vm.toString(answer));
        Books memory afterwards = books(order);
        assertEq(before.taker - afterwards.taker, order.sellAmount, "sold");
        assertEq(afterwards.recipient - before.recipient, parts.received, "received");
        assertEq(afterwards.partner - before.partner, parts.partner, "partner");
        assertEq(afterwards.collector - before.collector, parts.collector, "collector");
        assertEq(keccak256(abi.encode(untouched())), keccak256(abi.encode(others)), "router, holder, victim, stranger");
        assertNothingGranted(order.sellToken);
    }

    /// K17: what a target takes is at most what its owner granted, and nothing of that is left when the call ends.
    function testFuzz_a_target_takes_at_most_the_grant(uint256 granted, uint256[4] memory asked) public {
        granted = bound(granted, 0, 2 * FUNDS);
        for (uint256 i = 0; i < asked.length; i++) asked[i] = bound(asked[i], 0, FUNDS);
        uint256 before = balance(tokens[0], taker);
        vm.prank(taker);
        holder.exec(address(this), tokens[0], granted, abi.encode(asked));
        assertLe(before - balance(tokens[0], taker), granted);
        vm.expectRevert();
        holder.transferFrom(tokens[0], taker, stranger, 1);
    }

    function executeFrom(address owner, bytes calldata payload) external returns (bytes4) {
        uint256[4] memory asked = abi.decode(payload, (uint256[4]));
        uint256 left = balance(tokens[0], owner);
        for (uint256 i = 0; i < asked.length; i++) {
            try holder.transferFrom(tokens[0], owner, stranger, asked[i]) {
                assertLe(asked[i], left);
                left -= asked[i];
            } catch {}
        }
        return IRouter.executeFrom.selector;
    }

    /// K2, K8, K-inv 1: whatever a stranger calls, by the names that there are or by any other, moves nothing of who approved and sends nothing.
    function testFuzz_a_stranger_moves_nothing(uint256 which, address token, uint256 amount, bytes calldata data) public {
        address to = which & 1 == 0 ? address(router) : address(holder);
        bytes memory input = data;
        if (which % 7 == 1) input = abi.encodeCall(IHolder.transferFrom, (which & 8 == 0 ? tokens[0] : token, victim, stranger, amount));
        if (which % 7 == 2) input = abi.encodeCall(IRouter.executeFrom, (victim, data));
        if (which % 7 == 3) input = abi.encodeCall(IHolder.exec, (address(router), tokens[0], amount, data));
        if (which % 7 == 4) input = abi.encodeWithSignature("uniswapV3SwapCallback(int256,int256,bytes)", amount, amount, abi.encode(victim, data));
        if (which % 7 == 5) input = abi.encodeWithSignature("unlockCallback(bytes)", data);
        bytes32 before = keccak256(abi.encode(untouched()));
        vm.prank(stranger);
        (bool ok,) = to.call(input);
        if (which % 7 == 1 && amount > 0 || which % 7 == 2 || which % 7 == 4 || which % 7 == 5) assertFalse(ok, "let through");
        assertEq(keccak256(abi.encode(untouched())), before);
    }

    /// K9, K10: one byte of what was signed changed, and it is not what was signed.
    function testFuzz_a_changed_byte_is_not_what_was_signed(Choice memory choice, uint256 place, uint8 change) public {
        choice.shape %= 4;
        choice.floorBps = 0;
        (Order memory order,) = draw(choice);
        (address to,, bytes memory data) = callOf(order, true);
        place = bound(place, 68, data.length - padding(data) - 1);
        data[place] ^= bytes1(uint8(bound(change, 1, 255)));
        uint256 before = balance(order.sellToken, taker);
        vm.prank(taker);
        (bool ok,) = to.call(data);
        assertFalse(ok, "a changed byte");
        assertEq(balance(order.sellToken, taker), before);
    }

    /// K10: calldata of the taker's, sent by another.
    function testFuzz_nobody_else_can_send_what_the_taker_signed(Choice memory choice, address other) public {
        vm.assume(other != taker);
        choice.shape %= 4;
        choice.floorBps = 0;
        (Order memory order,) = draw(choice);
        (address to,, bytes memory data) = callOf(order, true);
        vm.prank(other);
        (bool ok,) = to.call(data);
        assertFalse(ok, "another sender");
    }

    /// K13
    function testFuzz_reverts_only_after_the_deadline(Choice memory choice, uint64 deadline, uint64 time) public {
        choice.floorBps = 0;
        choice.sellAmount = bound(choice.sellAmount, 1 ether, 10_000 ether);
        (Order memory order,) = draw(choice);
        order.deadline = deadline;
        vm.warp(bound(time, deadline > 2 ? deadline - 2 : 0, uint256(deadline) + 2));
        (bool ok,) = send(order, false);
        assertEq(ok, block.timestamp <= deadline);
    }

    /// K11: fifty valid calls, cut at every byte. The ABI's own padding after a payload is no part of it.
    function test_fifty_calls_cut_at_every_byte() public {
        uint256 cuts;
        for (uint256 i = 0; i < 50; i++) {
            Choice memory choice;
            (choice.tag, choice.tokens, choice.shape) = (keccak256(abi.encode(i)), i * 7, i % 6 + 6 * (i * 97));
            (choice.sellAmount, choice.surplus, choice.quotedBps) = (1 ether + i * 1e15, i, 9_000 + i);
            (choice.hasFee, choice.feeBps, choice.partnerShareBps, choice.buy) = (i % 3 == 0, i, i * 100, i % 4 == 0);
            cuts += cutEverywhere(choice, i % 2 == 0);
        }
        assertGt(cuts, 50 * 250);
    }

    function cutEverywhere(Choice memory choice, bool permitted) private returns (uint256) {
        (Order memory order,) = draw(choice);
        (address to, uint256 value, bytes memory data) = callOf(order, permitted);
        uint256 state = vm.snapshotState();
        uint256 before = balance(order.buyToken, recipient);
        vm.prank(taker);
        (bool ok,) = to.call{value: value}(data);
        assertTrue(ok, "whole");
        uint256 received = balance(order.buyToken, recipient) - before;
        vm.revertToState(state);
        uint256 size = data.length;
        for (uint256 length = size - 1; length > 0; length--) {
            assembly ("memory-safe") {
                mstore(data, length)
            }
            vm.prank(taker);
            (ok,) = to.call{value: value}(data);
            if (!ok) continue;
            assertEq(balance(order.buyToken, recipient) - before, received, "cut, it does something else");
            vm.revertToState(state);
        }
        return size;
    }

    /// Zero bytes after the payload.
    function padding(bytes memory data) private pure returns (uint256) {
        return (32 - uint256(bytes32(slice(data, 36, 32))) % 32) % 32;
    }

    function books(Order memory order) private view returns (Books memory) {
        return Books(
            balance(order.sellToken, taker), balance(order.buyToken, recipient), balance(order.buyToken, partner), balance(order.buyToken, collector)
        );
    }

    function untouched() private view returns (uint256[] memory held) {
        address[4] memory accounts = [address(router), address(holder), victim, stranger];
        held = new uint256[](accounts.length * (tokens.length + 1));
        for (uint256 i = 0; i < accounts.length; i++) {
            for (uint256 j = 0; j <= tokens.length; j++) {
                held[i * (tokens.length + 1) + j] = balance(j == tokens.length ? NATIVE : tokens[j], accounts[i]);
            }
        }
    }

    function assertNothingGranted(address token) private {
        for (uint256 i = 0; i < tokens.length; i++) {
            for (uint256 j = 0; j < tokens.length; j++) {
                if (i == j) continue;
                assertEq(TrickToken(tokens[i]).allowance(address(router), pairOf[tokens[i]][tokens[j]]), 0);
                assertEq(TrickToken(tokens[i]).allowance(address(router), poolOf[tokens[i]][tokens[j]]), 0);
            }
        }
        if (token == NATIVE) return;
        // In the same transaction, so that what transient storage still held would serve.
        vm.prank(address(router));
        vm.expectRevert();
        holder.transferFrom(token, taker, stranger, 1);
    }
}
