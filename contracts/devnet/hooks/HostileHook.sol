// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IV4Manager} from "../interfaces/IV4Manager.sol";

/// A hook that burns all gas of every swap: no route may lead here, however good the price. Its address has to end in the bits 0x0080.
contract HostileHook {
    function beforeSwap(address, IV4Manager.PoolKey calldata, IV4Manager.SwapParams calldata, bytes calldata)
        external
        pure
        returns (bytes4, int256, uint24)
    {
        assembly {
            invalid()
        }
    }
}
