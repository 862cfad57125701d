// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {LAST_PRECOMPILE, NATIVE, PERMIT2} from "../../contracts/lib/Addresses.sol";
import {IHolder, IRouter} from "./Interfaces.sol";
import {Order, Payload} from "./Payload.sol";
import {Teller} from "./Teller.sol";
import {Venues} from "./Venues.sol";

/// What is refused, each for one reason alone, and next to it what is not.
contract GuardsTest is Venues {
    uint256 private constant MOST_FEE = 1_500;
    uint256 private constant WHOLE = 10_000;
    bytes private constant REVERTS = hex"5f5ffd";

    /// Whose balance of a token that tells of its transfers falls below what it was, and by how much.
    address private shrinks;
    uint256 private heldBefore;
    uint256 private by;
    /// Whom a token that tells of its transfers does not pay.
    mapping(address => bool) private bars;
    bool private refusesNothing;

    // Terms ------------------------------------------------------------------------------------------------------------------------------------------

    function test_flags() public {
        bytes memory payload = Payload.encode(plain());
        for (uint256 flags = 0; flags < 256; flags++) {
            payload[0] = bytes1(uint8(flags));
            bool unknown = flags > 127 || flags & 6 == 6;
            (, bytes memory found) = exec(payload);
            if (unknown) assertEq(found, abi.encodeWithSignature("FlagsUnknown(uint256)", flags));
            else assertNotEq(bytes4(found), bytes4(keccak256("FlagsUnknown(uint256)")));
        }
    }

    function test_fees_have_a_most() public {
        Order memory order = plain();
        order.partner = partner;
        for (uint256 i = 0; i < 4; i++) {
            (order.feeBps, order.partnerShareBps) = (MOST_FEE + (i & 1), WHOLE + (i >> 1));
            if (i > 0) expectReason(order, abi.encodeWithSignature("FeeTooHigh(uint256,uint256)", order.feeBps, order.partnerShareBps));
            else expectGoes(order);
        }
    }

    function test_a_swap_is_of_two_tokens_and_of_something() public {
        Order memory order = plain();
        order.buyToken = order.sellToken;
        expectReason(order, abi.encodeWithSignature("SameToken(address)", order.sellToken));
        order = plain();
        order.sellAmount = 0;
        expectReason(order, abi.encodeWithSignature("NothingSold()"));
    }

    /// Without a recipient of its own it is the taker's: no flag, no address.
    function test_the_taker_is_the_recipient_where_none_is_named() public {
        Order memory order = plain();
        bytes memory payload = Payload.encode(order);
        uint256 place = payload.length - order.route.length - 20;
        bytes memory without = abi.encodePacked(slice(payload, 0, place), order.route);
        without[0] ^= bytes1(uint8(8));
        uint256 got = balance(order.buyToken, taker);
        (bool ok,) = exec(without);
        assertTrue(ok);
        assertGt(balance(order.buyToken, taker), got);
    }

    // Entry points -----------------------------------------------------------------------------------------------------------------------------------

    function test_each_entry_point_has_its_funding() public {
        bytes memory token = Payload.encode(plain());
        bytes memory native = Payload.encode(orderOf(NATIVE, tokens[0], true, Payload.v2(WHOLE, 0, 1, pairOf[weth][tokens[0]])));
        vm.startPrank(taker);
        vm.expectRevert(abi.encodeWithSignature("FundingMismatch(address)", tokens[0]));
        router.swap{value: SOLD}(token);
        vm.expectRevert(abi.encodeWithSignature("FundingMismatch(address)", NATIVE));
        router.swapPermit2(abi.encodePacked(new bytes(65), native));
        vm.expectRevert(abi.encodeWithSignature("FundingMismatch(address)", NATIVE));
        holder.exec(address(router), NATIVE, SOLD, native);
        vm.expectRevert(abi.encodeWithSignature("OnlyAllowanceHolder(address)", taker));
        router.executeFrom(taker, token);
        for (uint256 i = 0; i < 2; i++) {
            uint256 value = SOLD + 2 * i - 1;
            vm.expectRevert(abi.encodeWithSignature("ValueMismatch(uint256,uint256)", value, SOLD));
            router.swap{value: value}(native);
        }
        vm.stopPrank();
    }

    function test_who_is_no_receiver() public {
        address[3] memory unfit = [address(0), address(router), address(holder)];
        for (uint256 i = 0; i < unfit.length; i++) {
            bytes memory reason = abi.encodeWithSignature("NotAReceiver(address)", unfit[i]);
            Order memory order = plain();
            order.recipient = unfit[i];
            expectReason(order, reason);
            order = plain();
            (order.partner, order.feeBps, order.partnerShareBps) = (partner, 100, WHOLE);
            bytes memory payload = Payload.encode(order);
            uint256 place = payload.length - order.route.length - 24;
            bytes memory replaced = abi.encodePacked(slice(payload, 0, place), unfit[i], slice(payload, place + 20, payload.length - place - 20));
            (bool ok, bytes memory found) = exec(replaced);
            assertFalse(ok);
            assertEq(found, reason);
            // One that gets nothing need not be able to.
            (replaced[place + 22], replaced[place + 23]) = (0, 0);
            (ok,) = exec(replaced);
            assertTrue(ok);
        }
        for (uint256 i = 0; i < 2; i++) {
            bytes memory code = abi.encodePacked(vm.getCode("contracts/artifacts/Router.every.gen.json"), abi.encode(holder, weth, i == 0 ? address(0) : address(holder)));
            address made;
            assembly ("memory-safe") {
                made := create(0, add(code, 0x20), mload(code))
            }
            assertEq(made, address(0));
        }
    }

    function test_native_comes_from_its_wrapper_or_while_a_swap_runs() public {
        vm.deal(weth, weth.balance + 1);
        vm.prank(weth);
        (bool ok,) = address(router).call{value: 1}("");
        assertTrue(ok);
        bytes memory reason;
        vm.prank(stranger);
        vm.deal(stranger, 1);
        (ok, reason) = address(router).call{value: 1}("");
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSignature("UnexpectedPayment(address)", stranger));
    }

    /// A venue that starts another swap, by whichever entry point.
    function test_no_swap_starts_within_another() public {
        bytes memory native = Payload.encode(orderOf(NATIVE, weth, true, Payload.wrap(WHOLE, 0, 1)));
        bytes memory token = Payload.encode(plain());
        bytes[3] memory inputs = [
            abi.encodeCall(IRouter.swap, (native)),
            abi.encodeCall(IRouter.swapPermit2, (abi.encodePacked(new bytes(65), token))),
            abi.encodeCall(IHolder.exec, (address(router), tokens[0], 1, token))
        ];
        for (uint256 i = 0; i < inputs.length; i++) {
            uint256 state = vm.snapshotState();
            venue.does(0x022c0d9f, i == 2 ? address(holder) : address(router), i == 0 ? SOLD : 0, inputs[i]);
            venue.saysAlways(0x0902f1ac, abi.encode(DEPTH, DEPTH, 0));
            expectReason(
                orderOf(tokens[0], tokens[2], true, Payload.v2(WHOLE, 0, 1, address(venue))), venueReverted(abi.encodeWithSignature("Reentered()"))
            );
            vm.revertToState(state);
        }
    }

    function test_permits_need_permit2() public {
        Order memory order = plain();
        bytes memory half = Payload.v2(WHOLE / 2, 0, 1, pairOf[tokens[0]][tokens[2]]);
        order.route = abi.encodePacked(uint8(0), half, half);
        vm.etch(PERMIT2, "");
        (bool ok, bytes memory reason) = send(order, true);
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSignature("PermitsUnknown()"));
    }

    /// A hop that takes what is sold once more finds the signature used up.
    function test_a_signature_moves_the_sell_token_once() public {
        Order memory order = plain();
        bytes memory hops = Payload.v2(WHOLE, 0, 1, pairOf[tokens[0]][tokens[2]]);
        order.route = abi.encodePacked(uint8(0), hops, hops);
        (bool ok, bytes memory reason) = send(order, true);
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSignature("NothingToSpend(address)", tokens[0]));
        // Of a venue that is paid in two parts, by a hop of a part each after the first that said it spends all.
        hops = abi.encodePacked(uint8(2), uint16(WHOLE), uint8(0), uint8(1), venue, uint8(0));
        order.route = abi.encodePacked(uint8(0), hops, hops);
        venue.does(0x128acb08, address(router), 0, abi.encodeWithSignature("uniswapV3SwapCallback(int256,int256,bytes)", SOLD / 2, int256(-1), ""));
        (ok, reason) = send(order, true);
        assertFalse(ok);
        assertEq(reason, venueReverted(abi.encodeWithSignature("PermitUsedUp()")));
    }

    // The floor --------------------------------------------------------------------------------------------------------------------------------------

    function test_the_floor_is_met_to_the_wei() public {
        for (uint256 i = 0; i < 2; i++) {
            Order memory order = plain();
            order.surplus = i;
            (bool ok, uint256 gross) = outcome(order);
            order.minBuyAmount = gross + 1;
            expectReason(order, abi.encodeWithSelector(IRouter.BelowMinimum.selector, gross, gross + 1));
            order.minBuyAmount = gross;
            (ok,) = outcome(order);
            assertTrue(ok);
        }
    }

    /// buy: of a token that taxes transfers the recipient gets less than the target, though the hops brought it.
    function test_a_taxed_token_can_not_be_bought_exactly() public {
        Order memory order = plain();
        (, uint256 gross) = outcome(order);
        TrickToken(tokens[2]).set(TrickToken.Temper.Plain, 100, address(0));
        (order.buy, order.quotedNet) = (true, gross / 2);
        expectReason(order, abi.encodeWithSignature("NotExact(uint256,uint256)", gross / 2 - gross / 2 / 100, gross / 2));
    }

    /// What was there before has become less during a hop, by a unit; at the Router, or at the recipient.
    function test_a_balance_that_falls() public {
        bytes memory fell = abi.encodeWithSignature("BalanceFell(address)", tokens[2]);
        address[] memory one = new address[](1);
        one[0] = recipient;
        TrickToken(tokens[2]).mint(one, 1 ether);
        TrickToken(tokens[2]).set(TrickToken.Temper.Plain, 0, address(this));
        for (uint256 i = 0; i < 2; i++) {
            Order memory order = orderOf(tokens[0], tokens[2], i == 0, Payload.v2(WHOLE, 0, 1, pairOf[tokens[0]][tokens[2]]));
            (shrinks, heldBefore) = (i == 0 ? recipient : address(router), i == 0 ? 1 ether : GIFT);
            by = 1;
            expectReason(order, fell);
            by = 0;
            expectGoes(order);
        }
    }

    /// After the move the balance is what it was before, less what it falls by.
    function onTransfer(address, address receiver, uint256 value) external {
        require(!bars[receiver] && !(refusesNothing && value == 0), "barred");
        if (receiver == shrinks && by > 0) deal(msg.sender, shrinks, heldBefore - by);
    }

    // Who is paid ------------------------------------------------------------------------------------------------------------------------------------

    /// Decision B21, by either kind of token: what the partner refuses is the collector's, what the collector refuses the taker's.
    function test_what_is_refused_goes_on() public {
        for (uint256 i = 0; i < 8; i++) {
            uint256 state = vm.snapshotState();
            (bool native, bool partnerRefuses, bool collectorRefuses) = (i & 1 == 0, i & 2 != 0, i & 4 != 0);
            Order memory order = native
                ? orderOf(tokens[0], NATIVE, true, abi.encodePacked(Payload.v2(WHOLE, 0, 2, pairOf[tokens[0]][weth]), Payload.wrap(WHOLE, 2, 1)))
                : plain();
            if (native) order.route = abi.encodePacked(uint8(1), weth, slice(order.route, 21, order.route.length - 21));
            (order.partner, order.feeBps, order.partnerShareBps) = (partner, 1_000, 6_000);
            address[3] memory paid = [partner, collector, taker];
            uint256[3] memory held;
            for (uint256 j = 0; j < 3; j++) held[j] = balance(order.buyToken, paid[j]);
            uint256 got = balance(order.buyToken, recipient);
            TrickToken(tokens[2]).set(TrickToken.Temper.Plain, 0, address(this));
            (bars[partner], bars[collector]) = (partnerRefuses, collectorRefuses);
            if (partnerRefuses) vm.etch(partner, REVERTS);
            if (collectorRefuses) vm.etch(collector, REVERTS);
            (bool ok, bytes memory reason) = send(order, false);
            assertTrue(ok, vm.toString(reason));
            got = balance(order.buyToken, recipient) - got;
            // The recipient's is nine tenths, rounded up.
            uint256 fee = got / 9;
            uint256 share = fee * 6 / 10;
            for (uint256 j = 0; j < 3; j++) held[j] = balance(order.buyToken, paid[j]) - held[j];
            assertEq(held[0], partnerRefuses ? 0 : share, "partner");
            assertEq(held[1], collectorRefuses ? 0 : partnerRefuses ? fee : fee - share, "collector");
            assertEq(held[2], collectorRefuses ? partnerRefuses ? fee : fee - share : 0, "taker");
            assertEq(balance(order.buyToken, address(router)), GIFT);
            vm.revertToState(state);
        }
    }

    /// Some tokens move no nothing: a part that is nothing is not sent.
    function test_no_part_of_nothing_is_sent() public {
        for (uint256 i = 0; i < 3; i++) {
            Order memory order = plain();
            (order.partner, order.feeBps, order.partnerShareBps) = (partner, i == 0 ? 0 : 100, i == 1 ? 0 : WHOLE);
            TrickToken(tokens[2]).set(TrickToken.Temper.Plain, 0, address(this));
            TrickToken(tokens[1]).set(TrickToken.Temper.Plain, 0, address(this));
            refusesNothing = true;
            expectGoes(order);
        }
    }

    /// Native comes from the Router: a receiver that passes it on at once has nothing to be measured.
    function test_native_may_be_passed_on_at_once() public {
        bytes memory hops = abi.encodePacked(Payload.v2(WHOLE, 0, 2, pairOf[tokens[0]][weth]), Payload.wrap(WHOLE, 2, 1));
        Order memory order = orderOf(tokens[0], NATIVE, true, "");
        order.route = abi.encodePacked(uint8(1), weth, hops);
        // Sends all that it has to the stranger.
        vm.etch(recipient, abi.encodePacked(hex"5f5f5f5f4773", stranger, hex"5af100"));
        vm.deal(recipient, 1 ether);
        uint256 had = stranger.balance;
        (, uint256 gross) = outcome(plain());
        order.minBuyAmount = gross * 9 / 10;
        (bool ok, bytes memory reason) = send(order, false);
        assertTrue(ok, vm.toString(reason));
        assertGt(stranger.balance - had, order.minBuyAmount);
        assertEq(recipient.balance, 0);
    }

    // The allowance holder ---------------------------------------------------------------------------------------------------------------------------

    function test_who_is_no_target() public {
        Teller target = new Teller();
        target.says(IRouter.executeFrom.selector, abi.encode(IRouter.executeFrom.selector));
        vm.etch(address(LAST_PRECOMPILE), hex"00");
        address[5] memory unfit = [address(target), address(holder), PERMIT2, address(LAST_PRECOMPILE), stranger];
        for (uint256 i = 0; i < unfit.length; i++) {
            // The first is the token.
            vm.expectRevert(abi.encodeWithSignature("NotATarget(address)", unfit[i]));
            holder.exec(unfit[i], address(target), 1, "");
        }
        holder.exec(address(target), tokens[0], 1, "");
        vm.etch(address(LAST_PRECOMPILE + 1), hex"00");
        vm.expectRevert(abi.encodeWithSignature("NotAnExecutor(address)", address(LAST_PRECOMPILE + 1)));
        holder.exec(address(LAST_PRECOMPILE + 1), tokens[0], 1, "");
    }

    function plain() private view returns (Order memory) {
        return orderOf(tokens[0], tokens[2], true, Payload.v2(WHOLE, 0, 1, pairOf[tokens[0]][tokens[2]]));
    }

    /// As the taker, by the allowance holder; all is as it was before.
    function exec(bytes memory payload) private returns (bool ok, bytes memory reason) {
        vm.prank(taker);
        return address(holder).call(abi.encodeCall(IHolder.exec, (address(router), tokens[0], SOLD, payload)));
    }

    function expectGoes(Order memory order) private {
        (bool ok,) = outcome(order);
        assertTrue(ok);
    }

    function outcome(Order memory order) private returns (bool ok, uint256 received) {
        uint256 state = vm.snapshotState();
        uint256 got = balance(order.buyToken, recipient);
        (ok,) = send(order, false);
        received = balance(order.buyToken, recipient) - got;
        vm.revertToState(state);
    }
}
