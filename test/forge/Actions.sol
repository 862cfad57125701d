// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {Draw} from "./Draw.sol";
import {IHolder, IRouter} from "./Interfaces.sol";
import {Order, Payload} from "./Payload.sol";
import {Thief} from "./Thief.sol";

/// What takers and attackers do, in any order, on one state. Every action asserts what it may change.
contract Actions is Draw {
    /// Small beside the pools: fifty of them in a row leave liquidity.
    uint256 private constant MOST = 1_000 ether;

    Thief private thief;
    /// What was given away to the router and the allowance holder, by token.
    mapping(address => mapping(address => uint256)) public given;
    mapping(string => uint256) public count;

    function setUp() public override {
        super.setUp();
        thief = new Thief(holder, router, victim);
        for (uint256 i = 0; i < tokens.length; i++) fund(tokens[i], address(thief), FUNDS);
    }

    function swap(Choice memory choice, bool permitted) external {
        (Order memory order, uint256 gross) = drawSmall(choice);
        settle(order, permitted, gross);
    }

    /// 5: a signature moves the taker's token once.
    function signedTwice(Choice memory choice) external {
        choice.shape %= 4;
        choice.floorBps = 0;
        (Order memory order, uint256 gross) = drawSmall(choice);
        if (!settle(order, true, gross)) return;
        uint256 before = balance(order.sellToken, taker);
        (bool ok,) = send(order, true);
        assertFalse(ok, "a nonce used twice");
        assertEq(balance(order.sellToken, taker), before);
        count["replay"]++;
    }

    /// A pool that the route says is one of Uniswap's, and that tries every door. The floor keeps the taker whole.
    function throughThief(Choice memory choice, uint256 plan, uint256 asks, uint256 gives, bool permitted) external {
        (Order memory order,) = drawSmall(choice);
        if (order.sellToken == NATIVE || order.buyToken == NATIVE) (order.sellToken, order.buyToken) = (tokens[0], tokens[1]);
        (order.buy, order.partner, order.feeBps) = (false, address(0), 0);
        order.route = abi.encodePacked(uint8(0), Payload.v3(10_000, 0, 1, address(thief)));
        order.minBuyAmount = bound(order.minBuyAmount, 0, MOST);
        gives = bound(gives, 0, 2 * MOST);
        thief.prepare(plan, order.sellToken, bound(asks, 0, 2 * order.sellAmount), order.buyToken, gives, Payload.encode(order));
        settle(order, permitted, type(uint256).max);
        count["thief"]++;
    }

    /// The token sold or bought calls the thief at every transfer.
    function hookedToken(Choice memory choice, uint256 plan, bool permitted) external {
        (Order memory order, uint256 gross) = drawSmall(choice);
        address hooked = order.sellToken == NATIVE || order.sellToken == weth ? order.buyToken : order.sellToken;
        if (hooked == NATIVE || hooked == weth) return;
        thief.prepare(plan & ~uint256(7), hooked, 0, hooked, 0, Payload.encode(order));
        TrickToken(hooked).set(TrickToken.Temper.Plain, 0, address(thief));
        settle(order, permitted, gross);
        TrickToken(hooked).set(TrickToken.Temper.Plain, 0, address(0));
        count["hooked"]++;
    }

    /// 3: what a target takes is at most what was granted.
    function execElsewhere(uint256 granted, uint256 token, uint256[3] memory asked) external {
        address chosen = tokens[token % tokens.length];
        granted = bound(granted, 0, MOST);
        for (uint256 i = 0; i < asked.length; i++) asked[i] = bound(asked[i], 0, MOST);
        uint256 before = balance(chosen, taker);
        vm.prank(taker);
        holder.exec(address(this), chosen, granted, abi.encode(chosen, asked));
        assertLe(before - balance(chosen, taker), granted, "more than granted");
    }

    function executeFrom(address owner, bytes calldata payload) external returns (bytes4) {
        (address token, uint256[3] memory asked) = abi.decode(payload, (address, uint256[3]));
        for (uint256 i = 0; i < asked.length; i++) {
            try holder.transferFrom(token, owner, stranger, asked[i]) {} catch {}
            try holder.transferFrom(token, victim, stranger, 1) {
                assertTrue(false, "of another owner");
            } catch {}
        }
        return IRouter.executeFrom.selector;
    }

    /// 1: whatever a stranger calls by any name, `invariant_` looks at.
    function strike(uint256 which, uint256 token, uint256 amount, bytes calldata data) external {
        address chosen = tokens[token % tokens.length];
        bytes memory input = data;
        if (which % 6 == 1) input = abi.encodeCall(IHolder.transferFrom, (chosen, victim, stranger, amount));
        if (which % 6 == 2) input = abi.encodeCall(IRouter.executeFrom, (victim, data));
        if (which % 6 == 3) input = abi.encodeCall(IHolder.exec, (address(router), chosen, amount, data));
        if (which % 6 == 4) input = abi.encodeWithSignature("uniswapV3SwapCallback(int256,int256,bytes)", amount, amount, abi.encode(victim));
        if (which % 6 == 5) input = abi.encodeCall(IRouter.swapPermit2, (data));
        vm.prank(stranger);
        (bool ok,) = (which & 64 == 0 ? address(router) : address(holder)).call(input);
        ok;
    }

    function donate(uint256 token, uint256 amount, bool toHolder) external {
        address chosen = tokens[token % tokens.length];
        address to = toHolder ? address(holder) : address(router);
        amount = bound(amount, 0, MOST);
        fund(chosen, to, amount);
        given[to][chosen] += amount;
    }

    /// 1, 2, 3: of the contracts, of who sends nothing, and of what may still be taken.
    function check() external {
        for (uint256 i = 0; i <= tokens.length; i++) {
            address token = i == tokens.length ? NATIVE : tokens[i];
            assertEq(balance(token, address(router)), given[address(router)][token], "the router keeps what it was given, and nothing else");
            assertEq(balance(token, address(holder)), given[address(holder)][token], "and so does the allowance holder");
            assertGe(balance(token, victim), token == NATIVE ? 2 * FUNDS : FUNDS, "who sends nothing loses nothing");
            if (token == NATIVE) continue;
            assertEq(TrickToken(token).allowance(address(router), address(thief)), 0, "granted by the router");
            for (uint256 j = 0; j < tokens.length; j++) {
                if (i == j) continue;
                assertEq(TrickToken(token).allowance(address(router), pairOf[token][tokens[j]]), 0, "granted to a pair");
                assertEq(TrickToken(token).allowance(address(router), poolOf[token][tokens[j]]), 0, "granted to a pool");
            }
            vm.prank(address(router));
            try holder.transferFrom(token, taker, stranger, 1) {
                assertTrue(false, "a grant is left");
            } catch {}
        }
    }

    function drawSmall(Choice memory choice) private returns (Order memory, uint256) {
        choice.sellAmount = bound(choice.sellAmount, 1_000, MOST);
        // One quote is settled once: of two draws with one tag the second would be refused.
        choice.tag = keccak256(abi.encode(choice.tag, count["drawn"]++));
        return draw(choice);
    }

    /// 4. `gross`: what the venues bring; the largest number where nobody knows.
    function settle(Order memory order, bool permitted, uint256 gross) private returns (bool ok) {
        uint256 sold = balance(order.sellToken, taker);
        uint256 bought = balance(order.buyToken, recipient);
        bytes memory answer;
        (ok, answer) = send(order, permitted);
        uint256 loss = sold - balance(order.sellToken, taker);
        uint256 gain = balance(order.buyToken, recipient) - bought;
        count[ok ? "settled" : "reverted"]++;
        if (!ok) {
            assertEq(loss + gain, 0, "a revert moved something");
            if (gross != type(uint256).max) assertEq(bytes4(answer), IRouter.BelowMinimum.selector, vm.toString(answer));
            return ok;
        }
        assertLe(loss, order.sellAmount, "loss");
        assertGe(gain, order.minBuyAmount, "the floor");
        if (gross == type(uint256).max) return ok;
        assertEq(gain, partsOf(order, gross).received, "delivered");
    }
}
