// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "../../contracts/interfaces/ISignatureTransfer.sol";
import {PERMIT2} from "../../contracts/lib/Addresses.sol";
import {Permits} from "../../contracts/lib/Permits.sol";
import {Terms} from "../../contracts/lib/Terms.sol";
import {HandWritten} from "./HandWritten.sol";
import {Recorder} from "./Recorder.sol";

/// What a taker signs, and how Permit2 is told: as the compiler would write it. Has too many variables for the compiler's older pipeline (foundry.toml).
contract PermitCallsTest is HandWritten {
    function setUp() public {
        vm.etch(PERMIT2, address(new Recorder()).code);
    }

    function testFuzz_witness(Terms memory terms, bytes memory payload) public view {
        bytes memory signed = abi.encodePacked(bytes32(uint256(1)), bytes32(uint256(2)), uint8(27), payload);
        assertEq(
            this.witnessOf(terms, signed),
            keccak256(
                abi.encode(
                    keccak256("Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)"),
                    terms.buyToken,
                    terms.recipient,
                    terms.minBuyAmount,
                    keccak256(payload)
                )
            )
        );
    }

    function testFuzz_permit2_is_called_as_the_compiler_calls_it(
        Terms memory terms,
        uint8 v,
        bytes32[3] memory words,
        address owner,
        address to,
        uint256 amount
    ) public {
        terms.deadline = bound(terms.deadline, 0, type(uint88).max);
        address token = address(uint160(hash(amount, 0)));
        uint256 signed = Permits.pack(terms, v);
        dirty();
        Permits.transfer(signed, terms.sellAmount, words[0], words[1], words[2], owner, token, to, amount);
        bytes memory expected = abi.encodeCall(
            ISignatureTransfer.permitWitnessTransferFrom,
            (
                ISignatureTransfer.PermitTransferFrom(
                    ISignatureTransfer.TokenPermissions(token, terms.sellAmount),
                    uint256(keccak256(abi.encodePacked("permit2-nonce", bytes16(terms.tag)))),
                    terms.deadline
                ),
                ISignatureTransfer.SignatureTransferDetails(to, amount),
                owner,
                words[0],
                "Swap witness)Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)TokenPermissions(address token,uint256 amount)",
                abi.encodePacked(words[1], words[2], v)
            )
        );
        expectSeen(Recorder(payable(PERMIT2)), expected, 0);
    }

    function witnessOf(Terms calldata terms, bytes calldata payload) external pure returns (bytes32) {
        Terms memory copy = terms;
        dirty();
        return Permits.witnessOf(copy, payload);
    }
}
