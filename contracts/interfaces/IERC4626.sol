// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What a leg calls of a vault.
interface IERC4626 {
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
}
