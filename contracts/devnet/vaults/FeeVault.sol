// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// OpenZeppelin's vault, with fees of assets in ten-thousandths of what they leave: what comes in is worth fewer shares, shares that go out fewer assets. Without fees it is
/// OpenZeppelin's vault and nothing else. What is given to it is a yield for all.
contract FeeVault is ERC4626 {
    using SafeERC20 for IERC20;

    uint256 private constant BASE = 10_000;

    uint8 private immutable offset;
    uint256 private immutable entryFee;
    uint256 private immutable exitFee;
    address private immutable feeReceiver;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, uint8 offset_, uint256 entryFee_, uint256 exitFee_, address feeReceiver_)
        ERC20(name_, symbol_)
        ERC4626(asset_)
    {
        (offset, entryFee, exitFee, feeReceiver) = (offset_, entryFee_, exitFee_, feeReceiver_);
    }

    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return super.previewDeposit(assets - within(assets, entryFee));
    }

    function previewMint(uint256 shares) public view override returns (uint256) {
        uint256 assets = super.previewMint(shares);
        return assets + onTop(assets, entryFee);
    }

    function previewWithdraw(uint256 assets) public view override returns (uint256) {
        return super.previewWithdraw(assets + onTop(assets, exitFee));
    }

    function previewRedeem(uint256 shares) public view override returns (uint256) {
        uint256 assets = super.previewRedeem(shares);
        return assets - within(assets, exitFee);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        super._deposit(caller, receiver, assets, shares);
        pay(within(assets, entryFee));
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares) internal override {
        super._withdraw(caller, receiver, owner, assets, shares);
        pay(onTop(assets, exitFee));
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return offset;
    }

    function pay(uint256 fee) private {
        if (fee > 0) IERC20(asset()).safeTransfer(feeReceiver, fee);
    }

    /// The fee in an amount that holds it.
    function within(uint256 total, uint256 fee) private pure returns (uint256) {
        return Math.mulDiv(total, fee, BASE + fee, Math.Rounding.Ceil);
    }

    /// The fee to be added to an amount.
    function onTop(uint256 net, uint256 fee) private pure returns (uint256) {
        return Math.mulDiv(net, fee, BASE, Math.Rounding.Ceil);
    }
}
