// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "./PlainToken.sol";

interface ISolidlyPool {
    function sync() external;
    function mint(address to) external returns (uint256);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
    function reserve0() external view returns (uint256);
    function reserve1() external view returns (uint256);
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

interface ISolidlyFactory {
    function createPool(address tokenA, address tokenB, bool stable) external returns (address);
    function setCustomFee(address pool, uint256 fee) external;
}

/// What a pool asks of its tokens when it is made.
contract NamedToken is PlainToken {
    string public constant symbol = "T";
    uint8 public immutable decimals;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }
}

/// Asks real pools of Solidly's kind for many swaps in one eth_call, each from its own reserves and fee, in a frame that reverts. Has to be the factory's fee manager.
contract SolidlyOracle {
    struct Case {
        bool stable;
        uint256 reserve0;
        uint256 reserve1;
        uint256 fee;
        bool zeroForOne;
        uint256 amountIn;
    }

    struct Answer {
        bool ok;
        uint256 amountOut;
        uint256 reserve0;
        uint256 reserve1;
    }

    error Outcome(uint256 amountOut, uint256 reserve0, uint256 reserve1);

    /// A custom fee of 0 means none was set; this one means that it is 0.
    uint256 private constant ZERO_FEE = 420;
    uint256 private constant FRAME_GAS = 10_000_000;

    ISolidlyFactory public immutable factory;
    NamedToken public immutable token0;
    NamedToken public immutable token1;
    ISolidlyPool public immutable stablePool;
    ISolidlyPool public immutable volatilePool;

    constructor(ISolidlyFactory factory_, uint8 decimals0, uint8 decimals1) {
        factory = factory_;
        (NamedToken a, NamedToken b) = (new NamedToken(decimals0), new NamedToken(decimals1));
        // Tokens are sorted by address: the second is made again until it comes behind.
        while (address(b) < address(a)) b = new NamedToken(decimals1);
        (token0, token1) = (a, b);
        stablePool = ISolidlyPool(factory_.createPool(address(a), address(b), true));
        volatilePool = ISolidlyPool(factory_.createPool(address(a), address(b), false));
        // Liquidity that never leaves: what fees are counted by.
        for (uint256 i = 0; i < 2; i++) {
            address pool = address(i == 0 ? stablePool : volatilePool);
            a.mint(pool, 10 ** (decimals0 + 6));
            b.mint(pool, 10 ** (decimals1 + 6));
            ISolidlyPool(pool).mint(address(this));
        }
    }

    function answer(Case[] calldata cases) external returns (Answer[] memory answers) {
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            try this.attempt{gas: FRAME_GAS}(cases[i]) {}
            catch (bytes memory data) {
                answers[i] = decode(data);
            }
        }
    }

    function attempt(Case calldata wanted) external {
        ISolidlyPool pool = wanted.stable ? stablePool : volatilePool;
        factory.setCustomFee(address(pool), wanted.fee == 0 ? ZERO_FEE : wanted.fee);
        bring(token0, address(pool), wanted.reserve0);
        bring(token1, address(pool), wanted.reserve1);
        pool.sync();
        NamedToken tokenIn = wanted.zeroForOne ? token0 : token1;
        uint256 amountOut = pool.getAmountOut(wanted.amountIn, address(tokenIn));
        tokenIn.mint(address(pool), wanted.amountIn);
        pool.swap(wanted.zeroForOne ? 0 : amountOut, wanted.zeroForOne ? amountOut : 0, address(this), "");
        revert Outcome(amountOut, pool.reserve0(), pool.reserve1());
    }

    function bring(NamedToken token, address pool, uint256 balance) private {
        token.burn(pool, token.balanceOf(pool));
        token.mint(pool, balance);
    }

    /// Anything but our own error is the contracts' refusal.
    function decode(bytes memory data) private pure returns (Answer memory result) {
        if (data.length != 100 || bytes4(data) != Outcome.selector) return result;
        assembly {
            mstore(add(data, 0x04), 96)
            data := add(data, 0x04)
        }
        (result.amountOut, result.reserve0, result.reserve1) = abi.decode(data, (uint256, uint256, uint256));
        result.ok = true;
    }
}
