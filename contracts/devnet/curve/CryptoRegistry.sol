// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PoolRegistry} from "./PoolRegistry.sol";

/// Of crypto pools: its log names the pool and nothing else.
contract CryptoRegistry is PoolRegistry {
    event PoolAdded(address indexed pool);

    function announce(address pool) internal override {
        emit PoolAdded(pool);
    }
}
