// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// OpenZeppelin's vault with a cap on all it holds and on each redemption, and a pause. Its owner sets them.
contract CappedVault is ERC4626 {
    address public immutable owner;
    uint256 public cap;
    uint256 public redeemCap;
    bool public paused;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, uint256 cap_, uint256 redeemCap_) ERC20(name_, symbol_) ERC4626(asset_) {
        (owner, cap, redeemCap) = (msg.sender, cap_, redeemCap_);
    }

    function set(uint256 cap_, uint256 redeemCap_, bool paused_) external {
        require(msg.sender == owner, "the owner's");
        (cap, redeemCap, paused) = (cap_, redeemCap_, paused_);
    }

    function maxDeposit(address) public view override returns (uint256) {
        uint256 held = totalAssets();
        return paused || held >= cap ? 0 : cap - held;
    }

    function maxMint(address receiver) public view override returns (uint256) {
        return convertToShares(maxDeposit(receiver));
    }

    function maxRedeem(address holder) public view override returns (uint256) {
        return paused ? 0 : Math.min(balanceOf(holder), redeemCap);
    }

    function maxWithdraw(address holder) public view override returns (uint256) {
        return previewRedeem(maxRedeem(holder));
    }
}
