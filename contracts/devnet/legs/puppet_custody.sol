// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Cursor} from "../../lib/Cursor.sol";
import {Custody} from "../../lib/Custody.sol";
import {Hop} from "../../lib/Hop.sol";

interface IPuppetTrade {
    function trade() external payable;
}

/// A leg for tests, in no Router that is deployed: its venue takes its input from the Router. Leg data: the venue (20 bytes).
library PuppetCustodyLeg {
    uint8 internal constant KIND = 250;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address venue = cursor.venue(hop.allowanceHolder);
        (uint256 amount, uint256 rest) = Custody.take(hop);
        return Custody.send(hop, venue, abi.encodeCall(IPuppetTrade.trade, ()), amount, rest);
    }
}
