// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PancakeV2Pair} from "./PancakeV2Pair.sol";

/// Makes the pairs, and announces them as PancakeSwap's factory does.
contract PancakeV2Factory {
    mapping(address => mapping(address => address)) public getPair;
    address[] public allPairs;

    event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count);

    function createPair(address one, address other) external returns (address pair) {
        (address token0, address token1) = one < other ? (one, other) : (other, one);
        require(token0 != address(0) && token0 != token1 && getPair[token0][token1] == address(0), "Pancake: PAIR_UNFIT");
        pair = address(new PancakeV2Pair{salt: keccak256(abi.encodePacked(token0, token1))}(IERC20(token0), IERC20(token1)));
        (getPair[token0][token1], getPair[token1][token0]) = (pair, pair);
        allPairs.push(pair);
        emit PairCreated(token0, token1, pair, allPairs.length);
    }
}
