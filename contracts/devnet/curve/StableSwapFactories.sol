// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {StableSwapNG} from "./StableSwapNG.sol";
import {StableSwapTwo} from "./StableSwapTwo.sol";

/// What both factories say of their pools. Their logs name neither the pool nor, as the list of the first has room for four, how many coins it has.
abstract contract StableSwapPools {
    address public immutable admin;
    address public immutable fee_receiver;
    address[] public pool_list;
    mapping(address => address[]) internal coinsOf;

    constructor(address receiver) {
        (admin, fee_receiver) = (msg.sender, receiver);
    }

    function pool_count() external view returns (uint256) {
        return pool_list.length;
    }
}

contract StableSwapFactory is StableSwapPools {
    event PlainPoolDeployed(address[4] coins, uint256 A, uint256 fee, address deployer);

    constructor(address receiver) StableSwapPools(receiver) {}

    function deploy_plain_pool(address[4] calldata coins, uint256 amplification, uint256 fee) external returns (address pool) {
        address[] memory list = new address[](2);
        (list[0], list[1]) = (coins[0], coins[1]);
        pool = address(new StableSwapTwo(list, amplification, fee));
        pool_list.push(pool);
        coinsOf[pool] = list;
        emit PlainPoolDeployed(coins, amplification, fee, msg.sender);
    }

    function get_coins(address pool) external view returns (address[4] memory coins) {
        address[] memory list = coinsOf[pool];
        for (uint256 k = 0; k < list.length; k++) coins[k] = list[k];
    }
}

contract StableSwapFactoryNG is StableSwapPools {
    event PlainPoolDeployed(address[] coins, uint256 A, uint256 fee, address deployer);

    constructor(address receiver) StableSwapPools(receiver) {}

    function deploy_plain_pool(address[] calldata coins, uint256 amplification, uint256 fee, uint256 multiplier, uint256[] calldata oracles)
        external
        returns (address pool)
    {
        pool = address(new StableSwapNG(coins, amplification, fee, multiplier, oracles));
        pool_list.push(pool);
        coinsOf[pool] = coins;
        emit PlainPoolDeployed(coins, amplification, fee, msg.sender);
    }

    function get_coins(address pool) external view returns (address[] memory) {
        return coinsOf[pool];
    }
}
