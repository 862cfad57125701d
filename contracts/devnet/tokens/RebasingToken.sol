// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Balances follow a target: parts of a fixed supply, of which the owner sets how many make a unit, as of Ampleforth. A movement is exact but for rounding.
contract RebasingToken {
    uint256 private constant WHOLE = 2 ** 200;
    uint256 public totalSupply = 1_000_000_000 * 10 ** 18;
    uint8 public constant decimals = 18;
    address public immutable owner;
    mapping(address => uint256) private partsOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        owner = msg.sender;
        partsOf[msg.sender] = WHOLE;
    }

    function rebase(uint256 supply) external {
        require(msg.sender == owner, "not the owner");
        totalSupply = supply;
    }

    function balanceOf(address account) public view returns (uint256) {
        return partsOf[account] / (WHOLE / totalSupply);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        uint256 parts = value * (WHOLE / totalSupply);
        partsOf[from] -= parts;
        partsOf[to] += parts;
        emit Transfer(from, to, value);
        return true;
    }
}
