// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// How pools of Curve refuse, and move their coins: those that return true, and those that return nothing. It keeps nothing itself.
abstract contract PoolCoins {
    error Refused(string reason);

    function demand(bool right, string memory reason) internal pure {
        if (!right) revert Refused(reason);
    }

    function pull(address coin, uint256 amount) internal {
        move(coin, abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), amount));
    }

    function pay(address coin, address to, uint256 amount) internal {
        move(coin, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
    }

    function move(address coin, bytes memory input) private {
        (bool ok, bytes memory answer) = coin.call(input);
        demand(ok && (answer.length == 0 || abi.decode(answer, (bool))), "a coin did not move");
    }
}
