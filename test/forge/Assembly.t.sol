// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "../../contracts/interfaces/IERC20.sol";
import {IUniswapV2Pair} from "../../contracts/interfaces/IUniswapV2Pair.sol";
import {LAST_PRECOMPILE, NATIVE, PERMIT2} from "../../contracts/lib/Addresses.sol";
import {Calls} from "../../contracts/lib/Calls.sol";
import {Cursor, Reading} from "../../contracts/lib/Cursor.sol";
import {Ledger, Ledgers} from "../../contracts/lib/Ledger.sol";
import {Offers} from "../../contracts/lib/Offers.sol";
import {Tokens} from "../../contracts/lib/Tokens.sol";
import {HandWritten} from "./HandWritten.sol";
import {Recorder} from "./Recorder.sol";

/// What is written by hand in assembly does what the compiler's own would: each beside its plain version, on memory that is full of what was there before.
contract AssemblyTest is HandWritten {
    uint256 private constant MAX_REASON = 256;

    Recorder private other = new Recorder();

    // Calls ------------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_calls_are_what_the_compiler_writes(uint256 value, uint256 word, address account, bytes memory tail) public {
        value = bound(value, 1, 1 ether);
        vm.deal(address(this), value);
        bytes memory input = abi.encodePacked(word, account, tail);
        dirty();
        Calls.send(address(other), value, input);
        expectSeen(other, input, value);
        dirty();
        assertEq(Calls.sendForWord(address(other), input), uint256(keccak256(input)));
        expectSeen(other, input, 0);
        dirty();
        assertEq(Calls.readWord(address(other), input), uint256(keccak256(input)));
        dirty();
        (uint256 first, uint256 second) = Calls.readPair(address(other), bytes4(bytes32(word)));
        bytes32 hash = keccak256(abi.encodePacked(bytes4(bytes32(word))));
        assertEq(bytes32(first), hash);
        assertEq(bytes32(second), keccak256(abi.encode(hash)));
        dirty();
        Calls.swapPair(address(other), word, value, account);
        expectSeen(other, abi.encodeCall(IUniswapV2Pair.swap, (word, value, account, "")), 0);
    }

    /// An answer is too short by a byte, or long enough; whatever follows is not looked at.
    function testFuzz_answers_are_as_long_as_they_have_to_be(bytes32 first, bytes32 second) public {
        bytes memory answer = abi.encodePacked(first, second);
        uint8[6] memory sizes = [0, 1, 0x1f, 0x20, 0x3f, 0x40];
        for (uint256 i = 0; i < sizes.length; i++) {
            uint256 size = sizes[i];
            other.tell(false, cut(answer, size));
            assertAnswer(this.sendForWord, size >= 0x20, first);
            assertAnswer(this.readWord, size >= 0x20, first);
            try this.readPair(address(other)) returns (bytes32 one, bytes32 two) {
                assertEq(size, 0x40);
                assertEq(one, first);
                assertEq(two, second);
            } catch (bytes memory reason) {
                assertLt(size, 0x40);
                assertEq(reason, abi.encodeWithSelector(Calls.AnswerTooShort.selector, other));
            }
        }
        dirty();
        Calls.send(address(other), 0, "");
    }

    /// Up to a bound, and in memory of its own.
    function test_reasons_are_passed_on() public {
        bytes32 word = keccak256("any reason");
        for (uint256 size = 0; size < MAX_REASON + 40; size += size % 32 == 1 || size % 32 == 31 || size % 32 == 0 ? 1 : 15) {
            bytes memory reason = new bytes(size);
            for (uint256 i = 0; i < size; i++) reason[i] = word[i % 32];
            other.tell(true, reason);
            bytes memory passedOn = abi.encodeWithSelector(Calls.VenueReverted.selector, other, cut(reason, size < MAX_REASON ? size : MAX_REASON));
            assertReason(abi.encodeCall(this.send, (address(other), 0, "")), passedOn);
            assertReason(abi.encodeCall(this.sendForWord, (address(other), "")), passedOn);
            assertReason(abi.encodeCall(this.readWord, (address(other), "")), passedOn);
            assertReason(abi.encodeCall(this.readPair, (address(other))), passedOn);
            assertReason(abi.encodeCall(this.swapPair, (address(other))), passedOn);
            (bool ok,) = address(other).call("x");
            bytes memory found = Calls.reason();
            assertFalse(ok);
            assertEq(found, cut(reason, size < MAX_REASON ? size : MAX_REASON));
            assertEq(freeMemory() % 32, 0);
        }
    }

    // Tokens -----------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_tokens_are_asked_as_the_compiler_asks(address one, address two, uint256 amount) public {
        vm.assume(one != NATIVE);
        IERC20 token = IERC20(address(other));
        dirty();
        assertEq(Tokens.balance(address(token), one), uint256(keccak256(abi.encodeCall(token.balanceOf, (one)))));
        dirty();
        assertEq(Tokens.allowance(address(token), one, two), uint256(keccak256(abi.encodeCall(token.allowance, (one, two)))));
        other.tell(false, abi.encode(true));
        dirty();
        Tokens.pay(address(token), one, amount);
        expectSeen(other, abi.encodeCall(token.transfer, (one, amount)), 0);
        dirty();
        Tokens.pull(address(token), one, two, amount);
        expectSeen(other, abi.encodeCall(token.transferFrom, (one, two, amount)), 0);
        dirty();
        Tokens.approve(address(token), one, amount);
        expectSeen(other, abi.encodeCall(token.approve, (one, amount)), 0);
        dirty();
        assertTrue(Offers.offer(address(token), two, amount));
        expectSeen(other, abi.encodeCall(token.transfer, (two, amount)), 0);
    }

    function testFuzz_native_is_paid(uint256 amount) public {
        amount = bound(amount, 1, 1 ether);
        vm.deal(address(this), 2 * amount);
        Tokens.pay(NATIVE, address(other), amount);
        assertEq(address(other).balance, amount);
        assertTrue(Offers.offer(NATIVE, address(other), amount));
        assertEq(address(other).balance, 2 * amount);
        assertFalse(Offers.offer(NATIVE, address(other), amount));
        assertReason(abi.encodeCall(this.pay, (NATIVE, address(other), amount)), abi.encodeWithSelector(Tokens.NativeRefused.selector, other, amount));
    }

    /// A transfer went through if it says exactly true, or nothing at all. An offer is refused by exactly false; what says anything else may have moved something.
    function test_what_a_token_says() public {
        bytes32 word = keccak256("anything");
        bytes32[4] memory words = [bytes32(uint256(1)), bytes32(0), bytes32(uint256(2)), word];
        uint8[7] memory sizes = [0, 1, 0x1f, 0x20, 0x21, 0x40, 0x41];
        for (uint256 i = 0; i < words.length; i++) {
            for (uint256 j = 0; j < sizes.length; j++) {
                other.tell(false, cut(abi.encodePacked(words[i], word, word), sizes[j]));
                assertSaid(words[i], sizes[j]);
            }
        }
        other.tell(true, abi.encode(true));
        assertSucceeds(abi.encodeCall(this.pay, (address(other), address(1), 1)), false);
        assertSucceeds(abi.encodeCall(this.pull, (address(other), address(1))), false);
        assertSucceeds(abi.encodeCall(this.approve, (address(other))), false);
        assertSucceeds(abi.encodeCall(this.balance, (address(other))), false);
        assertSucceeds(abi.encodeCall(this.allowance, (address(other))), false);
        assertFalse(this.offer(address(other)));
        address nobody = makeAddr("nobody");
        assertSucceeds(abi.encodeCall(this.pay, (nobody, address(1), 1)), false);
        assertSucceeds(abi.encodeCall(this.pull, (nobody, address(1))), false);
        assertSucceeds(abi.encodeCall(this.approve, (nobody)), false);
        assertSucceeds(abi.encodeCall(this.offer, (nobody)), false);
        assertSucceeds(abi.encodeCall(this.balance, (nobody)), false);
    }

    function assertSaid(bytes32 first, uint256 size) private {
        bool saysTrue = size == 0 || size >= 0x20 && first == bytes32(uint256(1));
        bool saysFalse = size >= 0x20 && first == 0;
        assertSucceeds(abi.encodeCall(this.pay, (address(other), address(1), 1)), saysTrue);
        assertSucceeds(abi.encodeCall(this.pull, (address(other), address(1))), saysTrue);
        assertSucceeds(abi.encodeCall(this.approve, (address(other))), saysTrue);
        assertSucceeds(abi.encodeCall(this.offer, (address(other))), saysTrue || saysFalse);
        if (saysTrue || saysFalse) assertEq(this.offer(address(other)), saysTrue);
        assertSucceeds(abi.encodeCall(this.balance, (address(other))), size >= 0x20);
        assertSucceeds(abi.encodeCall(this.allowance, (address(other))), size >= 0x20);
        if (size < 0x20) return;
        assertEq(bytes32(this.balance(address(other))), first);
        assertEq(bytes32(this.allowance(address(other))), first);
    }

    // Ledger -----------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_the_ledger_is_two_arrays(uint8 more, uint256 seed) public pure {
        uint256 count = 2 + uint256(more);
        address[] memory tokens = new address[](count);
        uint256[] memory amounts = new uint256[](count);
        dirty();
        Ledger ledger = Ledgers.open(count);
        // What is reserved after it lies beside it.
        bytes32[] memory after_ = new bytes32[](2);
        for (uint256 i = 0; i < count; i++) {
            (tokens[i], amounts[i]) = (address(uint160(hash(seed, i))), hash(seed, ~i));
            ledger.enter(i, tokens[i], amounts[i]);
        }
        (after_[0], after_[1]) = (~bytes32(0), ~bytes32(0));
        uint256 changed = seed % count;
        amounts[changed] = hash(seed, count);
        ledger.setAmount(changed, amounts[changed]);
        assertEq(ledger.count(), count);
        for (uint256 i = 0; i < count; i++) {
            assertEq(ledger.token(i), tokens[i]);
            assertEq(ledger.amount(i), amounts[i]);
        }
        assertEq(after_[0] & after_[1], ~bytes32(0));
        assertEq(freeMemory() % 32, 0);
    }

    // Cursor -----------------------------------------------------------------------------------------------------------------------------------------

    function testFuzz_calldata_is_read_to_the_byte(bytes calldata data, uint256 place) public {
        place = bound(place, 0, data.length);
        for (uint256 size = 1; size <= 32; size++) {
            bool fits = place + size <= data.length;
            try this.integerAt(data, place, size) returns (uint256 value, uint256 ahead, uint256 position) {
                assertTrue(fits);
                assertEq(value, uint256(bytes32(data[place:place + size])) >> (256 - 8 * size));
                assertEq(ahead, value);
                assertEq(position, place + size);
            } catch {
                assertFalse(fits);
            }
        }
        uint256 length = place < data.length ? uint8(data[place]) % 40 : 40;
        bytes memory copy = data;
        if (place < data.length) copy[place] = bytes1(uint8(length));
        try this.amountAt(copy, place) returns (uint256 value, uint256 position) {
            assertTrue(length <= 32 && place + 1 + length <= data.length);
            uint256 expected;
            for (uint256 i = 0; i < length; i++) expected = (expected << 8) | uint8(copy[place + 1 + i]);
            assertEq(value, expected);
            assertEq(position, place + 1 + length);
        } catch {
            assertFalse(length <= 32 && place + 1 + length <= data.length);
        }
    }

    /// Each of the five that is no venue, alone, and next to it one that is.
    function testFuzz_venues(address holder, address venue, uint96 rest) public {
        vm.assume(uint160(venue) > LAST_PRECOMPILE && venue != PERMIT2 && venue.code.length == 0 && venue != holder && holder.code.length == 0);
        assertNoVenue(holder, venue, rest);
        vm.etch(venue, hex"00");
        for (uint256 size = 0; size <= 12; size++) {
            (address found, uint256 follows) = this.venueOf(abi.encodePacked(venue, uint96(rest) << uint96(96 - 8 * size)), holder, size);
            assertEq(found, venue);
            assertEq(follows, size == 12 ? rest : rest & ((uint256(1) << (8 * size)) - 1));
        }
        assertNoVenue(venue, venue, rest);
        assertNoVenue(holder, PERMIT2, rest);
        assertNoVenue(holder, address(this), rest);
        vm.etch(address(LAST_PRECOMPILE), hex"00");
        vm.etch(address(LAST_PRECOMPILE + 1), hex"00");
        assertNoVenue(holder, address(LAST_PRECOMPILE), rest);
        this.venueOf(abi.encodePacked(address(LAST_PRECOMPILE + 1)), holder, 0);
    }

    // Asked from outside, so that a revert can be looked at ----------------------------------------------------------------------------------------------

    function send(address to, uint256 value, bytes memory input) external {
        dirty();
        Calls.send(to, value, input);
    }

    function sendForWord(address to, bytes memory input) external returns (bytes32) {
        dirty();
        return bytes32(Calls.sendForWord(to, input));
    }

    function readWord(address to, bytes memory input) external returns (bytes32) {
        dirty();
        return bytes32(Calls.readWord(to, input));
    }

    function readPair(address to) external view returns (bytes32, bytes32) {
        dirty();
        (uint256 first, uint256 second) = Calls.readPair(to, IUniswapV2Pair.getReserves.selector);
        return (bytes32(first), bytes32(second));
    }

    function swapPair(address to) external {
        dirty();
        Calls.swapPair(to, 1, 2, address(3));
    }

    function pay(address token, address to, uint256 amount) external {
        dirty();
        Tokens.pay(token, to, amount);
    }

    function pull(address token, address to) external {
        dirty();
        Tokens.pull(token, address(2), to, 1);
    }

    function approve(address token) external {
        dirty();
        Tokens.approve(token, address(2), 1);
    }

    function offer(address token) external returns (bool) {
        dirty();
        return Offers.offer(token, address(2), 1);
    }

    function balance(address token) external view returns (uint256) {
        dirty();
        return Tokens.balance(token, address(2));
    }

    function allowance(address token) external view returns (uint256) {
        dirty();
        return Tokens.allowance(token, address(2), address(3));
    }

    function integerAt(bytes calldata data, uint256 place, uint256 size) external pure returns (uint256 value, uint256 ahead, uint256 position) {
        Cursor memory cursor = Reading.open(data);
        ahead = cursor.ahead(place, size);
        uint256 start = cursor.position;
        cursor.position += place;
        value = cursor.integer(size);
        position = cursor.position - start;
    }

    function amountAt(bytes calldata data, uint256 place) external pure returns (uint256 value, uint256 position) {
        Cursor memory cursor = Reading.open(data);
        uint256 start = cursor.position;
        cursor.position += place;
        value = cursor.amount();
        position = cursor.position - start;
    }

    function venueOf(bytes calldata data, address holder, uint256 size) external view returns (address, uint256) {
        return Reading.open(data).venueWith(holder, size);
    }

    // ----------------------------------------------------------------------------------------------------------------------------------------------------

    function freeMemory() private pure returns (uint256 start) {
        assembly ("memory-safe") {
            start := mload(0x40)
        }
    }

    function cut(bytes memory data, uint256 size) private pure returns (bytes memory part) {
        part = new bytes(size);
        for (uint256 i = 0; i < size; i++) part[i] = data[i];
    }

    function assertReason(bytes memory call, bytes memory reason) private {
        (bool ok, bytes memory found) = address(this).call(call);
        assertFalse(ok);
        assertEq(found, reason);
    }

    function assertSucceeds(bytes memory call, bool expected) private {
        (bool ok,) = address(this).call(call);
        assertEq(ok, expected);
    }

    function assertAnswer(function(address, bytes memory) external returns (bytes32) ask, bool isLongEnough, bytes32 expected) private {
        try ask(address(other), "") returns (bytes32 word) {
            assertTrue(isLongEnough);
            assertEq(word, expected);
        } catch (bytes memory reason) {
            assertFalse(isLongEnough);
            assertEq(reason, abi.encodeWithSelector(Calls.AnswerTooShort.selector, other));
        }
    }

    function assertNoVenue(address holder, address venue, uint96 rest) private {
        assertReason(abi.encodeCall(this.venueOf, (abi.encodePacked(venue, rest), holder, 12)), abi.encodeWithSelector(Reading.NotAVenue.selector, venue));
    }
}
