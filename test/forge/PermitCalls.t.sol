// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "../../contracts/interfaces/ISignatureTransfer.sol";
import {PERMIT2} from "../../contracts/lib/Addresses.sol";
import {HandWritten} from "./HandWritten.sol";
import {Recorder} from "./Recorder.sol";

/// What a taker signs, and how Permit2 is told: as the compiler would write it.
/// forge-config: default.fuzz.runs = 100
contract PermitCallsTest is HandWritten {
    function setUp() public {
        vm.etch(PERMIT2, address(other).code);
    }

    function testFuzz_witness(address buyToken, address recipient, uint256 minBuyAmount, bytes memory payload) public view {
        bytes memory signed = abi.encodePacked(bytes32(uint256(1)), bytes32(uint256(2)), uint8(27), payload);
        bytes32 typeHash = keccak256("Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)");
        bytes32 witness = keccak256(abi.encode(typeHash, buyToken, recipient, minBuyAmount, keccak256(payload)));
        assertEq(hand.witnessOf(buyToken, recipient, minBuyAmount, signed), witness);
    }

    /// `words`: the witness, r and s; `accounts`: owner, token and receiver.
    function testFuzz_permit2_is_called_as_the_compiler_calls_it(
        bytes32 tag,
        uint88 deadline,
        uint256[2] memory amounts,
        uint8 v,
        bytes32[3] memory words,
        address[3] memory accounts
    ) public {
        hand.permit(tag, deadline, amounts[0], v, words, accounts, amounts[1]);
        ISignatureTransfer.PermitTransferFrom memory permitted = ISignatureTransfer.PermitTransferFrom(
            ISignatureTransfer.TokenPermissions(accounts[1], amounts[0]),
            uint256(keccak256(abi.encodePacked("permit2-nonce", bytes16(tag)))),
            deadline
        );
        bytes memory expected = abi.encodeCall(
            ISignatureTransfer.permitWitnessTransferFrom,
            (
                permitted,
                ISignatureTransfer.SignatureTransferDetails(accounts[2], amounts[1]),
                accounts[0],
                words[0],
                "Swap witness)Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)TokenPermissions(address token,uint256 amount)",
                abi.encodePacked(words[1], words[2], v)
            )
        );
        expectSeen(Recorder(payable(PERMIT2)), expected, 0);
    }
}
