// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FundManagement, IBalancerVault, SingleSwap} from "../interfaces/IBalancerVault.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Custody} from "../lib/Custody.sol";
import {Hop} from "../lib/Hop.sol";

/// Pools of Balancer's vault, whatever their kind. Leg data: the vault (20 bytes), the pool's id (32). The vault takes its input from its caller, by an approval, and pays
/// whom it is told to.
library BalancerV2Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 6;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256) {
        address vault = cursor.venue(hop.allowanceHolder);
        bytes32 poolId = bytes32(cursor.integer(32));
        (uint256 amount, uint256 rest) = Custody.take(hop);
        SingleSwap memory order = SingleSwap(poolId, 0, hop.tokenIn, hop.tokenOut, amount, "");
        FundManagement memory funds = FundManagement(address(this), false, hop.receiver, false);
        // The floor is the Router's, and so is the deadline.
        return Custody.send(hop, vault, abi.encodeCall(IBalancerVault.swap, (order, funds, 0, type(uint256).max)), amount, rest);
    }
}
