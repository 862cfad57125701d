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
        execute(target, abi.encodeCall(IExecutor.executeFrom, (msg.sender, payload)));
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

    /// Calls the target and passes on its revert, up to MAX_REASON bytes of it.
    function execute(address target, bytes memory input) private {
        bool answered;
        bytes32 answer;
        assembly ("memory-safe") {
            if iszero(call(gas(), target, 0, add(input, 0x20), mload(input), 0, 0x20)) {
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

    function grantSlot(address target, address owner, address token) private pure returns (bytes32) {
        return keccak256(abi.encode(target, owner, token));
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
