// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What the allowance holder calls. It has no other selector to call with.
interface IExecutor {
    /// Acts for `owner`, the account that called the allowance holder. Returns its own selector: a contract that merely does not revert on unknown
    /// calls (wrapped native takes them for deposits) is thereby no executor.
    function executeFrom(address owner, bytes calldata payload) external returns (bytes4);
}
