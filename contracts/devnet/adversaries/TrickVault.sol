// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// A vault that misbehaves as it is told.
contract TrickVault is ERC4626 {
    enum Temper {
        Honest,
        /// Promises what it does not give: half of the shares, half of the assets.
        Lying,
        PreviewReverts,
        PreviewBurnsGas,
        /// Gives more for more.
        Bent,
        NoDeposits,
        /// Takes half of the assets, burns half of the shares.
        Halving,
        /// Answers with a lot.
        Endless
    }

    Temper public temper;

    constructor(IERC20 asset_) ERC20("Trick Vault", "TV") ERC4626(asset_) {}

    function set(Temper temper_) external {
        temper = temper_;
    }

    /// Shares out of nothing, so that one is worth anything.
    function issue(address to, uint256 shares) external {
        _mint(to, shares);
    }

    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return tampered(super.previewDeposit(assets));
    }

    function previewRedeem(uint256 shares) public view override returns (uint256) {
        return tampered(super.previewRedeem(shares));
    }

    function maxDeposit(address receiver) public view override returns (uint256) {
        return temper == Temper.NoDeposits ? 0 : super.maxDeposit(receiver);
    }

    function deposit(uint256 assets, address receiver) public override returns (uint256) {
        if (temper == Temper.Halving) return super.deposit(assets / 2, receiver);
        if (temper != Temper.Lying) return super.deposit(assets, receiver);
        uint256 shares = super.previewDeposit(assets) / 2;
        _deposit(msg.sender, receiver, assets, shares);
        return shares;
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256) {
        if (temper == Temper.Halving) return super.redeem(shares / 2, receiver, owner);
        if (temper != Temper.Lying) return super.redeem(shares, receiver, owner);
        uint256 assets = super.previewRedeem(shares) / 2;
        _withdraw(msg.sender, receiver, owner, assets, shares);
        return assets;
    }

    function tampered(uint256 amount) private view returns (uint256) {
        if (temper == Temper.PreviewReverts) revert("no preview");
        if (temper == Temper.PreviewBurnsGas) while (true) {}
        if (temper == Temper.Bent) return amount + (amount * amount) / 10 ** 30;
        if (temper == Temper.Endless) {
            assembly {
                mstore(0, amount)
                return(0, 100000)
            }
        }
        return amount;
    }
}
