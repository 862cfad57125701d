// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What a proxied token runs: as the large dollar tokens do, it looks whether it is paused, and whether either account is listed, before it moves anything, and it can be paid for with much gas.
contract ProxiedCode {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    string public name;
    string public symbol;
    uint8 public decimals;
    bool public paused;
    uint256 private thirst;
    mapping(address => bool) public isListed;
    mapping(uint256 => uint256) private written;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function initialize(string calldata name_, string calldata symbol_, uint8 decimals_, uint256 thirst_) external {
        require(decimals == 0 && totalSupply == 0, "initialized");
        (name, symbol, decimals, thirst) = (name_, symbol_, decimals_, thirst_);
    }

    function mint(address[] calldata accounts, uint256 value) external {
        totalSupply += value * accounts.length;
        for (uint256 i = 0; i < accounts.length; i++) balanceOf[accounts[i]] += value;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        require(!paused && !isListed[msg.sender] && !isListed[spender], "barred");
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(!isListed[msg.sender], "barred");
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        require(!paused && !isListed[from] && !isListed[to], "barred");
        for (uint256 i = 0; i < thirst; i++) written[i]++;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// A token behind a proxy. `thirst`: words that each transfer writes beside what it has to.
contract ProxiedToken {
    address private immutable code;

    constructor(string memory name, string memory symbol, uint8 decimals, uint256 thirst) {
        code = address(new ProxiedCode());
        (bool ok,) = code.delegatecall(abi.encodeCall(ProxiedCode.initialize, (name, symbol, decimals, thirst)));
        require(ok, "not initialized");
    }

    fallback() external {
        address its = code;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), its, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
