// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What a factory's crypto pool gives to whom provides: a token of its own, which nobody but the pool makes and burns. Each is a clone of one contract.
contract CryptoShare {
    address public minter;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    string public constant name = "Curve.fi Factory Crypto Pool";
    uint8 public constant decimals = 18;

    event Transfer(address indexed sender, address indexed receiver, uint256 value);

    error Refused();

    modifier onlyMinter() {
        if (msg.sender != minter) revert Refused();
        _;
    }

    function initialize(address pool) external {
        if (minter != address(0)) revert Refused();
        minter = pool;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function mint(address account, uint256 value) public onlyMinter returns (bool) {
        totalSupply += value;
        balanceOf[account] += value;
        emit Transfer(address(0), account, value);
        return true;
    }

    /// A part of all shares, with 18 decimals.
    function mint_relative(address account, uint256 part) external onlyMinter returns (uint256 minted) {
        minted = totalSupply * part / 10 ** 18;
        if (minted > 0) mint(account, minted);
    }

    function burnFrom(address account, uint256 value) external onlyMinter returns (bool) {
        totalSupply -= value;
        balanceOf[account] -= value;
        emit Transfer(account, address(0), value);
        return true;
    }
}
