// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAllowanceHolder} from "./interfaces/IAllowanceHolder.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {LAST_PRECOMPILE, PERMIT2} from "./lib/Addresses.sol";
import {Tokens} from "./lib/Tokens.sol";

/// The only contract that takers approve. A grant lives for one call, is set by its owner alone, and names who may use it, for which token and how
/// much. Besides `executeFrom` on a target and `transferFrom` on a token for which the caller holds a grant, it can make no call at all.
contract AllowanceHolder is IAllowanceHolder {
    uint256 private constant MAX_REASON = 1_024;

    /// The token itself, this contract, Permit2, a precompile, or an account without code.
    error NotATarget(address target);
    /// The target does not answer as an executor does.
    error NotAnExecutor(address target);
    error GrantTooSmall(address target, address owner, address token, uint256 amount, uint256 granted);

    /// Lets `target` take up to `amount` of the caller's `token` while it runs `payload`. The grant is zero afterwards, whatever was used; a grant that
    /// an outer call made for the same target and token is replaced, never added to.
    function exec(address target, address token, uint256 amount, bytes calldata payload) external {
        if (
            target == token || target == address(this) || target == PERMIT2 || uint160(target) <= LAST_PRECOMPILE || target.code.length == 0
        ) revert NotATarget(target);
        bytes32 slot = grantSlot(target, msg.sender, token);
        writeGrant(slot, amount);
        execute(target, payload);
        writeGrant(slot, 0);
    }

    /// Moves `amount` of the owner's `token`, for the target that the owner is running.
    function transferFrom(address token, address owner, address to, uint256 amount) external {
        bytes32 slot = grantSlot(msg.sender, owner, token);
        uint256 granted = readGrant(slot);
        if (amount > granted) revert GrantTooSmall(msg.sender, owner, token, amount, granted);
        // Before the token is called: a token that calls back finds the grant used.
        unchecked {
            writeGrant(slot, granted - amount);
        }
        Tokens.pull(token, owner, to, amount);
    }

    /// Calls the target's `executeFrom` for the caller, and passes on its revert, up to MAX_REASON bytes of it.
    function execute(address target, bytes calldata payload) private {
        bytes4 name = IExecutor.executeFrom.selector;
        bool answered;
        bytes32 answer;
        // abi.encodeCall(IExecutor.executeFrom, (msg.sender, payload)), copied once.
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, name)
            mstore(add(input, 0x04), caller())
            mstore(add(input, 0x24), 0x40)
            mstore(add(input, 0x44), payload.length)
            calldatacopy(add(input, 0x64), payload.offset, payload.length)
            mstore(add(add(input, 0x64), payload.length), 0)
            let inputSize := add(0x64, and(add(payload.length, 0x1f), not(0x1f)))
            if iszero(call(gas(), target, 0, input, inputSize, 0, 0x20)) {
                let size := returndatasize()
                if gt(size, MAX_REASON) { size := MAX_REASON }
                let reason := mload(0x40)
                returndatacopy(reason, 0, size)
                revert(reason, size)
            }
            answered := gt(returndatasize(), 0x1f)
            answer := mload(0)
        }
        if (!answered || answer != bytes32(IExecutor.executeFrom.selector)) revert NotAnExecutor(target);
    }

    /// keccak256(abi.encode(target, owner, token)), hashed where memory is free.
    function grantSlot(address target, address owner, address token) private pure returns (bytes32 slot) {
        assembly ("memory-safe") {
            let words := mload(0x40)
            mstore(words, shr(96, shl(96, target)))
            mstore(add(words, 0x20), shr(96, shl(96, owner)))
            mstore(add(words, 0x40), shr(96, shl(96, token)))
            slot := keccak256(words, 0x60)
        }
    }

    function readGrant(bytes32 slot) private view returns (uint256 amount) {
        assembly ("memory-safe") {
            amount := tload(slot)
        }
    }

    function writeGrant(bytes32 slot, uint256 amount) private {
        assembly ("memory-safe") {
            tstore(slot, amount)
        }
    }
}
