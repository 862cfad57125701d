// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "../interfaces/ISignatureTransfer.sol";
import {PERMIT2} from "./Addresses.sol";
import {Calls} from "./Calls.sol";
import {Cursor} from "./Cursor.sol";
import {Terms} from "./Terms.sol";

/// A signature by which Permit2 moves the sell token once, for this Router, and what it was given for. Permit2 holds it against all of that.
struct Permit {
    /// The account that is calling the Router, never one that calldata names.
    address owner;
    uint256 amount;
    uint256 nonce;
    uint256 deadline;
    /// Hash of the swap that was signed: what a wallet shows of it, and the whole payload.
    bytes32 witness;
    bytes32 r;
    bytes32 s;
    uint8 v;
}

using Permits for Permit global;

library Permits {
    /// The signature comes first in the payload: r, s, v.
    uint256 internal constant SIGNATURE_BYTES = 65;

    bytes32 private constant SWAP_TYPEHASH = keccak256("Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)");
    /// What follows `PermitWitnessTransferFrom(…,uint256 deadline,` in the type that is signed.
    string private constant WITNESS_TYPE =
        "Swap witness)Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)TokenPermissions(address token,uint256 amount)";

    /// Permit2 refused the signature or its nonce, or the token the transfer; with the start of the reason.
    error PermitRefused(bytes reason);
    /// No Permit2 on this chain.
    error PermitsUnknown();

    function readSignature(Cursor memory cursor) internal pure returns (Permit memory permit) {
        (permit.r, permit.s, permit.v) = (bytes32(cursor.integer(32)), bytes32(cursor.integer(32)), uint8(cursor.integer(1)));
    }

    /// What has to be signed for these terms. `payloadHash`: of the payload without the signature. The nonce follows from the quote's id, which is the
    /// first half of the tag: a quote is settled once.
    function bind(Permit memory permit, Terms memory terms, address owner, bytes32 payloadHash) internal pure {
        permit.owner = owner;
        permit.amount = terms.sellAmount;
        permit.nonce = uint256(keccak256(abi.encodePacked("permit2-nonce", bytes16(terms.tag))));
        // No time is that late: cut, it is not the one that was signed, and Permit2 refuses it.
        permit.deadline = uint88(terms.deadline);
        permit.witness = keccak256(abi.encode(SWAP_TYPEHASH, terms.buyToken, terms.recipient, terms.minBuyAmount, payloadHash));
    }

    /// Moves `amount` of `token`, at most what was signed for, and uses up the nonce.
    function transfer(Permit memory permit, address token, address to, uint256 amount) internal {
        if (PERMIT2.code.length == 0) revert PermitsUnknown();
        bytes memory input = abi.encodeCall(
            ISignatureTransfer.permitWitnessTransferFrom,
            (
                ISignatureTransfer.PermitTransferFrom(
                    ISignatureTransfer.TokenPermissions(token, permit.amount), permit.nonce, permit.deadline
                ),
                ISignatureTransfer.SignatureTransferDetails(to, amount),
                permit.owner,
                permit.witness,
                WITNESS_TYPE,
                abi.encodePacked(permit.r, permit.s, permit.v)
            )
        );
        bool ok;
        address permit2 = PERMIT2;
        assembly ("memory-safe") {
            ok := call(gas(), permit2, 0, add(input, 0x20), mload(input), 0, 0)
        }
        if (!ok) revert PermitRefused(Calls.reason());
    }
}
