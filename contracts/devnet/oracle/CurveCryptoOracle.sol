// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "./PlainToken.sol";

interface ICryptoSwap {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external payable;
    function balances(uint256 i) external view returns (uint256);
    function price_scale(uint256 k) external view returns (uint256);
    function price_oracle(uint256 k) external view returns (uint256);
    function last_prices(uint256 k) external view returns (uint256);
    function last_prices_timestamp() external view returns (uint256);
    function future_A_gamma_time() external view returns (uint256);
    function D() external view returns (uint256);
    function xcp_profit() external view returns (uint256);
    function virtual_price() external view returns (uint256);
}

/// Asks a real crypto pool for many pairs of exchanges, all from one state and each pair in a frame that reverts.
contract CurveCryptoOracle {
    struct Case {
        uint256 indexIn;
        uint256 indexOut;
        uint256 amountIn;
    }

    struct Answer {
        bool ok;
        uint256 amountOut;
        uint256[] state;
    }

    error Outcome(Answer first, Answer second);

    uint256 private constant FRAME_GAS = 20_000_000;

    /// Of each two cases the second is asked for in the state that the first left. `timestamp` is the block's.
    function answer(ICryptoSwap pool, PlainToken[] calldata coins, Case[] calldata cases)
        external
        returns (uint256 timestamp, Answer[] memory answers)
    {
        timestamp = block.timestamp;
        for (uint256 i = 0; i < coins.length; i++) coins[i].mint(address(pool), 1 << 200);
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i + 1 < cases.length; i += 2) {
            try this.attempt{gas: FRAME_GAS}(pool, coins, cases[i], cases[i + 1]) {}
            catch (bytes memory data) {
                (answers[i], answers[i + 1]) = decode(data);
            }
        }
    }

    function attempt(ICryptoSwap pool, PlainToken[] calldata coins, Case calldata one, Case calldata other) external {
        Answer memory first = trade(pool, coins, one);
        Answer memory second = trade(pool, coins, other);
        revert Outcome(first, second);
    }

    function trade(ICryptoSwap pool, PlainToken[] calldata coins, Case calldata wanted) private returns (Answer memory result) {
        coins[wanted.indexIn].mint(address(this), wanted.amountIn);
        coins[wanted.indexIn].approve(address(pool), wanted.amountIn);
        uint256 before = coins[wanted.indexOut].balanceOf(address(this));
        try pool.exchange(wanted.indexIn, wanted.indexOut, wanted.amountIn, 0) {
            result = Answer(true, coins[wanted.indexOut].balanceOf(address(this)) - before, stateOf(pool, coins.length));
        } catch {}
    }

    /// Balances, the three lists of prices, then single values.
    function stateOf(ICryptoSwap pool, uint256 count) private view returns (uint256[] memory state) {
        state = new uint256[](4 * count + 2);
        for (uint256 i = 0; i < count; i++) state[i] = pool.balances(i);
        for (uint256 k = 0; k + 1 < count; k++) {
            state[count + k] = pool.price_scale(k);
            state[2 * count - 1 + k] = pool.price_oracle(k);
            state[3 * count - 2 + k] = pool.last_prices(k);
        }
        uint256 at = 4 * count - 3;
        (state[at], state[at + 1], state[at + 2]) = (pool.last_prices_timestamp(), pool.future_A_gamma_time(), pool.D());
        (state[at + 3], state[at + 4]) = (pool.xcp_profit(), pool.virtual_price());
    }

    function decode(bytes memory data) private pure returns (Answer memory first, Answer memory second) {
        require(data.length >= 4 && bytes4(data) == Outcome.selector, "no outcome");
        bytes memory body = new bytes(data.length - 4);
        for (uint256 i = 0; i < body.length; i++) body[i] = data[i + 4];
        return abi.decode(body, (Answer, Answer));
    }
}
