// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "../interfaces/IERC20.sol";
import {NATIVE} from "./Addresses.sol";

/// Moves and measures ERC-20 tokens of every temper, and the native token where its sentinel may stand.
library Tokens {
    /// The token reverted, returned something other than true, or has no code.
    error TransferFailed(address token, address to, uint256 amount);
    error ApprovalFailed(address token, address spender, uint256 amount);
    error BalanceUnreadable(address token);
    error AllowanceUnreadable(address token);
    /// The receiver of a native payment refused it.
    error NativeRefused(address to, uint256 amount);

    /// Sends what this contract holds. `token` may be the native sentinel.
    function pay(address token, address to, uint256 amount) internal {
        if (token == NATIVE) return payNative(to, amount);
        bytes4 name = IERC20.transfer.selector;
        bool ok;
        uint256 size;
        uint256 word;
        // Written where memory is free, and not kept: nothing of a payment is looked at again.
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, name)
            mstore(add(input, 0x04), shr(96, shl(96, to)))
            mstore(add(input, 0x24), amount)
            ok := call(gas(), token, 0, input, 0x44, 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
        if (!confirms(token, ok, size, word)) revert TransferFailed(token, to, amount);
    }

    /// Moves by the allowance that `owner` gave this contract.
    function pull(address token, address owner, address to, uint256 amount) internal {
        bytes4 name = IERC20.transferFrom.selector;
        bool ok;
        uint256 size;
        uint256 word;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, name)
            mstore(add(input, 0x04), shr(96, shl(96, owner)))
            mstore(add(input, 0x24), shr(96, shl(96, to)))
            mstore(add(input, 0x44), amount)
            ok := call(gas(), token, 0, input, 0x64, 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
        if (!confirms(token, ok, size, word)) revert TransferFailed(token, to, amount);
    }

    /// Lets `spender` take `amount` from this contract. Only for lib/Custody.sol, which takes it back: so an allowance is zero before, as some tokens want.
    function approve(address token, address spender, uint256 amount) internal {
        if (!succeeds(token, abi.encodeCall(IERC20.approve, (spender, amount)))) revert ApprovalFailed(token, spender, amount);
    }

    function allowance(address token, address owner, address spender) internal view returns (uint256 amount) {
        bool ok;
        (ok, amount) = ask(token, abi.encodeCall(IERC20.allowance, (owner, spender)));
        if (!ok) revert AllowanceUnreadable(token);
    }

    /// `token` may be the native sentinel.
    function balance(address token, address account) internal view returns (uint256 amount) {
        if (token == NATIVE) return account.balance;
        bytes4 name = IERC20.balanceOf.selector;
        bool ok;
        uint256 size;
        // In scratch space: the two words are read and written by nothing else in between.
        assembly ("memory-safe") {
            mstore(0, name)
            mstore(0x04, shr(96, shl(96, account)))
            ok := staticcall(gas(), token, 0, 0x24, 0, 0x20)
            size := returndatasize()
            amount := mload(0)
        }
        if (!ok || size < 0x20) revert BalanceUnreadable(token);
    }

    /// Asks a view of the token for one word. An account without code succeeds with nothing returned, which is no answer.
    function ask(address token, bytes memory input) private view returns (bool ok, uint256 answer) {
        uint256 size;
        assembly ("memory-safe") {
            ok := staticcall(gas(), token, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            answer := mload(0)
        }
        ok = ok && size >= 0x20;
    }

    function payNative(address to, uint256 amount) private {
        bool ok;
        assembly ("memory-safe") {
            ok := call(gas(), to, amount, 0, 0, 0, 0)
        }
        if (!ok) revert NativeRefused(to, amount);
    }

    function succeeds(address token, bytes memory input) private returns (bool ok) {
        uint256 size;
        uint256 word;
        assembly ("memory-safe") {
            ok := call(gas(), token, 0, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
        return confirms(token, ok, size, word);
    }

    /// Whether a call went through: it returned exactly true, or nothing at all from an account with code.
    function confirms(address token, bool ok, uint256 size, uint256 word) private view returns (bool) {
        if (!ok) return false;
        return size == 0 ? token.code.length > 0 : size >= 0x20 && word == 1;
    }
}
