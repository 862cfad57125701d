// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Balances are shares of something that earns, and a transfer moves whole shares: a wei or two less arrive than were sent, as of stETH.
contract SharesToken {
    /// Of 10^18 shares, in wei.
    uint256 public constant WORTH = 1_234_567_890_123_456_789;

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    mapping(address => uint256) public shares;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        (name, symbol, decimals) = (name_, symbol_, decimals_);
    }

    function mint(address[] calldata accounts, uint256 value) external {
        for (uint256 i = 0; i < accounts.length; i++) shares[accounts[i]] += sharesOf(value);
    }

    function balanceOf(address account) external view returns (uint256) {
        return (shares[account] * WORTH) / 10 ** 18;
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
        uint256 moved = sharesOf(value);
        shares[from] -= moved;
        shares[to] += moved;
        emit Transfer(from, to, value);
        return true;
    }

    function sharesOf(uint256 value) private pure returns (uint256) {
        return (value * 10 ** 18) / WORTH;
    }
}
