// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "./PlainToken.sol";

interface IPair {
    function sync() external;
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
    function getReserves() external view returns (uint112, uint112, uint32);
}

interface IPairFactory {
    function createPair(address tokenA, address tokenB) external returns (address);
}

interface IRouter {
    function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) external pure returns (uint256);
    function getAmountIn(uint256 amountOut, uint256 reserveIn, uint256 reserveOut) external pure returns (uint256);
}

/// Asks a router's library and a pair (the real UniswapV2Router02 and UniswapV2Pair, or a fork's) for many swaps in one eth_call, each from its own reserves, in a frame that reverts.
contract UniswapV2Oracle {
    struct Case {
        uint256 reserve0;
        uint256 reserve1;
        bool zeroForOne;
        bool exactIn;
        uint256 amount;
    }

    struct Answer {
        bool ok;
        uint256 amountIn;
        uint256 amountOut;
        uint256 reserve0;
        uint256 reserve1;
        /// One unit more of output for the same input is taken too: the library's answer was not the best that the pair allows.
        bool onePossible;
    }

    error Outcome(uint256 amountIn, uint256 amountOut, uint256 reserve0, uint256 reserve1);

    /// The router divides by zero with an invalid opcode, which burns all the gas of its frame.
    uint256 private constant FRAME_GAS = 1_000_000;

    IRouter public immutable router;
    IPair public immutable pair;
    PlainToken public immutable token0;
    PlainToken public immutable token1;

    constructor(IPairFactory factory, IRouter router_) {
        PlainToken a = new PlainToken();
        PlainToken b = new PlainToken();
        (token0, token1) = address(a) < address(b) ? (a, b) : (b, a);
        pair = IPair(factory.createPair(address(a), address(b)));
        router = router_;
    }

    function answer(Case[] calldata cases) external returns (Answer[] memory answers) {
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            try this.attempt{gas: FRAME_GAS}(cases[i], 0) {}
            catch (bytes memory data) {
                answers[i] = decode(data);
            }
            if (!answers[i].ok || !cases[i].exactIn) continue;
            try this.attempt{gas: FRAME_GAS}(cases[i], 1) {}
            catch (bytes memory data) {
                answers[i].onePossible = decode(data).ok;
            }
        }
    }

    function attempt(Case calldata wanted, uint256 extra) external {
        token0.mint(address(pair), wanted.reserve0);
        token1.mint(address(pair), wanted.reserve1);
        pair.sync();
        (uint256 reserveIn, uint256 reserveOut) = wanted.zeroForOne ? (wanted.reserve0, wanted.reserve1) : (wanted.reserve1, wanted.reserve0);
        uint256 amountIn = wanted.exactIn ? wanted.amount : router.getAmountIn(wanted.amount, reserveIn, reserveOut);
        uint256 amountOut = wanted.exactIn ? router.getAmountOut(wanted.amount, reserveIn, reserveOut) + extra : wanted.amount;
        (wanted.zeroForOne ? token0 : token1).mint(address(pair), amountIn);
        pair.swap(wanted.zeroForOne ? 0 : amountOut, wanted.zeroForOne ? amountOut : 0, address(this), "");
        (uint112 reserve0, uint112 reserve1,) = pair.getReserves();
        revert Outcome(amountIn, amountOut, reserve0, reserve1);
    }

    /// Forks with another fee, `keep` of `base`: the same library and the pair's invariant, in checked arithmetic.
    /// A port, since their pairs are not published as artifacts.
    function answerFork(Case[] calldata cases, uint256 keep, uint256 base) external view returns (Answer[] memory answers) {
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            try this.fork(cases[i], keep, base) returns (Answer memory result) {
                answers[i] = result;
            } catch {}
        }
    }

    function fork(Case calldata wanted, uint256 keep, uint256 base) external pure returns (Answer memory result) {
        (uint256 reserveIn, uint256 reserveOut) = wanted.zeroForOne ? (wanted.reserve0, wanted.reserve1) : (wanted.reserve1, wanted.reserve0);
        require(wanted.amount > 0 && reserveIn > 0 && reserveOut > 0, "nothing to trade");
        if (wanted.exactIn) {
            uint256 kept = wanted.amount * keep;
            (result.amountIn, result.amountOut) = (wanted.amount, (kept * reserveOut) / (reserveIn * base + kept));
        } else {
            (result.amountIn, result.amountOut) = ((reserveIn * wanted.amount * base) / ((reserveOut - wanted.amount) * keep) + 1, wanted.amount);
        }
        require(result.amountOut > 0 && result.amountOut < reserveOut, "no output");
        uint256 balanceIn = reserveIn + result.amountIn;
        uint256 balanceOut = reserveOut - result.amountOut;
        require((balanceIn * base - result.amountIn * (base - keep)) * (balanceOut * base) >= reserveIn * reserveOut * base * base, "K");
        require(balanceIn <= type(uint112).max && balanceOut <= type(uint112).max, "overflow");
        (result.reserve0, result.reserve1) = wanted.zeroForOne ? (balanceIn, balanceOut) : (balanceOut, balanceIn);
        result.ok = true;
    }

    /// Anything but our own error is the contracts' refusal.
    function decode(bytes memory data) private pure returns (Answer memory result) {
        if (data.length != 132 || bytes4(data) != Outcome.selector) return result;
        assembly {
            mstore(add(data, 0x04), 128)
            data := add(data, 0x04)
        }
        (result.amountIn, result.amountOut, result.reserve0, result.reserve1) = abi.decode(data, (uint256, uint256, uint256, uint256));
        result.ok = true;
    }
}
