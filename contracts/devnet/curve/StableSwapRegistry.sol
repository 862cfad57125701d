// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PoolRegistry} from "./PoolRegistry.sol";

/// Of pools of any kind: its log says how a lending protocol is asked for its rate, which none of the pools here has.
contract StableSwapRegistry is PoolRegistry {
    event PoolAdded(address indexed pool, bytes rate_method_id);

    function announce(address pool) internal override {
        emit PoolAdded(pool, "");
    }
}
