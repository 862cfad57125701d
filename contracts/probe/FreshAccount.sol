// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Moves} from "./Moves.sol";

/// An account without code that sends on what it was sent: all of that happens in its creation, which leaves nothing behind.
contract FreshAccount {
    constructor(address token, address to, uint256 gasOfCall) {
        (bool known, uint256 amount) = Moves.balance(token, address(this));
        if (known) Moves.confirmed(token, token, abi.encodeWithSignature("transfer(address,uint256)", to, amount), gasOfCall);
        assembly {
            return(0, 0)
        }
    }
}
