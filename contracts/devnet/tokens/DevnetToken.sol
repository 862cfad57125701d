// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What the tokens of the local chain share: balances, allowances and an owner who mints. The ERC-20 face is the heirs' own,
/// because return values, symbol types and decimals are exactly where real tokens differ.
abstract contract DevnetToken {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address public immutable owner;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        owner = msg.sender;
    }

    function mint(address[] calldata accounts, uint256 value) external {
        require(msg.sender == owner, "not the owner");
        totalSupply += value * accounts.length;
        for (uint256 i = 0; i < accounts.length; i++) {
            balanceOf[accounts[i]] += value;
            emit Transfer(address(0), accounts[i], value);
        }
    }

    function _approve(address spender, uint256 value) internal {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _move(address from, address to, uint256 value) internal virtual {
        require(balanceOf[from] >= value, "balance too low");
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    /// An allowance of 2^256 - 1 is never used up, as in USDT, DAI and WETH9.
    function _spend(address from, uint256 value) internal {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance too low");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    }
}

/// A plain ERC-20 face: every mutating call returns true.
abstract contract ReturningToken is DevnetToken {
    function approve(address spender, uint256 value) external virtual returns (bool) {
        _approve(spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external virtual returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}
