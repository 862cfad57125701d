// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IV4Manager} from "../interfaces/IV4Manager.sol";

/// A hook that is asked before each swap: it imposes a fee of its own for each direction, or leaves the one that the manager has stored, which it can also change. Anybody may set both: it is
/// for the devnet. Its address has to end in the bits 0x0080.
contract DynamicFeeHook {
    struct Fees {
        uint24 zeroForOne;
        uint24 oneForZero;
        bool imposed;
    }

    uint24 private constant IMPOSED = 0x400000;
    uint24 private constant MOST = 1_000_000;

    mapping(bytes32 id => Fees) public feesOf;

    error FeeTooLarge(uint24 fee);

    /// No log tells of it.
    function impose(bytes32 id, uint24 zeroForOne, uint24 oneForZero) external {
        if (zeroForOne > MOST) revert FeeTooLarge(zeroForOne);
        if (oneForZero > MOST) revert FeeTooLarge(oneForZero);
        feesOf[id] = Fees(zeroForOne, oneForZero, true);
    }

    function leave(bytes32 id) external {
        delete feesOf[id];
    }

    function store(IV4Manager manager, IV4Manager.PoolKey calldata key, uint24 fee) external {
        manager.updateDynamicLPFee(key, fee);
    }

    function beforeSwap(address, IV4Manager.PoolKey calldata key, IV4Manager.SwapParams calldata params, bytes calldata)
        external
        view
        returns (bytes4, int256, uint24)
    {
        Fees memory fees = feesOf[keccak256(abi.encode(key))];
        uint24 fee = params.zeroForOne ? fees.zeroForOne : fees.oneForZero;
        return (this.beforeSwap.selector, 0, fees.imposed ? fee | IMPOSED : 0);
    }
}
