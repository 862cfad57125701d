// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {IHolder, IRouter} from "./Interfaces.sol";

/// A pool, and a hook of a token, that tries every door when it is called. What it steals stays here.
contract Thief {
    IHolder private immutable holder;
    IRouter private immutable router;
    address private immutable victim;

    address private token;
    address private paid;
    uint256 private plan;
    uint256 private asks;
    uint256 private gives;
    bytes private payload;
    bool private busy;

    constructor(IHolder holder_, IRouter router_, address victim_) {
        (holder, router, victim) = (holder_, router_, victim_);
    }

    /// Each bit of `plan_` is one thing that it tries.
    function prepare(uint256 plan_, address token_, uint256 asks_, address paid_, uint256 gives_, bytes calldata payload_) external {
        (plan, token, asks, paid, gives, payload) = (plan_, token_, asks_, paid_, gives_, payload_);
    }

    function swap(address receiver, bool zeroForOne, int256, uint160, bytes calldata) external returns (int256, int256) {
        (int256 amount0, int256 amount1) = zeroForOne ? (int256(asks), -int256(gives)) : (-int256(gives), int256(asks));
        tryDoors();
        if (plan & 1 != 0) ask("uniswapV3SwapCallback(int256,int256,bytes)", amount0, amount1);
        if (plan & 2 != 0) ask("uniswapV3SwapCallback(int256,int256,bytes)", amount0, amount1);
        if (plan & 4 != 0) ask("pancakeV3SwapCallback(int256,int256,bytes)", amount0, amount1);
        tryDoors();
        if (gives > 0) TrickToken(paid).transfer(receiver, gives);
        return (amount0, amount1);
    }

    /// Of a token that tells of its transfers.
    function onTransfer(address, address, uint256) external {
        if (busy) return;
        busy = true;
        tryDoors();
        busy = false;
    }

    function ask(string memory name, int256 amount0, int256 amount1) private {
        (bool ok,) = address(router).call(abi.encodeWithSignature(name, amount0, amount1, abi.encode(victim, payload)));
        ok;
    }

    function tryDoors() private {
        if (plan & 8 != 0) attempt(address(holder), abi.encodeCall(IHolder.transferFrom, (token, victim, address(this), 1)));
        if (plan & 16 != 0) attempt(address(router), abi.encodeCall(IRouter.executeFrom, (victim, payload)));
        if (plan & 32 != 0) attempt(address(holder), abi.encodeCall(IHolder.exec, (address(router), token, type(uint256).max, payload)));
        if (plan & 64 != 0) attempt(address(router), abi.encodeCall(IRouter.swap, (payload)));
        if (plan & 128 != 0) attempt(address(router), abi.encodeCall(IRouter.swapPermit2, (payload)));
        if (plan & 256 != 0) attempt(token, abi.encodeCall(TrickToken.transferFrom, (address(router), address(this), 1)));
    }

    function attempt(address to, bytes memory data) private {
        (bool ok,) = to.call(data);
        ok;
    }
}
