// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Cursor} from "../lib/Cursor.sol";
import {Hop} from "../lib/Hop.sol";
import {UniswapV4PathLeg} from "./uniswap_v4_path.sol";

/// A Uniswap V4 pool whose hook lets nobody swap in a block before it was shown an attestation for that block. Leg data: the pool manager (20 bytes), of the pool's key the fee (3), the tick spacing (3) and the hooks (20), the first block that there
/// is an attestation for (8), how many there are (1), then one for each block from there on (85 each, as the hook reads it). The hook gets that of the block in which this runs; in a block without one it gets no data, which is enough where
/// somebody else has shown it one. The manager's call back is that of a path of one pool.
library UniswapV4AttestedLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 13;

    uint256 private constant ATTESTATION_BYTES = 85;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address manager = cursor.venue(hop.allowanceHolder);
        bytes memory pool = cursor.slice(UniswapV4PathLeg.POOL_BYTES);
        uint256 first = cursor.integer(8);
        uint256 count = cursor.integer(1);
        bytes memory hookData;
        // No overflow: places are of one byte. Before the first block the difference is larger than any of them.
        unchecked {
            uint256 start = cursor.position;
            cursor.skip(count * ATTESTATION_BYTES);
            uint256 end = cursor.position;
            uint256 place = block.number - first;
            if (place < count) {
                cursor.position = start + place * ATTESTATION_BYTES;
                hookData = cursor.slice(ATTESTATION_BYTES);
                cursor.position = end;
            }
        }
        return UniswapV4PathLeg.unlock(hop, manager, hookData, 0, pool);
    }
}
