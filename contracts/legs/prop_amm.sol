// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPropAMMRouter} from "../interfaces/IPropAMMRouter.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Custody} from "../lib/Custody.sol";
import {Hop} from "../lib/Hop.sol";

/// Proprietary market makers behind their common router. Leg data: the maker (20 bytes), the makers' router (20 bytes), the least that the hop has to give (an amount): for less the
/// makers' router goes to Uniswap V3, and where that gives less too, it reverts.
library PropAMMLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 11;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address maker = cursor.named();
        address makers = cursor.venue(hop.allowanceHolder);
        uint256 least = cursor.amount();
        (uint256 amount, uint256 rest) = Custody.take(hop);
        bytes memory order = abi.encodeCall(
            IPropAMMRouter.swapViaVenueV1, (maker, hop.tokenIn, hop.tokenOut, amount, least, hop.receiver, block.timestamp)
        );
        return Custody.send(hop, makers, order, amount, rest);
    }
}
