// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FeeVault} from "../vaults/FeeVault.sol";
import {PlainToken} from "./PlainToken.sol";

/// OpenZeppelin's vault as it is, or with fees, with a way to bring it into any state.
contract SharesVault is FeeVault {
    constructor(IERC20 asset_, uint8 offset_, uint256 entryFee_, uint256 exitFee_)
        FeeVault(asset_, "Shares", "SHARES", offset_, entryFee_, exitFee_, address(0xfee))
    {}

    function issue(address to, uint256 shares) external {
        _mint(to, shares);
    }
}

/// Asks a real ERC-4626 vault for many swaps in one eth_call, each from its own state, in a frame that reverts.
contract VaultOracle {
    enum Kind {
        Deposit,
        Redeem,
        Mint,
        Withdraw
    }

    struct Case {
        uint256 assets;
        uint256 shares;
        Kind kind;
        uint256 amount;
    }

    struct Answer {
        bool ok;
        uint256 amountIn;
        uint256 amountOut;
        uint256 preview;
    }

    error Outcome(uint256 amountIn, uint256 amountOut, uint256 preview);

    PlainToken private immutable asset;
    SharesVault private immutable vault;

    constructor(uint8 offset, uint256 entryFee, uint256 exitFee) {
        asset = new PlainToken();
        vault = new SharesVault(IERC20(address(asset)), offset, entryFee, exitFee);
        asset.mint(address(this), 1 << 200);
        asset.approve(address(vault), type(uint256).max);
    }

    function answer(Case[] calldata cases) external returns (Answer[] memory answers) {
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            try this.attempt(cases[i]) {}
            catch (bytes memory data) {
                answers[i] = decode(data);
            }
        }
    }

    /// All shares are this contract's, so that it may redeem what there is.
    function attempt(Case calldata wanted) external {
        asset.mint(address(vault), wanted.assets);
        vault.issue(address(this), wanted.shares);
        uint256 preview = ask(wanted.kind, wanted.amount);
        uint256 assets = asset.balanceOf(address(this));
        uint256 shares = vault.balanceOf(address(this));
        if (wanted.kind == Kind.Deposit) vault.deposit(wanted.amount, address(this));
        else if (wanted.kind == Kind.Redeem) vault.redeem(wanted.amount, address(this), address(this));
        else if (wanted.kind == Kind.Mint) vault.mint(wanted.amount, address(this));
        else vault.withdraw(wanted.amount, address(this), address(this));
        bool entering = wanted.kind == Kind.Deposit || wanted.kind == Kind.Mint;
        uint256 assetsNow = asset.balanceOf(address(this));
        uint256 sharesNow = vault.balanceOf(address(this));
        if (entering) revert Outcome(assets - assetsNow, sharesNow - shares, preview);
        revert Outcome(shares - sharesNow, assetsNow - assets, preview);
    }

    function ask(Kind kind, uint256 amount) private view returns (uint256) {
        if (kind == Kind.Deposit) return vault.previewDeposit(amount);
        if (kind == Kind.Redeem) return vault.previewRedeem(amount);
        if (kind == Kind.Mint) return vault.previewMint(amount);
        return vault.previewWithdraw(amount);
    }

    /// Anything but our own error is the vault's refusal.
    function decode(bytes memory data) private pure returns (Answer memory result) {
        if (data.length != 100 || bytes4(data) != Outcome.selector) return result;
        bytes memory body = new bytes(96);
        for (uint256 i = 0; i < 96; i++) body[i] = data[i + 4];
        (result.amountIn, result.amountOut, result.preview) = abi.decode(body, (uint256, uint256, uint256));
        result.ok = true;
    }
}
