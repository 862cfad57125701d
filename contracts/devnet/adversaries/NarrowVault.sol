// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// A vault whose balances have 96 bits, so that nobody can be supposed to hold as much as is asked for. Each redemption takes a thousand shares at most.
contract NarrowVault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Narrow Vault", "NV") ERC4626(asset_) {}

    function balanceOf(address account) public view override(ERC20, IERC20) returns (uint256) {
        return uint96(super.balanceOf(account));
    }

    function maxRedeem(address owner) public view override returns (uint256) {
        uint256 held = balanceOf(owner);
        return held < 1000 ether ? held : 1000 ether;
    }
}
