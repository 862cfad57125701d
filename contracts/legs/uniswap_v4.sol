// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Cursor} from "../lib/Cursor.sol";
import {Hop} from "../lib/Hop.sol";
import {UniswapV4PathLeg} from "./uniswap_v4_path.sol";

/// Uniswap V4 pools: of ERC-20s, and of the native token without wrapping. Leg data: the pool manager (20 bytes), then of the pool's key the fee (3), the
/// tick spacing (3) and the hooks (20). Hooks get no data. The manager's call back is that of a path of one pool.
library UniswapV4Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 4;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address manager = cursor.venue(hop.allowanceHolder);
        return UniswapV4PathLeg.unlock(hop, manager, "", 0, cursor.slice(UniswapV4PathLeg.POOL_BYTES));
    }
}
