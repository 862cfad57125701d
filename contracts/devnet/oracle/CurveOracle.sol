// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "./PlainToken.sol";

interface IStableSwap {
    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external;
    function balances(uint256 i) external view returns (uint256);
}

/// Asks a real StableSwap pool for many exchanges from one state, each in a frame that reverts.
contract CurveOracle {
    struct Case {
        uint256 indexIn;
        uint256 indexOut;
        uint256 amountIn;
    }

    struct Answer {
        bool ok;
        uint256 amountOut;
        uint256[] balances;
    }

    error Outcome(uint256 amountOut, uint256[] balances);

    uint256 private constant FRAME_GAS = 3_000_000;

    /// The tokens are the pool's coins, of which it is given what `held` says: some pools go by what they have, others have it in their storage. `timestamp` is the block's:
    /// what pools compute ramps by.
    function answer(IStableSwap pool, PlainToken[] calldata coins, uint256[] calldata held, Case[] calldata cases)
        external
        returns (uint256 timestamp, Answer[] memory answers)
    {
        for (uint256 i = 0; i < coins.length; i++) coins[i].mint(address(pool), held[i]);
        timestamp = block.timestamp;
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            try this.attempt{gas: FRAME_GAS}(pool, coins, cases[i]) {}
            catch (bytes memory data) {
                answers[i] = decode(data);
            }
        }
    }

    function attempt(IStableSwap pool, PlainToken[] calldata coins, Case calldata wanted) external {
        coins[wanted.indexIn].mint(address(this), wanted.amountIn);
        coins[wanted.indexIn].approve(address(pool), wanted.amountIn);
        uint256 before = coins[wanted.indexOut].balanceOf(address(this));
        pool.exchange(int128(int256(wanted.indexIn)), int128(int256(wanted.indexOut)), wanted.amountIn, 0);
        uint256[] memory balances = new uint256[](coins.length);
        for (uint256 i = 0; i < coins.length; i++) balances[i] = pool.balances(i);
        revert Outcome(coins[wanted.indexOut].balanceOf(address(this)) - before, balances);
    }

    /// Anything but our own error is the pool's refusal.
    function decode(bytes memory data) private pure returns (Answer memory result) {
        if (data.length < 4 || bytes4(data) != Outcome.selector) return result;
        bytes memory body = new bytes(data.length - 4);
        for (uint256 i = 0; i < body.length; i++) body[i] = data[i + 4];
        (result.amountOut, result.balances) = abi.decode(body, (uint256, uint256[]));
        result.ok = true;
    }
}
