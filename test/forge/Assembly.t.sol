// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "../../contracts/interfaces/IERC20.sol";
import {IUniswapV2Pair} from "../../contracts/interfaces/IUniswapV2Pair.sol";
import {LAST_PRECOMPILE, NATIVE, PERMIT2} from "../../contracts/lib/Addresses.sol";
import {HandWritten, IByHand} from "./HandWritten.sol";

/// What is written by hand in assembly does what the compiler's own would: each beside its plain version.
/// forge-config: default.fuzz.runs = 100
contract AssemblyTest is HandWritten {
    uint256 private constant MAX_REASON = 256;

    // Calls ------------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_calls_are_what_the_compiler_writes(uint256 value, uint256 word, address account, bytes memory tail) public {
        value = bound(value, 1, 1 ether);
        vm.deal(address(this), value);
        bytes memory input = abi.encodePacked(word, account, tail);
        hand.send{value: value}(address(other), value, input);
        expectSeen(other, input, value);
        assertEq(hand.sendForWord(address(other), input), uint256(keccak256(input)));
        expectSeen(other, input, 0);
        assertEq(hand.readWord(address(other), input), uint256(keccak256(input)));
        (uint256 first, uint256 second) = hand.readPair(address(other), bytes4(bytes32(word)));
        bytes32 once = keccak256(abi.encodePacked(bytes4(bytes32(word))));
        assertEq(bytes32(first), once);
        assertEq(bytes32(second), keccak256(abi.encode(once)));
        hand.swapPair(address(other), word, value, account);
        expectSeen(other, abi.encodeCall(IUniswapV2Pair.swap, (word, value, account, "")), 0);
    }

    /// An answer is too short by a byte, or long enough; whatever follows is not looked at.
    function testFuzz_answers_are_as_long_as_they_have_to_be(uint256 first, uint256 second) public {
        bytes memory tooShort = abi.encodeWithSelector(IByHand.AnswerTooShort.selector, other);
        uint8[7] memory sizes = [0, 1, 0x1f, 0x20, 0x3f, 0x40, 0x41];
        for (uint256 i = 0; i < sizes.length; i++) {
            other.tell(false, cut(abi.encodePacked(first, second, first), sizes[i]));
            hand.send(address(other), 0, "");
            if (sizes[i] >= 0x20) {
                assertEq(hand.sendForWord(address(other), ""), first);
                assertEq(hand.readWord(address(other), ""), first);
            } else {
                assertReason(abi.encodeCall(hand.sendForWord, (address(other), "")), tooShort);
                assertReason(abi.encodeCall(hand.readWord, (address(other), "")), tooShort);
            }
            if (sizes[i] >= 0x40) {
                (uint256 one, uint256 two) = hand.readPair(address(other), 0x12345678);
                assertEq(one, first);
                assertEq(two, second);
            } else {
                assertReason(abi.encodeCall(hand.readPair, (address(other), 0x12345678)), tooShort);
            }
        }
    }

    /// Up to a bound, and in memory of its own.
    function test_reasons_are_passed_on() public {
        uint16[11] memory sizes = [0, 1, 31, 32, 33, 63, 64, 255, 256, 257, 300];
        for (uint256 i = 0; i < sizes.length; i++) {
            bytes memory reason = new bytes(sizes[i]);
            for (uint256 j = 0; j < reason.length; j++) reason[j] = bytes1(uint8(j + 1));
            other.tell(true, reason);
            bytes memory start = cut(reason, reason.length < MAX_REASON ? reason.length : MAX_REASON);
            bytes memory passedOn = abi.encodeWithSelector(IByHand.VenueReverted.selector, other, start);
            assertReason(abi.encodeCall(hand.send, (address(other), 0, "")), passedOn);
            assertReason(abi.encodeCall(hand.sendForWord, (address(other), "")), passedOn);
            assertReason(abi.encodeCall(hand.readWord, (address(other), "")), passedOn);
            assertReason(abi.encodeCall(hand.readPair, (address(other), 0x12345678)), passedOn);
            assertReason(abi.encodeCall(hand.swapPair, (address(other), 1, 2, address(3))), passedOn);
            (bytes memory found, uint256 reserved) = hand.reasonOf(address(other));
            assertEq(found, start);
            assertEq(reserved, 32 + (start.length + 31) / 32 * 32);
        }
    }

    // Tokens -----------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_tokens_are_asked_as_the_compiler_asks(address one, address two, uint256 amount) public {
        vm.assume(one != NATIVE);
        IERC20 token = IERC20(address(other));
        assertEq(hand.balance(address(token), one), uint256(keccak256(abi.encodeCall(token.balanceOf, (one)))));
        assertEq(hand.allowance(address(token), one, two), uint256(keccak256(abi.encodeCall(token.allowance, (one, two)))));
        other.tell(false, abi.encode(true));
        hand.pay(address(token), one, amount);
        expectSeen(other, abi.encodeCall(token.transfer, (one, amount)), 0);
        hand.pull(address(token), one, two, amount);
        expectSeen(other, abi.encodeCall(token.transferFrom, (one, two, amount)), 0);
        hand.approve(address(token), one, amount);
        expectSeen(other, abi.encodeCall(token.approve, (one, amount)), 0);
        assertTrue(hand.offer(address(token), two, amount));
        expectSeen(other, abi.encodeCall(token.transfer, (two, amount)), 0);
    }

    function testFuzz_native_is_paid(uint256 amount) public {
        amount = bound(amount, 1, 1 ether);
        vm.deal(address(hand), 2 * amount);
        hand.pay(NATIVE, address(other), amount);
        assertEq(address(other).balance, amount);
        assertTrue(hand.offer(NATIVE, address(0xdead), amount));
        assertEq(address(0xdead).balance, amount);
        assertFalse(hand.offer(NATIVE, address(0xdead), amount));
        assertReason(abi.encodeCall(hand.pay, (NATIVE, address(other), amount)), abi.encodeWithSelector(IByHand.NativeRefused.selector, other, amount));
        assertEq(hand.balance(NATIVE, address(other)), amount);
    }

    /// A transfer went through if it says exactly true, or nothing at all. An offer is refused by exactly false; what says anything else may have moved something.
    function test_what_a_token_says() public {
        bytes32 word = keccak256("anything");
        bytes32[4] memory words = [bytes32(uint256(1)), bytes32(0), bytes32(uint256(2)), word];
        uint8[7] memory sizes = [0, 1, 0x1f, 0x20, 0x21, 0x40, 0x41];
        for (uint256 i = 0; i < words.length; i++) {
            for (uint256 j = 0; j < sizes.length; j++) {
                other.tell(false, cut(abi.encodePacked(words[i], word, word), sizes[j]));
                bool saysTrue = sizes[j] == 0 || sizes[j] >= 0x20 && words[i] == bytes32(uint256(1));
                bool saysFalse = sizes[j] >= 0x20 && words[i] == 0;
                assertMoves(address(other), saysTrue);
                assertSucceeds(abi.encodeCall(hand.offer, (address(other), address(1), 1)), saysTrue || saysFalse);
                if (saysTrue || saysFalse) assertEq(hand.offer(address(other), address(1), 1), saysTrue);
                assertReads(address(other), sizes[j] >= 0x20);
                if (sizes[j] < 0x20) continue;
                assertEq(bytes32(hand.balance(address(other), address(1))), words[i]);
                assertEq(bytes32(hand.allowance(address(other), address(1), address(2))), words[i]);
            }
        }
        other.tell(true, abi.encode(true));
        assertMoves(address(other), false);
        assertReads(address(other), false);
        assertFalse(hand.offer(address(other), address(1), 1));
        address nobody = makeAddr("nobody");
        assertMoves(nobody, false);
        assertReads(nobody, false);
        assertSucceeds(abi.encodeCall(hand.offer, (nobody, address(1), 1)), false);
    }

    function assertMoves(address token, bool expected) private {
        assertSucceeds(abi.encodeCall(hand.pay, (token, address(1), 1)), expected);
        assertSucceeds(abi.encodeCall(hand.pull, (token, address(1), address(2), 1)), expected);
        assertSucceeds(abi.encodeCall(hand.approve, (token, address(1), 1)), expected);
    }

    function assertReads(address token, bool expected) private {
        assertSucceeds(abi.encodeCall(hand.balance, (token, address(1))), expected);
        assertSucceeds(abi.encodeCall(hand.allowance, (token, address(1), address(2))), expected);
    }

    // Ledger -----------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_the_ledger_is_two_arrays(uint8 more, uint256 seed) public view {
        address[] memory tokens = new address[](2 + uint256(more));
        uint256[] memory amounts = new uint256[](tokens.length);
        for (uint256 i = 0; i < tokens.length; i++) (tokens[i], amounts[i]) = (address(uint160(hash(seed, i))), hash(seed, ~i));
        uint256 place = seed % tokens.length;
        (uint256 count, address[] memory tokensFound, uint256[] memory amountsFound, bytes32[2] memory beside) = hand.ledger(tokens, amounts, place, seed);
        amounts[place] = seed;
        assertEq(count, tokens.length);
        assertEq(tokensFound, tokens);
        assertEq(amountsFound, amounts);
        assertEq(beside[0] & beside[1], ~bytes32(0));
    }

    // Cursor -----------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_calldata_is_read_to_the_byte(bytes memory data, uint256 place) public view {
        place = bound(place, 0, data.length);
        for (uint256 size = 1; size <= 32; size++) {
            bool isThere = place + size <= data.length;
            try hand.integerAt(data, place, size) returns (uint256 value, uint256 position) {
                assertTrue(isThere);
                assertEq(value, integer(data, place, size));
                assertEq(position, place + size);
            } catch {
                assertFalse(isThere);
            }
            try hand.aheadAt(data, place, size) returns (uint256 value) {
                assertTrue(isThere);
                assertEq(value, integer(data, place, size));
            } catch {
                assertFalse(isThere);
            }
        }
        uint256 length = place < data.length ? uint8(data[place]) % 40 : 40;
        if (place < data.length) data[place] = bytes1(uint8(length));
        bool fits = length <= 32 && place + 1 + length <= data.length;
        try hand.amountAt(data, place) returns (uint256 value, uint256 position) {
            assertTrue(fits);
            assertEq(value, integer(data, place + 1, length));
            assertEq(position, place + 1 + length);
        } catch {
            assertFalse(fits);
        }
    }

    function integer(bytes memory data, uint256 place, uint256 size) private pure returns (uint256 value) {
        for (uint256 i = 0; i < size; i++) value = (value << 8) | uint8(data[place + i]);
    }

    /// Each of the five that is no venue, alone, and next to it one that is.
    function testFuzz_venues(address holder, address venue, uint96 rest) public {
        vm.assume(uint160(venue) > LAST_PRECOMPILE + 1 && venue != PERMIT2 && venue.code.length == 0 && venue != holder && holder.code.length == 0);
        assertNoVenue(holder, venue, rest);
        vm.etch(venue, hex"00");
        for (uint256 size = 0; size <= 12; size++) {
            (address found, uint256 follows) = hand.venueOf(abi.encodePacked(venue, uint96(rest << (96 - 8 * size))), holder, size);
            assertEq(found, venue);
            assertEq(follows, rest & ((uint256(1) << (8 * size)) - 1));
        }
        assertNoVenue(venue, venue, rest);
        vm.etch(PERMIT2, hex"00");
        assertNoVenue(holder, PERMIT2, rest);
        assertNoVenue(holder, address(hand), rest);
        vm.etch(address(LAST_PRECOMPILE), hex"00");
        vm.etch(address(LAST_PRECOMPILE + 1), hex"00");
        assertNoVenue(holder, address(LAST_PRECOMPILE), rest);
        hand.venueOf(abi.encodePacked(address(LAST_PRECOMPILE + 1)), holder, 0);
    }

    function assertNoVenue(address holder, address venue, uint96 rest) private {
        assertReason(abi.encodeCall(hand.venueOf, (abi.encodePacked(venue, rest), holder, 12)), abi.encodeWithSelector(IByHand.NotAVenue.selector, venue));
    }
}
