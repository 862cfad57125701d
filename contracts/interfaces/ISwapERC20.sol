// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// AirSwap's settlement contract of orders, version 4.3 of its domain. It takes `senderAmount` of `senderToken` from its caller by an allowance, and gives the recipient what was signed for.
interface ISwapERC20 {
    function swap(
        address recipient,
        uint256 nonce,
        uint256 expiry,
        address signerWallet,
        address signerToken,
        uint256 signerAmount,
        address senderToken,
        uint256 senderAmount,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}
