// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurveCryptoPool, ICurvePool, ICurveReceiverCryptoPool, ICurveReceiverPool} from "../interfaces/ICurvePool.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Custody} from "../lib/Custody.sol";
import {Hop} from "../lib/Hop.sol";
import {Tokens} from "../lib/Tokens.sol";

/// Curve's pools. Leg data: the pool (20 bytes); a byte whose bit 0 tells that the pool pays a receiver, and bit 1 that its places are uint256; the places of the token in and of
/// the token out (a byte each). What the pool promises is not asked: the floor holds it to the route.
library CurveLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 7;

    uint256 private constant PAYS_RECEIVER = 1;
    uint256 private constant WIDE_PLACES = 2;

    error PoolFlagsUnfit(uint256 flags);

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address pool = cursor.venue(hop.allowanceHolder);
        uint256 flags = cursor.integer(1);
        if (flags > PAYS_RECEIVER | WIDE_PLACES) revert PoolFlagsUnfit(flags);
        (uint256 placeIn, uint256 placeOut) = (cursor.integer(1), cursor.integer(1));
        (uint256 amount, uint256 rest) = Custody.take(hop);
        if (flags & PAYS_RECEIVER != 0) {
            bytes4 selector = flags & WIDE_PLACES != 0 ? ICurveReceiverCryptoPool.exchange.selector : ICurveReceiverPool.exchange.selector;
            return Custody.send(hop, pool, abi.encodeWithSelector(selector, placeIn, placeOut, amount, 0, hop.receiver), amount, rest);
        }
        bytes4 plain = flags & WIDE_PLACES != 0 ? ICurveCryptoPool.exchange.selector : ICurvePool.exchange.selector;
        uint256 held = Tokens.balance(hop.tokenOut, address(this));
        unspent = Custody.send(hop, pool, abi.encodeWithSelector(plain, placeIn, placeOut, amount, 0), amount, rest);
        if (hop.receiver != address(this)) Custody.forward(hop, held);
    }
}
