// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IListed {
    function coins(uint256 i) external view returns (address);
}

/// A list of pools that were deployed apart from it.
abstract contract PoolRegistry {
    uint256 private constant MAX_COINS = 8;

    address public immutable admin;
    address[] public pool_list;
    mapping(address => address[MAX_COINS]) private coinsOf;

    event PoolRemoved(address indexed pool);

    constructor() {
        admin = msg.sender;
    }

    function announce(address pool) internal virtual;

    function pool_count() external view returns (uint256) {
        return pool_list.length;
    }

    function get_coins(address pool) external view returns (address[MAX_COINS] memory) {
        return coinsOf[pool];
    }

    function add_pool(address pool, uint256 count) external {
        require(msg.sender == admin, "admin only");
        pool_list.push(pool);
        for (uint256 k = 0; k < count; k++) coinsOf[pool][k] = IListed(pool).coins(k);
        announce(pool);
    }

    function remove_pool(address pool) external {
        require(msg.sender == admin, "admin only");
        for (uint256 k = 0; k < pool_list.length; k++) {
            if (pool_list[k] != pool) continue;
            pool_list[k] = pool_list[pool_list.length - 1];
            pool_list.pop();
        }
        delete coinsOf[pool];
        emit PoolRemoved(pool);
    }
}
