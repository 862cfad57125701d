// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token that its issuer's contract mints, and burns of its own.
contract IssuedAsset is ERC20 {
    address public immutable issuer;

    error OnlyIssuer();

    constructor(string memory name_, string memory symbol_, address issuer_) ERC20(name_, symbol_) {
        issuer = issuer_;
    }

    function mint(address account, uint256 amount) external {
        if (msg.sender != issuer) revert OnlyIssuer();
        _mint(account, amount);
    }

    function burn(uint256 amount) external {
        if (msg.sender != issuer) revert OnlyIssuer();
        _burn(msg.sender, amount);
    }
}
