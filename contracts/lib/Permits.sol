// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "../interfaces/ISignatureTransfer.sol";
import {PERMIT2} from "./Addresses.sol";
import {Calls} from "./Calls.sol";
import {Cursor} from "./Cursor.sol";
import {Terms} from "./Terms.sol";
import {Transient} from "./Transient.sol";

/// Signatures by which Permit2 moves the sell token once, for this Router, and what they were given for. Permit2 holds them against all of that.
library Permits {
    /// The signature comes first in the payload: r, s, v.
    uint256 internal constant SIGNATURE_BYTES = 65;

    bytes32 private constant SWAP_TYPEHASH = keccak256("Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)");
    /// What follows `PermitWitnessTransferFrom(…,uint256 deadline,` in the type that is signed.
    bytes private constant WITNESS_TYPE =
        "Swap witness)Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)TokenPermissions(address token,uint256 amount)";

    /// Of "permit2-nonce".
    uint256 private constant NONCE_NAME_BYTES = 13;

    /// Permit2 refused the signature or its nonce, or the token the transfer; with the start of the reason.
    error PermitRefused(bytes reason);
    /// No Permit2 on this chain.
    error PermitsUnknown();

    /// What `pack` keeps in one word: the quote's id | v << 128 | deadline << 136 | 1 << 255, which is never zero.
    uint256 private constant V_AT = 128;
    uint256 private constant DEADLINE_AT = 136;
    uint256 private constant PACKED = 1 << 255;

    function readSignature(Cursor memory cursor) internal pure returns (bytes32 r, bytes32 s, uint8 v) {
        (r, s, v) = (bytes32(cursor.integer(32)), bytes32(cursor.integer(32)), uint8(cursor.integer(1)));
    }

    /// Of what is signed for the part that is short. The quote's id is the first half of the tag.
    function pack(Terms memory terms, uint8 v) internal pure returns (uint256 signed) {
        // No time is that late: cut, it is not the one that was signed, and Permit2 refuses it.
        return uint128(bytes16(terms.tag)) | (uint256(v) << V_AT) | (uint256(uint88(terms.deadline)) << DEADLINE_AT) | PACKED;
    }

    /// What a wallet shows of the swap, and the hash of the payload without its signature, which has been read: the payload is as long at least.
    function witnessOf(Terms memory terms, bytes calldata payload) internal pure returns (bytes32 witness) {
        bytes32 typeHash = SWAP_TYPEHASH;
        (address buyToken, address recipient, uint256 minBuyAmount) = (terms.buyToken, terms.recipient, terms.minBuyAmount);
        // keccak256(payload[65:]), then of abi.encode of the five, where memory is free.
        assembly ("memory-safe") {
            let words := mload(0x40)
            let size := sub(payload.length, SIGNATURE_BYTES)
            calldatacopy(words, add(payload.offset, SIGNATURE_BYTES), size)
            mstore(add(words, 0x80), keccak256(words, size))
            mstore(words, typeHash)
            mstore(add(words, 0x20), shr(96, shl(96, buyToken)))
            mstore(add(words, 0x40), shr(96, shl(96, recipient)))
            mstore(add(words, 0x60), minBuyAmount)
            witness := keccak256(words, 0xa0)
        }
    }

    /// Moves `amount` of `token` by the signature that is kept, which it is not afterwards.
    function transferByKept(address token, address to, uint256 amount) internal {
        (uint256 signed, uint256 signedAmount, bytes32 witness, bytes32 r, bytes32 s) = Transient.takePermit();
        transfer(signed, signedAmount, witness, r, s, Transient.whoseSwap(), token, to, amount);
    }

    /// Moves `amount` of `token`, at most what was signed for, and uses up the nonce. `owner`: the account that is calling the Router, never one that
    /// calldata names.
    function transfer(
        uint256 signed,
        uint256 signedAmount,
        bytes32 witness,
        bytes32 r,
        bytes32 s,
        address owner,
        address token,
        address to,
        uint256 amount
    ) internal {
        if (PERMIT2.code.length == 0) revert PermitsUnknown();
        bytes4 name = ISignatureTransfer.permitWitnessTransferFrom.selector;
        bytes memory witnessType = WITNESS_TYPE;
        uint256 nonce = nonceOf(signed);
        uint256 deadline = uint88(signed >> DEADLINE_AT);
        address permit2 = PERMIT2;
        bool ok;
        // abi.encodeCall with ((token, signedAmount), nonce, deadline), (to, amount), owner, witness, the type, the signature: the compiler's own costs
        // 2,000 gas more, for copies of every part.
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, name)
            let words := add(input, 0x04)
            mstore(words, shr(96, shl(96, token)))
            mstore(add(words, 0x20), signedAmount)
            mstore(add(words, 0x40), nonce)
            mstore(add(words, 0x60), deadline)
            mstore(add(words, 0x80), shr(96, shl(96, to)))
            mstore(add(words, 0xa0), amount)
            mstore(add(words, 0xc0), shr(96, shl(96, owner)))
            mstore(add(words, 0xe0), witness)
            let typeSize := and(add(mload(witnessType), 0x3f), not(0x1f))
            mstore(add(words, 0x100), 0x140)
            mstore(add(words, 0x120), add(0x140, typeSize))
            mcopy(add(words, 0x140), witnessType, typeSize)
            let signature := add(add(words, 0x140), typeSize)
            mstore(signature, SIGNATURE_BYTES)
            mstore(add(signature, 0x20), r)
            mstore(add(signature, 0x40), s)
            // v, which is one byte, and zeros to the end of the word.
            mstore(add(signature, 0x60), shl(248, shr(V_AT, signed)))
            ok := call(gas(), permit2, 0, input, sub(add(signature, 0x80), input), 0, 0)
        }
        if (!ok) revert PermitRefused(Calls.reason());
    }

    /// It follows from the quote's id: a quote is settled once. keccak256("permit2-nonce" ‖ id).
    function nonceOf(uint256 signed) private pure returns (uint256 nonce) {
        bytes32 packed = bytes32("permit2-nonce") | (bytes32(bytes16(uint128(signed))) >> (8 * NONCE_NAME_BYTES));
        uint256 size = NONCE_NAME_BYTES + 16;
        assembly ("memory-safe") {
            mstore(0, packed)
            nonce := keccak256(0, size)
        }
    }
}
