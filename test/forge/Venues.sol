// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {Ground} from "./Ground.sol";
import {Order} from "./Payload.sol";
import {SlotReader} from "./SlotReader.sol";
import {Teller, TokenTeller} from "./Teller.sol";

/// For legs against a venue that does what it was told, by the artifact of the Router: what a venue is called with, and whose money moved.
abstract contract Venues is Ground {
    /// What lies in the Router, and is nobody's: no swap may touch it.
    uint256 internal constant GIFT = 5 ether;
    uint256 internal constant SOLD = 100 ether;
    uint256 internal constant BROUGHT = 70 ether;

    event Swap(
        bytes32 indexed tag,
        address indexed taker,
        address recipient,
        address sellToken,
        address buyToken,
        uint256 sellAmount,
        uint256 buyAmount,
        uint256 feeAmount
    );

    uint256 private constant SLOTS = 12;

    Teller internal venue;
    address private reader = address(new SlotReader());

    function setUp() public virtual override {
        super.setUp();
        venue = new TokenTeller();
        for (uint256 i = 0; i < tokens.length; i++) {
            fund(tokens[i], address(venue), FUNDS);
            fund(tokens[i], address(router), GIFT);
        }
        vm.deal(address(venue), FUNDS);
        vm.deal(address(router), GIFT);
    }

    /// Sells the whole by these hops, over token 1. `direct`: hops pay the recipient; otherwise the Router does, since all above the quote could be kept.
    function orderOf(address sold, address bought, bool direct, bytes memory hops) internal view returns (Order memory order) {
        (order.sellToken, order.buyToken, order.sellAmount, order.tag) = (sold, bought, SOLD, keccak256(hops));
        (order.deadline, order.recipient, order.surplus) = (block.timestamp, recipient, direct ? 1 : 0);
        order.quotedNet = FUNDS;
        order.route = abi.encodePacked(uint8(1), tokens[1], hops);
    }

    /// Whom a hop lets its output come to.
    function receiverOf(Order memory order) internal view returns (address) {
        return order.surplus == 1 && order.buyToken != NATIVE ? recipient : address(router);
    }

    /// Called by that name, the venue pays the hop's output.
    function brings(bytes4 name, address token, address receiver, uint256 amount) internal {
        if (token == NATIVE) venue.does(name, receiver, amount, "");
        else venue.does(name, token, 0, abi.encodeCall(TrickToken.transfer, (receiver, amount)));
    }

    /// Called by that name, the venue takes what it was approved for.
    function takes(bytes4 name, address token, uint256 amount) internal {
        venue.does(name, token, 0, abi.encodeCall(TrickToken.transferFrom, (address(router), address(venue), amount)));
    }

    /// Runs it: the taker has paid so much, the recipient got so much, the log says so, and the Router holds what it held and has approved nothing.
    function expectSwap(Order memory order, bool permitted, uint256 sold, uint256 received) internal {
        (uint256 had, uint256 got) = (balance(order.sellToken, taker), balance(order.buyToken, recipient));
        uint256[] memory held = routersOwn();
        vm.expectEmit(address(router));
        emit Swap(order.tag, taker, recipient, order.sellToken, order.buyToken, sold, received, 0);
        (bool ok, bytes memory reason) = send(order, permitted);
        assertTrue(ok, vm.toString(reason));
        assertEq(had - balance(order.sellToken, taker), sold, "sold");
        assertEq(balance(order.buyToken, recipient) - got, received, "received");
        assertEq(routersOwn(), held, "the Router's");
        for (uint256 i = 0; i < tokens.length; i++) assertEq(TrickToken(tokens[i]).allowance(address(router), address(venue)), 0);
    }

    function expectReason(Order memory order, bytes memory reason) internal {
        (bool ok, bytes memory found) = send(order, false);
        assertFalse(ok, "let through");
        assertEq(found, reason);
    }

    /// Every slot of the Router's transient storage is zero outside of a swap. All of a test is one transaction.
    function assertNothingExpected() internal {
        bytes memory code = address(router).code;
        vm.etch(address(router), reader.code);
        for (uint256 slot = 0; slot < SLOTS; slot++) assertEq(SlotReader(address(router)).read(slot), 0, "transient storage");
        vm.etch(address(router), code);
    }

    /// What a venue reverts with arrives with the venue's name, and the start of it.
    function venueReverted(bytes memory reason) internal view returns (bytes memory) {
        return abi.encodeWithSignature("VenueReverted(address,bytes)", venue, reason);
    }

    /// The call that came at that turn.
    function expectCall(uint256 turn, bytes memory input, uint256 value) internal view {
        Teller.Seen memory seen = venue.seen()[turn];
        assertEq(seen.input, input);
        assertEq(seen.value, value);
    }

    function routersOwn() internal view returns (uint256[] memory held) {
        held = new uint256[](tokens.length + 1);
        for (uint256 i = 0; i < tokens.length; i++) held[i] = balance(tokens[i], address(router));
        held[tokens.length] = address(router).balance;
    }
}
