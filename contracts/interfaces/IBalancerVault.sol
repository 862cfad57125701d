// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

struct SingleSwap {
    bytes32 poolId;
    /// 0: the amount is what goes in.
    uint8 kind;
    address assetIn;
    address assetOut;
    uint256 amount;
    bytes userData;
}

struct FundManagement {
    address sender;
    bool fromInternalBalance;
    address recipient;
    bool toInternalBalance;
}

/// What a leg needs of Balancer's vault.
interface IBalancerVault {
    function swap(SingleSwap calldata singleSwap, FundManagement calldata funds, uint256 limit, uint256 deadline) external payable returns (uint256);
}
