// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// An ERC-20 that anybody may mint and set to misbehave. Plain until told otherwise.
contract TrickToken {
    enum Temper {
        Plain,
        /// Moves nothing and says false.
        SaysFalse,
        /// Moves, and returns a number other than 1.
        SaysTwo,
        /// Moves, and returns nothing.
        SaysNothing,
        /// Moves, and returns 100 kB that begin with true.
        ReturnsBomb,
        /// Reverts with 100 kB.
        RevertsBomb
    }

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    Temper public temper;
    /// Part of every transfer that vanishes.
    uint256 public taxBps;
    /// Is called as an ERC-777 hook before and after the move; address(0): nobody.
    address public hook;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function set(Temper temper_, uint256 taxBps_, address hook_) external {
        (temper, taxBps, hook) = (temper_, taxBps_, hook_);
    }

    function mint(address[] calldata accounts, uint256 value) external {
        for (uint256 i = 0; i < accounts.length; i++) {
            balanceOf[accounts[i]] += value;
            emit Transfer(address(0), accounts[i], value);
        }
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "allowance too low");
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        if (temper == Temper.SaysFalse) return false;
        if (temper == Temper.RevertsBomb) {
            assembly {
                revert(0, 100000)
            }
        }
        notify(from, to, value);
        require(balanceOf[from] >= value, "balance too low");
        uint256 tax = (value * taxBps) / 10_000;
        balanceOf[from] -= value;
        balanceOf[to] += value - tax;
        emit Transfer(from, to, value - tax);
        notify(from, to, value);
        if (temper == Temper.Plain) return true;
        assembly {
            switch sload(temper.slot)
            case 4 {
                mstore(0, 1)
                return(0, 100000)
            }
            case 2 {
                mstore(0, 2)
                return(0, 32)
            }
            default { return(0, 0) }
        }
    }

    function notify(address from, address to, uint256 value) private {
        if (hook == address(0)) return;
        (bool ok,) = hook.call(abi.encodeWithSignature("onTransfer(address,address,uint256)", from, to, value));
        require(ok, "the hook refused");
    }
}
