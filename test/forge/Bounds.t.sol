// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HandWritten, IByHand} from "./HandWritten.sol";

/// Where what is let through ends, to the unit, and what a pool may ask for.
/// forge-config: default.fuzz.runs = 100
contract BoundsTest is HandWritten {
    uint256 private constant MOST_SIGNED = uint256(type(int256).max);
    uint256 private constant MILLION = 1_000_000;

    bytes4 private constant NAME = 0x12345678;

    /// Of the two amounts the one above zero is what the pool asks for, and for nothing nobody is asked: some tokens do not move it.
    function test_a_v3_pool_is_paid_what_it_asks_for() public {
        expectPaid(7, -5, 7);
        expectPaid(-5, 9, 9);
        expectPaid(0, 9, 9);
        expectPaid(7, 0, 7);
        expectPaid(1, -1, 1);
        expectPaid(0, 0, 0);
        expectPaid(0, -5, 0);
        expectPaid(-5, 0, 0);
        expectPaid(-5, -5, 0);
    }

    function test_a_v3_call_back_has_both_amounts() public {
        other.tell(false, abi.encode(true));
        bytes memory whole = abi.encodeWithSelector(NAME, int256(7), int256(-5));
        for (uint256 size = 4; size < whole.length; size++) {
            bytes memory malformed = abi.encodeWithSelector(IByHand.CallbackMalformed.selector);
            assertReason(abi.encodeCall(hand.callback, (address(other), 7, cut(whole, size))), malformed);
        }
        assertEq(hand.callback(address(other), 7, whole), 0);
    }

    function test_a_v3_swap_takes_a_signed_amount() public {
        other.tell(false, "");
        bytes memory data = abi.encodePacked(other, uint8(0));
        assertReason(abi.encodeCall(hand.runV3, (data, MOST_SIGNED)), abi.encodeWithSelector(IByHand.CallbackMissing.selector, other));
        uint256 most = MOST_SIGNED + 1;
        assertReason(abi.encodeCall(hand.runV3, (data, most)), abi.encodeWithSelector(IByHand.PoolInputUnfit.selector, other, most));
        hand.requireFit(address(other), MOST_SIGNED);
        assertReason(abi.encodeCall(hand.requireFit, (address(other), most)), abi.encodeWithSelector(IByHand.ManagerInputUnfit.selector, other, most));
    }

    function test_names_of_v3_call_backs() public {
        other.tell(false, "");
        for (uint256 name = 2; name < 256; name++) {
            assertReason(
                abi.encodeCall(hand.runV3, (abi.encodePacked(other, uint8(name)), 1)), abi.encodeWithSelector(IByHand.CallbackUnknown.selector, name)
            );
        }
    }

    /// The pair's formula over the whole width of its books, and what is no fee and no input.
    function testFuzz_output_of_a_pair(uint112 amountIn, uint112 reserveIn, uint112 reserveOut, uint24 feePpm, bool measured) public view {
        feePpm = uint24(bound(feePpm, 0, MILLION - 1));
        vm.assume(amountIn > 0);
        uint256 kept = uint256(amountIn) * (MILLION - feePpm);
        uint256 data = measured ? feePpm | (1 << 23) : feePpm;
        assertEq(hand.output(address(other), amountIn, reserveIn, reserveOut, data), kept * reserveOut / (uint256(reserveIn) * MILLION + kept));
    }

    function test_ends_of_a_pair() public {
        uint256 most = type(uint112).max;
        hand.output(address(other), most, most, most, MILLION - 1);
        hand.output(address(other), 1, most, most, 0);
        assertReason(abi.encodeCall(hand.output, (address(other), 1, 1, 1, MILLION)), abi.encodeWithSelector(IByHand.PairFeeUnfit.selector, MILLION));
        assertReason(abi.encodeCall(hand.output, (address(other), 0, 1, 1, 0)), abi.encodeWithSelector(IByHand.PairInputUnfit.selector, other, 0));
        assertReason(abi.encodeCall(hand.output, (address(other), most + 1, 1, 1, 0)), abi.encodeWithSelector(IByHand.PairInputUnfit.selector, other, most + 1));
    }

    function testFuzz_what_lies_beside_the_books_of_a_pair(uint256 held, uint256 booked) public {
        other.tell(false, abi.encode(held));
        assertEq(hand.unbooked(address(1), address(other), booked), held > booked ? held - booked : 0);
    }

    function testFuzz_books_of_a_pair(uint256 first, uint256 second) public {
        other.tell(false, abi.encode(first, second));
        (uint256 reserveIn, uint256 reserveOut) = hand.reserves(address(other), true);
        assertEq(reserveIn, uint112(first));
        assertEq(reserveOut, uint112(second));
        (reserveIn, reserveOut) = hand.reserves(address(other), false);
        assertEq(reserveIn, uint112(second));
        assertEq(reserveOut, uint112(first));
    }

    /// What the token is told to pay to the pool: where that is nothing, it reverts if it is asked.
    function expectPaid(int256 amount0, int256 amount1, uint256 paid) private {
        other.tell(paid == 0, abi.encode(true));
        bytes memory data = abi.encodeWithSelector(NAME, amount0, amount1, "");
        assertEq(hand.callback(address(other), paid + 3, data), 3);
        if (paid > 0) expectSeen(other, abi.encodeWithSignature("transfer(address,uint256)", hand, paid), 0);
        if (paid == 0) return;
        assertEq(hand.callback(address(other), paid, data), 0);
        bytes memory tooMuch = abi.encodeWithSelector(IByHand.CallbackAsksTooMuch.selector, paid, paid - 1);
        assertReason(abi.encodeCall(hand.callback, (address(other), paid - 1, data)), tooMuch);
    }
}
