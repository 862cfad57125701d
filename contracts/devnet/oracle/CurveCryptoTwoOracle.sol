// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "./PlainToken.sol";

interface ICryptoSwapTwo {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external payable returns (uint256);
    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256);
    function fee() external view returns (uint256);
    function get_virtual_price() external view returns (uint256);
    function token() external view returns (address);
    function balances(uint256 i) external view returns (uint256);
    function price_scale() external view returns (uint256);
    function price_oracle() external view returns (uint256);
    function last_prices() external view returns (uint256);
    function last_prices_timestamp() external view returns (uint256);
    function future_A_gamma_time() external view returns (uint256);
    function D() external view returns (uint256);
    function xcp_profit() external view returns (uint256);
    function xcp_profit_a() external view returns (uint256);
    function virtual_price() external view returns (uint256);
}

interface IShare {
    function totalSupply() external view returns (uint256);
}

/// Asks a real crypto pool of two coins for its views and for many pairs of exchanges, all from one state and each pair in a frame that reverts.
contract CurveCryptoTwoOracle {
    struct Case {
        uint256 indexIn;
        uint256 indexOut;
        uint256 amountIn;
    }

    struct View {
        bool ok;
        uint256 value;
    }

    /// `promised` is what the view says before the exchange.
    struct Answer {
        View promised;
        bool ok;
        uint256 amountOut;
        uint256[] state;
    }

    error Outcome(Answer first, Answer second);

    uint256 private constant FRAME_GAS = 20_000_000;
    uint256 private constant WORDS = 12;

    /// Of each two cases the second is asked for in the state that the first left. `timestamp` is the block's; `held` is what the pool has of each coin; `views` are fee, worth of a share and average price.
    function answer(ICryptoSwapTwo pool, PlainToken[] calldata coins, uint256[] calldata held, Case[] calldata cases)
        external
        returns (uint256 timestamp, View[] memory views, Answer[] memory answers)
    {
        timestamp = block.timestamp;
        for (uint256 i = 0; i < coins.length; i++) coins[i].mint(address(pool), held[i]);
        views = new View[](3);
        views[0] = ask(pool, abi.encodeCall(pool.fee, ()));
        views[1] = ask(pool, abi.encodeCall(pool.get_virtual_price, ()));
        views[2] = ask(pool, abi.encodeCall(pool.price_oracle, ()));
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i + 1 < cases.length; i += 2) {
            try this.attempt{gas: FRAME_GAS}(pool, coins, cases[i], cases[i + 1]) {}
            catch (bytes memory data) {
                (answers[i], answers[i + 1]) = decode(data);
            }
        }
    }

    function attempt(ICryptoSwapTwo pool, PlainToken[] calldata coins, Case calldata one, Case calldata other) external {
        Answer memory first = trade(pool, coins, one);
        Answer memory second = trade(pool, coins, other);
        revert Outcome(first, second);
    }

    function trade(ICryptoSwapTwo pool, PlainToken[] calldata coins, Case calldata wanted) private returns (Answer memory result) {
        result.promised = ask(pool, abi.encodeCall(pool.get_dy, (wanted.indexIn, wanted.indexOut, wanted.amountIn)));
        coins[wanted.indexIn].mint(address(this), wanted.amountIn);
        coins[wanted.indexIn].approve(address(pool), wanted.amountIn);
        uint256 before = coins[wanted.indexOut].balanceOf(address(this));
        try pool.exchange(wanted.indexIn, wanted.indexOut, wanted.amountIn, 0) returns (uint256) {
            (result.ok, result.amountOut) = (true, coins[wanted.indexOut].balanceOf(address(this)) - before);
            result.state = stateOf(pool);
        } catch {}
    }

    function ask(ICryptoSwapTwo pool, bytes memory input) private view returns (View memory result) {
        (bool ok, bytes memory output) = address(pool).staticcall(input);
        if (ok && output.length == 32) result = View(true, abi.decode(output, (uint256)));
    }

    function stateOf(ICryptoSwapTwo pool) private view returns (uint256[] memory state) {
        state = new uint256[](WORDS);
        (state[0], state[1]) = (pool.balances(0), pool.balances(1));
        (state[2], state[3], state[4]) = (pool.price_scale(), pool.price_oracle(), pool.last_prices());
        (state[5], state[6], state[7]) = (pool.last_prices_timestamp(), pool.future_A_gamma_time(), pool.D());
        (state[8], state[9], state[10]) = (pool.xcp_profit(), pool.virtual_price(), pool.xcp_profit_a());
        state[11] = IShare(pool.token()).totalSupply();
    }

    function decode(bytes memory data) private pure returns (Answer memory first, Answer memory second) {
        require(data.length >= 4 && bytes4(data) == Outcome.selector, "no outcome");
        bytes memory body = new bytes(data.length - 4);
        for (uint256 i = 0; i < body.length; i++) body[i] = data[i + 4];
        return abi.decode(body, (Answer, Answer));
    }
}
