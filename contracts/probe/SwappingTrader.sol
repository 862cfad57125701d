// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market} from "./Market.sol";
import {Move} from "./Moves.sol";
import {Order} from "./Orders.sol";
import {Swapping} from "./Swapping.sol";

/// A trader without code over true swaps: it trades in its creation, and undoes all of it by ending that with what it saw.
contract SwappingTrader {
    constructor(Market memory market, Order memory order) payable {
        (Move[4] memory moves, uint256 gasUsed) = Swapping.traded(market, order, true);
        bytes memory seen = abi.encode(moves, gasUsed);
        assembly {
            revert(add(seen, 0x20), mload(seen))
        }
    }
}
