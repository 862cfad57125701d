// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {FundManagement, IBalancerVault, SingleSwap} from "../../contracts/interfaces/IBalancerVault.sol";
import {ICurveCryptoPool, ICurvePool, ICurveReceiverCryptoPool, ICurveReceiverPool} from "../../contracts/interfaces/ICurvePool.sol";
import {IERC4626} from "../../contracts/interfaces/IERC4626.sol";
import {IGMTokenManager, Quote} from "../../contracts/interfaces/IGMTokenManager.sol";
import {IPropAMMRouter} from "../../contracts/interfaces/IPropAMMRouter.sol";
import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {Order, Payload} from "./Payload.sol";
import {Venues} from "./Venues.sol";

/// Venues that take their input from the Router: what they are called with, what they can take, and whose what they leave is.
contract CustodyTest is Venues {
    bytes32 private constant POOL = keccak256("pool");
    bytes private constant SIGNATURE =
        hex"1111111111111111111111111111111111111111111111111111111111111111222222222222222222222222222222222222222222222222222222222222222233";
    bytes4 private constant BALANCER = IBalancerVault.swap.selector;

    /// What comes with a transfer to the Router, and what the Router loses with one to the venue: of the token that tells of its transfers.
    uint256 private comesBesides;
    uint256 private goesBesides;
    /// After a transfer to whom the Router is left with how much.
    address private shrinksAt;
    uint256 private told;
    uint256 private leftThen;
    bool private refusesNothing;

    function test_a_balancer_vault() public {
        for (uint256 i = 0; i < 16; i++) {
            uint256 state = vm.snapshotState();
            (bool direct, uint256 leaves) = (i & 1 == 0, i & 2 == 0 ? 0 : 30 ether);
            (address sold, address bought) = i & 4 == 0 ? (tokens[0], tokens[2]) : (tokens[2], tokens[0]);
            Order memory order = orderOf(sold, bought, direct, balancer(0, 1));
            takes(BALANCER, sold, SOLD - leaves);
            brings(BALANCER, bought, receiverOf(order), BROUGHT);
            expectSwap(order, i & 8 == 0, SOLD - leaves, BROUGHT);
            expectCall(0, balancerCall(sold, bought, SOLD, receiverOf(order)), 0);
            vm.revertToState(state);
        }
    }

    /// Of what the Router holds for the taker the rest comes back at the end.
    function test_what_a_later_hop_leaves() public {
        Order memory order = orderOf(tokens[0], tokens[2], true, abi.encodePacked(Payload.v2(10_000, 0, 2, pairOf[tokens[0]][tokens[1]]), balancer(2, 1)));
        takes(BALANCER, tokens[1], 20 ether);
        brings(BALANCER, tokens[2], recipient, BROUGHT);
        uint256 had = balance(tokens[1], taker);
        uint256 between = SOLD * 9_970 / 10_000 * DEPTH / (DEPTH + SOLD * 9_970 / 10_000);
        expectSwap(order, false, SOLD, BROUGHT);
        expectCall(0, balancerCall(tokens[1], tokens[2], between, recipient), 0);
        assertEq(balance(tokens[1], taker) - had, between - 20 ether);
    }

    function test_native_goes_with_the_call_and_what_comes_back_is_the_takers() public {
        for (uint256 i = 0; i < 4; i++) {
            uint256 leaves = (i & 1) * 10 ether;
            uint256 state = vm.snapshotState();
            Order memory order = orderOf(NATIVE, tokens[0], i & 2 == 0, balancer(0, 1));
            if (leaves > 0) venue.does(BALANCER, address(router), leaves, "");
            brings(BALANCER, tokens[0], receiverOf(order), BROUGHT);
            expectSwap(order, false, SOLD - leaves, BROUGHT);
            expectCall(0, balancerCall(NATIVE, tokens[0], SOLD, receiverOf(order)), SOLD);
            vm.revertToState(state);
        }
    }

    /// What comes back beyond the input is a gift: the taker gets its input, and the rest lies there.
    function test_no_more_than_the_input_comes_back() public {
        for (uint256 i = 0; i < 2; i++) {
            uint256 state = vm.snapshotState();
            Order memory order = orderOf(i == 0 ? tokens[0] : NATIVE, tokens[2], true, balancer(0, 1));
            brings(BALANCER, order.sellToken, address(router), i == 0 ? 1 ether : SOLD + 1 ether);
            brings(BALANCER, tokens[2], recipient, BROUGHT);
            (uint256 had, uint256 held) = (balance(order.sellToken, taker), balance(order.sellToken, address(router)));
            (bool ok, bytes memory reason) = send(order, false);
            assertTrue(ok, vm.toString(reason));
            assertEq(balance(order.sellToken, taker), had);
            assertEq(balance(order.sellToken, address(router)), held + 1 ether);
            vm.revertToState(state);
        }
    }

    function test_a_taxed_token_is_sold_as_much_as_came() public {
        TrickToken(tokens[0]).set(TrickToken.Temper.Plain, 100, address(0));
        Order memory order = orderOf(tokens[0], tokens[2], true, balancer(0, 1));
        takes(BALANCER, tokens[0], SOLD * 99 / 100);
        brings(BALANCER, tokens[2], recipient, BROUGHT);
        expectSwap(order, false, SOLD, BROUGHT);
        expectCall(0, balancerCall(tokens[0], tokens[2], SOLD * 99 / 100, recipient), 0);
    }

    function test_what_comes_besides_the_input_is_a_gift() public {
        TrickToken(tokens[0]).set(TrickToken.Temper.Plain, 0, address(this));
        comesBesides = 1 ether;
        Order memory order = orderOf(tokens[0], tokens[2], true, balancer(0, 1));
        takes(BALANCER, tokens[0], SOLD);
        brings(BALANCER, tokens[2], recipient, BROUGHT);
        (bool ok, bytes memory reason) = send(order, false);
        assertTrue(ok, vm.toString(reason));
        expectCall(0, balancerCall(tokens[0], tokens[2], SOLD, recipient), 0);
        assertEq(balance(tokens[0], address(router)), GIFT + 2 ether);
    }

    /// Nothing came, or the Router has less than was there before by a unit: what is nobody's pays for no hop.
    function test_what_lies_in_the_router_pays_for_nothing() public {
        bytes memory missing = abi.encodeWithSignature("InputMissing(address)", tokens[0]);
        Order memory order = orderOf(tokens[0], tokens[2], true, balancer(0, 1));
        takes(BALANCER, tokens[0], SOLD);
        brings(BALANCER, tokens[2], recipient, BROUGHT);
        TrickToken(tokens[0]).set(TrickToken.Temper.Plain, 10_000, address(0));
        expectReason(order, missing);
        TrickToken(tokens[0]).set(TrickToken.Temper.Plain, 0, address(this));
        goesBesides = 1;
        expectReason(order, missing);
        goesBesides = 0;
        expectSwap(order, false, SOLD, BROUGHT);
    }

    /// By a signature that hops share, what came is sold: less of a taxed token, and no more than was signed for.
    function test_a_signature_that_hops_share_sells_what_came() public {
        for (uint256 i = 0; i < 3; i++) {
            uint256 state = vm.snapshotState();
            TrickToken(tokens[0]).set(TrickToken.Temper.Plain, i == 1 ? 100 : 0, i == 2 ? address(this) : address(0));
            comesBesides = i == 2 ? 1 ether : 0;
            uint256 half = i == 1 ? SOLD * 99 / 200 : SOLD / 2;
            bytes memory first = abi.encodePacked(uint8(6), uint16(5_000), uint8(0), uint8(1), venue, POOL);
            Order memory order = orderOf(tokens[0], tokens[2], true, abi.encodePacked(first, balancer(0, 1)));
            takes(BALANCER, tokens[0], half);
            brings(BALANCER, tokens[2], recipient, BROUGHT);
            (bool ok, bytes memory reason) = send(order, true);
            assertTrue(ok, vm.toString(reason));
            expectCall(0, balancerCall(tokens[0], tokens[2], half, recipient), 0);
            expectCall(1, balancerCall(tokens[0], tokens[2], half, recipient), 0);
            assertEq(balance(tokens[0], address(router)), GIFT + 2 * comesBesides);
            vm.revertToState(state);
        }
    }

    /// A token of which the Router lost some since a hop brought it: a unit less than the next hop is to spend, and no more is spent of it.
    function test_what_a_hop_brought_is_gone() public {
        address pair = pairOf[tokens[1]][tokens[2]];
        Order memory order = orderOf(
            tokens[0],
            tokens[2],
            true,
            abi.encodePacked(Payload.v2(10_000, 0, 2, pairOf[tokens[0]][tokens[1]]), Payload.v2(5_000, 2, 1, pair), balancer(2, 1))
        );
        uint256 between = SOLD * 9_970 / 10_000 * DEPTH / (DEPTH + SOLD * 9_970 / 10_000);
        TrickToken(tokens[1]).set(TrickToken.Temper.Plain, 0, address(this));
        shrinksAt = pair;
        for (uint256 i = 0; i < 2; i++) {
            uint256 state = vm.snapshotState();
            leftThen = between - between / 2 - i;
            (bool ok, bytes memory reason) = send(order, false);
            assertEq(ok, i == 0);
            if (!ok) assertEq(reason, abi.encodeWithSignature("InputMissing(address)", tokens[1]));
            vm.revertToState(state);
        }
    }

    /// Some tokens move no nothing, and some are approved for no nothing: they are asked for neither.
    function test_tokens_are_not_asked_for_nothing() public {
        for (uint256 i = 0; i < 4; i++) {
            uint256 state = vm.snapshotState();
            refusesNothing = true;
            for (uint256 j = 0; j < 3; j++) TrickToken(tokens[j]).set(TrickToken.Temper.Plain, 0, address(this));
            vm.mockCallRevert(tokens[0], abi.encodeCall(TrickToken.approve, (address(venue), 0)), "");
            Order memory order = orderOf(tokens[0], tokens[2], i & 1 == 0, balancer(0, 1));
            takes(BALANCER, tokens[0], SOLD);
            uint256 brought = i & 2 == 0 ? BROUGHT : 0;
            if (brought > 0) brings(BALANCER, tokens[2], receiverOf(order), BROUGHT);
            expectSwap(order, false, SOLD, brought);
            vm.clearMockedCalls();
            vm.revertToState(state);
        }
    }

    /// Before and after a transfer.
    function onTransfer(address, address to, uint256 value) external {
        require(!refusesNothing || value > 0, "nothing");
        if (to == shrinksAt && ++told % 2 == 0) deal(msg.sender, address(router), leftThen);
        if (to == address(router)) deal(msg.sender, to, balance(msg.sender, to) + comesBesides);
        if (to == address(venue)) deal(msg.sender, address(router), balance(msg.sender, address(router)) - goesBesides);
    }

    function test_pools_of_curve() public {
        bytes4[4] memory names = [
            ICurvePool.exchange.selector,
            ICurveReceiverPool.exchange.selector,
            ICurveCryptoPool.exchange.selector,
            ICurveReceiverCryptoPool.exchange.selector
        ];
        for (uint256 i = 0; i < 16; i++) {
            uint256 state = vm.snapshotState();
            (uint256 flags, uint256 leaves) = (i % 4, i & 8 == 0 ? 0 : 30 ether);
            Order memory order = orderOf(tokens[0], tokens[2], i & 4 == 0, hop(7, 0, 1, abi.encodePacked(venue, uint8(flags), uint8(3), uint8(1))));
            bool pays = flags & 1 != 0;
            takes(names[flags], tokens[0], SOLD - leaves);
            brings(names[flags], tokens[2], pays ? receiverOf(order) : address(router), BROUGHT);
            expectSwap(order, false, SOLD - leaves, BROUGHT);
            bytes memory plain = abi.encodeWithSelector(names[flags], 3, 1, SOLD, 0);
            expectCall(0, pays ? bytes.concat(plain, abi.encode(receiverOf(order))) : plain, 0);
            vm.revertToState(state);
        }
        for (uint256 flags = 4; flags < 256; flags++) {
            Order memory order = orderOf(tokens[0], tokens[2], true, hop(7, 0, 1, abi.encodePacked(venue, uint8(flags), uint8(3), uint8(1))));
            expectReason(order, abi.encodeWithSignature("PoolFlagsUnfit(uint256)", flags));
        }
    }

    /// A pool that pays its caller and brought nothing: there is nothing to pass on, and a token may refuse that.
    function test_a_pool_of_curve_that_brings_nothing() public {
        Order memory order = orderOf(tokens[0], tokens[2], true, hop(7, 0, 1, abi.encodePacked(venue, uint8(0), uint8(0), uint8(1))));
        takes(ICurvePool.exchange.selector, tokens[0], SOLD);
        TrickToken(tokens[2]).set(TrickToken.Temper.SaysFalse, 0, address(0));
        expectSwap(order, false, SOLD, 0);
    }

    /// Assets are minted for what they cost by the attestation, and no more; what the share has beside is the taker's. The issuer's contract pays the Router, which passes it on.
    function test_what_an_issuer_attests() public {
        for (uint256 i = 0; i < 8; i++) {
            uint256 state = vm.snapshotState();
            (bool direct, bool mints, uint256 attested) = (i & 1 == 0, i & 2 == 0, i & 4 == 0 ? SOLD : SOLD - 30 ether);
            Quote memory quote = quoteOf(mints, attested);
            Order memory order = orderOf(tokens[0], tokens[2], direct, hop(14, 0, 1, attestation(quote)));
            bytes4 name = mints ? IGMTokenManager.mintWithAttestation.selector : IGMTokenManager.redeemWithAttestation.selector;
            takes(name, tokens[0], attested);
            brings(name, tokens[2], address(router), BROUGHT);
            expectSwap(order, false, attested, BROUGHT);
            expectCall(0, abi.encodeWithSelector(name, quote, SIGNATURE, mints ? tokens[0] : tokens[2], mints ? attested : 0), 0);
            vm.revertToState(state);
        }
        Quote memory dear = quoteOf(false, SOLD + 1);
        expectReason(
            orderOf(tokens[0], tokens[2], true, hop(14, 0, 1, attestation(dear))),
            abi.encodeWithSignature("AttestationNotFunded(uint256,uint256)", SOLD, SOLD + 1)
        );
    }

    /// Of an asset that is minted the price is twice what it is of one that is redeemed, so that what is paid is another number than what is bought.
    function quoteOf(bool mints, uint256 attested) private view returns (Quote memory quote) {
        (quote.chainId, quote.attestationId, quote.userId, quote.additionalData) = (block.chainid, 77, POOL, keccak256("more"));
        (quote.asset, quote.price, quote.quantity) = mints ? (tokens[2], 2 ether, attested / 2) : (tokens[0], 1 ether, attested);
        (quote.expiration, quote.side) = (block.timestamp, mints ? 0 : 1);
    }

    function attestation(Quote memory quote) private view returns (bytes memory) {
        return abi.encodePacked(
            abi.encodePacked(venue, quote.side, Payload.amount(quote.attestationId), Payload.amount(quote.price), Payload.amount(quote.quantity)),
            Payload.amount(quote.expiration),
            quote.userId,
            quote.additionalData,
            SIGNATURE
        );
    }

    function test_vaults() public {
        address vault = address(venue);
        tokens.push(vault);
        address[] memory both = new address[](2);
        (both[0], both[1]) = (taker, vault);
        TrickToken(vault).mint(both, FUNDS);
        vm.prank(taker);
        TrickToken(vault).approve(address(holder), SOLD);
        Order memory order = orderOf(tokens[0], vault, true, hop(8, 0, 1, abi.encodePacked(vault)));
        takes(IERC4626.deposit.selector, tokens[0], SOLD);
        brings(IERC4626.deposit.selector, vault, recipient, BROUGHT);
        expectSwap(order, false, SOLD, BROUGHT);
        expectCall(0, abi.encodeCall(IERC4626.deposit, (SOLD, recipient)), 0);
        order = orderOf(vault, tokens[0], true, hop(8, 0, 1, abi.encodePacked(vault)));
        takes(IERC4626.redeem.selector, vault, SOLD);
        brings(IERC4626.redeem.selector, tokens[0], recipient, BROUGHT);
        expectSwap(order, false, SOLD, BROUGHT);
        expectCall(1, abi.encodeCall(IERC4626.redeem, (SOLD, recipient, address(router))), 0);
        order = orderOf(tokens[0], tokens[2], true, hop(8, 0, 1, abi.encodePacked(vault)));
        expectReason(order, abi.encodeWithSignature("NotTheVaultsToken(address)", vault));
    }

    function test_makers_behind_their_router() public {
        bytes4 name = IPropAMMRouter.swapViaVenueV1.selector;
        address maker = makeAddr("maker");
        Order memory order = orderOf(tokens[0], tokens[2], true, hop(11, 0, 1, abi.encodePacked(maker, venue, Payload.amount(60 ether))));
        takes(name, tokens[0], SOLD);
        brings(name, tokens[2], recipient, BROUGHT);
        expectSwap(order, false, SOLD, BROUGHT);
        expectCall(
            0,
            abi.encodeCall(
                IPropAMMRouter.swapViaVenueV1, (maker, tokens[0], tokens[2], SOLD, 60 ether, recipient, block.timestamp)
            ),
            0
        );
    }

    function balancer(uint8 tokenIn, uint8 tokenOut) private view returns (bytes memory) {
        return hop(6, tokenIn, tokenOut, abi.encodePacked(venue, POOL));
    }

    function balancerCall(address tokenIn, address tokenOut, uint256 amount, address receiver) private view returns (bytes memory) {
        return abi.encodeCall(
            IBalancerVault.swap,
            (
                SingleSwap(POOL, 0, tokenIn, tokenOut, amount, ""),
                FundManagement(address(router), false, receiver, false),
                0,
                type(uint256).max
            )
        );
    }

    function hop(uint8 kind, uint8 tokenIn, uint8 tokenOut, bytes memory data) private pure returns (bytes memory) {
        return abi.encodePacked(kind, uint16(10_000), tokenIn, tokenOut, data);
    }
}
