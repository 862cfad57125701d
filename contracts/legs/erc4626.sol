// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "../interfaces/IERC4626.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Custody} from "../lib/Custody.sol";
import {Hop} from "../lib/Hop.sol";

/// Vaults of ERC-4626: an asset is deposited for shares, shares are redeemed for the asset. Leg data: the vault (20 bytes), which is one of the two tokens.
library ERC4626Leg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 8;

    error NotTheVaultsToken(address vault);

    /// Shares are the Router's own when they are redeemed, and yet approved as an asset is: for vaults that ask that of everybody. The approval is gone afterwards.
    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address vault = cursor.venue(hop.allowanceHolder);
        if (hop.tokenIn != vault && hop.tokenOut != vault) revert NotTheVaultsToken(vault);
        (uint256 amount, uint256 rest) = Custody.take(hop);
        bytes memory order = hop.tokenOut == vault
            ? abi.encodeCall(IERC4626.deposit, (amount, hop.receiver))
            : abi.encodeCall(IERC4626.redeem, (amount, hop.receiver, address(this)));
        return Custody.send(hop, vault, order, amount, rest);
    }
}
