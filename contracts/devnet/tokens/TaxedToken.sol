// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ReturningToken} from "./DevnetToken.sol";

interface IPairs {
    function getPair(address one, address other) external view returns (address);
}

/// Takes a part of what is moved: from pools, to pools, between other accounts, each as its owner sets it, at any time.
contract TaxedToken is ReturningToken {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;

    mapping(address => bool) public isPool;
    /// Moves from and to these are free of tax, those of pools too.
    mapping(address => bool) public isExempt;
    /// Parts per million.
    uint256 public buyPpm;
    uint256 public sellPpm;
    uint256 public walletPpm;
    /// Smaller movements are free of tax.
    uint256 public leastTaxed;

    constructor(string memory name_, string memory symbol_) {
        (name, symbol) = (name_, symbol_);
    }

    function setTaxes(uint256 buyPpm_, uint256 sellPpm_, uint256 walletPpm_, uint256 leastTaxed_) external {
        require(msg.sender == owner, "not the owner");
        (buyPpm, sellPpm, walletPpm, leastTaxed) = (buyPpm_, sellPpm_, walletPpm_, leastTaxed_);
    }

    function mark(address account, bool pool, bool exempt) external {
        require(msg.sender == owner, "not the owner");
        (isPool[account], isExempt[account]) = (pool, exempt);
    }

    /// Takes the pair that a factory has of this token and another for a pool.
    function markPair(address factory, address other) external {
        require(msg.sender == owner, "not the owner");
        isPool[IPairs(factory).getPair(address(this), other)] = true;
    }

    function _move(address from, address to, uint256 value) internal virtual override {
        super._move(from, to, value);
        uint256 tax = (value * taxPpm(from, to, value)) / 1_000_000;
        if (tax == 0) return;
        balanceOf[to] -= tax;
        balanceOf[owner] += tax;
        emit Transfer(to, owner, tax);
    }

    function taxPpm(address from, address to, uint256 value) internal view virtual returns (uint256) {
        if (value < leastTaxed || isExempt[from] || isExempt[to]) return 0;
        return isPool[from] ? buyPpm : isPool[to] ? sellPpm : walletPpm;
    }
}
