// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What the issuer attests: so much of an asset at a price, minted for a user (side 0) or redeemed from it (side 1). Prices and quantities have 18 decimals.
struct Quote {
    uint256 chainId;
    uint256 attestationId;
    bytes32 userId;
    address asset;
    uint256 price;
    uint256 quantity;
    uint256 expiration;
    uint8 side;
    bytes32 additionalData;
}

/// The contract of Ondo Global Markets, as far as it is called with the issuer's own dollar token. It serves callers that its registry knows, and pays its caller.
interface IGMTokenManager {
    /// Takes quantity * price / 1e18 of the dollar token by an allowance, and mints the quantity.
    function mintWithAttestation(Quote calldata quote, bytes calldata signature, address depositToken, uint256 depositTokenAmount) external returns (uint256);

    /// Takes the quantity of the asset by an allowance, and pays quantity * price / 1e18 of the dollar token.
    function redeemWithAttestation(Quote calldata quote, bytes calldata signature, address receiveToken, uint256 minimumReceiveAmount)
        external
        returns (uint256);
}
