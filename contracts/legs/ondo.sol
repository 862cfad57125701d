// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGMTokenManager, Quote} from "../interfaces/IGMTokenManager.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Custody} from "../lib/Custody.sol";
import {Hop} from "../lib/Hop.sol";
import {Tokens} from "../lib/Tokens.sol";

/// Assets that their issuer mints and redeems by what it attested for this Router. Leg data: the issuer's contract (20 bytes); the side (1 byte: 0 mints, 1 redeems); the attestation's number,
/// price, quantity and expiration (amounts); the user that it is for, and additional data (32 bytes each); the signature (65 bytes). The asset and the dollar token are the hop's: an attestation
/// of another asset is signed by nobody.
library OndoLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 14;

    uint256 private constant WHOLE = 1e18;
    uint256 private constant SIGNATURE = 65;

    /// Less reached the hop than its attestation takes: an attestation is for a fixed amount.
    error AttestationNotFunded(uint256 amountIn, uint256 attested);

    /// The attestation takes what was signed for, and no more of the hop's share: the rest stays with the payer.
    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address desk = cursor.venue(hop.allowanceHolder);
        Quote memory quote;
        quote.chainId = block.chainid;
        quote.side = uint8(cursor.integer(1));
        quote.attestationId = cursor.amount();
        quote.price = cursor.amount();
        quote.quantity = cursor.amount();
        quote.expiration = cursor.amount();
        quote.userId = bytes32(cursor.integer(32));
        quote.additionalData = bytes32(cursor.integer(32));
        bytes memory signature = cursor.slice(SIGNATURE);
        bool mints = quote.side == 0;
        uint256 attested = quote.quantity;
        // As the issuer's contract reckons what it takes.
        if (mints) attested = attested * quote.price / WHOLE;
        if (hop.amountIn < attested) revert AttestationNotFunded(hop.amountIn, attested);
        hop.amountIn = attested;
        quote.asset = mints ? hop.tokenOut : hop.tokenIn;
        (uint256 amount, uint256 rest) = Custody.take(hop);
        uint256 held = Tokens.balance(hop.tokenOut, address(this));
        bytes memory order = abi.encodeWithSelector(
            mints ? IGMTokenManager.mintWithAttestation.selector : IGMTokenManager.redeemWithAttestation.selector,
            quote,
            signature,
            mints ? hop.tokenIn : hop.tokenOut,
            // What is deposited at most; what is received is held to the route's floor.
            mints ? amount : 0
        );
        unspent = Custody.send(hop, desk, order, amount, rest);
        if (hop.receiver != address(this)) Custody.forward(hop, held);
    }
}
