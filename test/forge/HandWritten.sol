// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {Recorder} from "./Recorder.sol";

interface IByHand {
    error VenueReverted(address venue, bytes reason);
    error AnswerTooShort(address venue);
    error NativeRefused(address to, uint256 amount);
    error NotAVenue(address venue);
    error PoolInputUnfit(address pool, uint256 amountIn);
    error CallbackUnknown(uint256 name);
    error CallbackMalformed();
    error CallbackMissing(address venue);
    error CallbackAsksTooMuch(uint256 asked, uint256 remaining);
    error ManagerInputUnfit(address manager, uint256 amountIn);
    error PairInputUnfit(address pair, uint256 amountIn);
    error PairFeeUnfit(uint256 feePpm);

    function send(address to, uint256 value, bytes calldata input) external payable;
    function sendForWord(address to, bytes calldata input) external returns (uint256);
    function readWord(address to, bytes calldata input) external view returns (uint256);
    function readPair(address to, bytes4 name) external view returns (uint256, uint256);
    function swapPair(address to, uint256 amount0Out, uint256 amount1Out, address receiver) external;
    function reasonOf(address to) external returns (bytes memory reason, uint256 reserved);
    function pay(address token, address to, uint256 amount) external;
    function pull(address token, address owner, address to, uint256 amount) external;
    function approve(address token, address spender, uint256 amount) external;
    function offer(address token, address to, uint256 amount) external returns (bool);
    function balance(address token, address account) external view returns (uint256);
    function allowance(address token, address owner, address spender) external view returns (uint256);
    function ledger(address[] memory tokens, uint256[] memory amounts, uint256 place, uint256 amount)
        external
        pure
        returns (uint256 count, address[] memory tokensFound, uint256[] memory amountsFound, bytes32[2] memory beside);
    function integerAt(bytes calldata data, uint256 place, uint256 size) external pure returns (uint256 value, uint256 position);
    function aheadAt(bytes calldata data, uint256 place, uint256 size) external pure returns (uint256);
    function amountAt(bytes calldata data, uint256 place) external pure returns (uint256 value, uint256 position);
    function venueOf(bytes calldata data, address holder, uint256 size) external view returns (address, uint256);
    function witnessOf(address buyToken, address recipient, uint256 minBuyAmount, bytes calldata payload) external pure returns (bytes32);
    function permit(bytes32 tag, uint256 deadline, uint256 signedAmount, uint8 v, bytes32[3] calldata words, address[3] calldata accounts, uint256 amount)
        external;
    function callback(address token, uint256 most, bytes calldata data) external returns (uint256 left);
    function runV3(bytes calldata data, uint256 amountIn) external returns (uint256);
    function requireFit(address manager, uint256 amountIn) external pure;
    function output(address pair, uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 data) external pure returns (uint256);
    function unbooked(address pair, address token, uint256 booked) external view returns (uint256);
    function reserves(address pair, bool zeroForOne) external view returns (uint256, uint256);
}

/// For what is written by hand: harness/ByHand.sol, and somebody who takes any call.
abstract contract HandWritten is Test {
    IByHand internal hand = IByHand(deployCode("ByHand.sol"));
    Recorder internal other = new Recorder();

    function expectSeen(Recorder by, bytes memory input, uint256 value) internal view {
        (bytes memory data, uint256 came) = by.seen();
        assertEq(data, input);
        assertEq(came, value);
    }

    function assertReason(bytes memory input, bytes memory reason) internal {
        (bool ok, bytes memory found) = address(hand).call(input);
        assertFalse(ok);
        assertEq(found, reason);
    }

    function assertSucceeds(bytes memory input, bool expected) internal {
        (bool ok,) = address(hand).call(input);
        assertEq(ok, expected);
    }

    function hash(uint256 seed, uint256 place) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, place)));
    }

    function cut(bytes memory data, uint256 size) internal pure returns (bytes memory part) {
        part = new bytes(size);
        for (uint256 i = 0; i < size; i++) part[i] = data[i];
    }
}
