// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What is asked of Multicall3 where a pool keeps the wrapped native token unwrapped: how much of the native token somebody has. On the devnet it is at that one's address, and has nothing else of it.
contract NativeTeller {
    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }
}
