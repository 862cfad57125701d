// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IV4Manager} from "../interfaces/IV4Manager.sol";

/// A hook that takes a thousandth of what a swap did not specify: of an exact input's output, and on top of an exact output's input. It keeps that as claims on the manager. Its address has to end in
/// the bits 0x0044.
contract OutputFeeHook {
    uint256 private constant TAKEN = 1000;
    uint256 private constant WHOLE = 1_000_000;

    function afterSwap(
        address,
        IV4Manager.PoolKey calldata key,
        IV4Manager.SwapParams calldata params,
        int256 delta,
        bytes calldata
    ) external returns (bytes4, int128) {
        bool second = (params.amountSpecified < 0) == params.zeroForOne;
        int256 amount = second ? int256(int128(delta)) : delta >> 128;
        uint256 taken = uint256(amount < 0 ? -amount : amount) * TAKEN / WHOLE;
        if (taken > 0) IV4Manager(msg.sender).mint(address(this), uint256(uint160(second ? key.currency1 : key.currency0)), taken);
        return (this.afterSwap.selector, int128(int256(taken)));
    }
}
