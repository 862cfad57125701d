// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Move} from "./Moves.sol";
import {Setting, Trading} from "./Trading.sol";

/// A trader with code that did not send the transaction, as the Router is while it holds a token between two hops.
contract ContractTrader {
    constructor() payable {}

    function trade(Setting calldata setting, uint256 amount, uint256 gasOfCall, bool isRound) external returns (Move[4] memory) {
        return isRound ? Trading.round(setting, amount, gasOfCall) : Trading.passed(setting, amount, gasOfCall);
    }
}
