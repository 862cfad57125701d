// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapERC20} from "../interfaces/ISwapERC20.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Custody} from "../lib/Custody.sol";
import {Hop} from "../lib/Hop.sol";

/// Orders that makers signed for this Router, settled by AirSwap's SwapERC20. Leg data: that contract (20 bytes), the maker's wallet (20 bytes), the order's nonce, expiry, amount given and
/// amount taken (amounts), and the signature: v (1 byte), r, s (32 bytes each). The tokens are the hop's: an order for others is signed by nobody.
library AirSwapLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 12;

    /// Less reached the hop than its order takes: an order is for a fixed amount.
    error OrderNotFunded(uint256 amountIn, uint256 ordered);

    /// The order takes what was signed for, and no more of the hop's share: the rest stays with the payer. Of a token that taxes transfers less comes than the order takes, and no more than
    /// that is approved: then SwapERC20 reverts.
    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address settlement = cursor.venue(hop.allowanceHolder);
        address maker = cursor.named();
        (uint256 nonce, uint256 expiry, uint256 given, uint256 ordered) = (cursor.amount(), cursor.amount(), cursor.amount(), cursor.amount());
        (uint8 v, bytes32 r, bytes32 s) = (uint8(cursor.integer(1)), bytes32(cursor.integer(32)), bytes32(cursor.integer(32)));
        if (hop.amountIn < ordered) revert OrderNotFunded(hop.amountIn, ordered);
        hop.amountIn = ordered;
        (uint256 amount, uint256 rest) = Custody.take(hop);
        bytes memory order = abi.encodeCall(
            ISwapERC20.swap, (hop.receiver, nonce, expiry, maker, hop.tokenOut, given, hop.tokenIn, ordered, v, r, s)
        );
        return Custody.send(hop, settlement, order, amount, rest);
    }
}
