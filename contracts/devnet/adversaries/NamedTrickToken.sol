// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TrickToken} from "./TrickToken.sol";

/// With what some pools ask of their tokens when they are made.
contract NamedTrickToken is TrickToken {
    string public constant symbol = "T";
    uint8 public constant decimals = 18;
}
