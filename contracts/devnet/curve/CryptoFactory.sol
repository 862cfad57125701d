// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoMathsTwo} from "./CryptoMathsTwo.sol";
import {CryptoShare} from "./CryptoShare.sol";
import {CryptoSwapTwo} from "./CryptoSwapTwo.sol";

interface IDecimals {
    function decimals() external view returns (uint8);
}

/// Makes crypto pools of two coins, and the contracts of their shares, as clones (ERC-1167) of one each. Its log names the shares and not the pool.
contract CryptoFactory {
    address public immutable admin;
    address public immutable pool_implementation;
    address public immutable token_implementation;
    address public fee_receiver;
    address[] public pool_list;

    /// Its arguments are more than a function can hold at once: they are written as a list.
    bytes32 private constant DEPLOYED = keccak256(
        "CryptoPoolDeployed(address,address[2],uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,address)"
    );

    error Refused(string reason);

    constructor(address receiver, address pool, address share) {
        (admin, fee_receiver, pool_implementation, token_implementation) = (msg.sender, receiver, pool, share);
    }

    function demand(bool right, string memory reason) private pure {
        if (!right) revert Refused(reason);
    }

    function pool_count() external view returns (uint256) {
        return pool_list.length;
    }

    /// `numbers`: A, gamma, mid fee, out fee, extra profit, gamma of fees, step, admin fee, half time, price.
    function deploy_pool(address[2] calldata coins, uint256[10] calldata numbers) external returns (address pool) {
        demandInRange(numbers);
        demand(coins[0] != coins[1], "Duplicate coins");
        address share = clone(token_implementation);
        pool = clone(pool_implementation);
        CryptoShare(share).initialize(pool);
        CryptoSwapTwo(payable(pool)).initialize(numbers, CryptoShare(share), coins, missing(coins[0]) | (missing(coins[1]) << 8));
        pool_list.push(pool);
        bytes memory words = abi.encode(share, coins, numbers, msg.sender);
        bytes32 topic = DEPLOYED;
        assembly ("memory-safe") {
            log1(add(words, 32), mload(words), topic)
        }
    }

    function demandInRange(uint256[10] calldata numbers) private pure {
        CryptoMathsTwo.demandParameters(numbers[0], numbers[1]);
        demand(numbers[2] >= 5 * 10 ** 5 && numbers[3] >= numbers[2] && numbers[3] < 10 ** 10 - 1, "fees out of range");
        demand(numbers[4] <= 10 ** 16 && numbers[5] > 0 && numbers[5] <= 10 ** 18 && numbers[6] > 0 && numbers[6] <= 10 ** 18, "out of range");
        demand(numbers[7] <= 10 ** 18 && numbers[8] > 0 && numbers[8] < 7 days && numbers[9] > 10 ** 6 && numbers[9] < 10 ** 30, "out of range");
    }

    /// To 18.
    function missing(address coin) private view returns (uint256) {
        return 18 - IDecimals(coin).decimals();
    }

    function set_fee_receiver(address receiver) external {
        demand(msg.sender == admin, "admin only");
        fee_receiver = receiver;
    }

    function clone(address target) private returns (address made) {
        bytes memory code = abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", target, hex"5af43d82803e903d91602b57fd5bf3");
        assembly ("memory-safe") {
            made := create(0, add(code, 32), mload(code))
        }
        demand(made != address(0), "not made");
    }
}
