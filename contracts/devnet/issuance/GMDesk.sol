// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IssuedAsset} from "./IssuedAsset.sol";

/// The contract of Ondo Global Markets as far as the local chain needs it: assets minted and redeemed by attestations, against a dollar token of which it keeps a stock in the place of minting it. It checks what that checks and reverts as that does, and is its own registry of users, market hours, oracle of prices and limiter;
/// where nothing was set, anything passes these.
contract GMDesk {
    using SafeERC20 for IERC20;

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

    bytes32 public constant ATTESTATION_SIGNER_ROLE = keccak256("ATTESTATION_SIGNER_ROLE");
    bytes32 public constant QUOTE_TYPEHASH = keccak256(
        "Quote(uint256 chainId,uint256 attestationId,bytes32 userId,address asset,uint256 price,uint256 quantity,uint256 expiration,uint8 side,bytes32 additionalData)"
    );
    bytes32 private constant DOMAIN_TYPEHASH = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    uint256 private constant WHOLE = 1e18;
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    uint8 private constant BUY = 0;
    uint8 private constant SELL = 1;

    address public immutable owner;
    address public immutable usdon;
    address public gmIdentifier = address(uint160(uint256(keccak256("global_markets"))));
    mapping(uint256 => bool) public executedAttestationIds;
    mapping(address => bool) public gmTokenAccepted;
    mapping(address => bool) public gmTokenMintingPaused;
    mapping(address => bool) public gmTokenRedemptionsPaused;
    bool public globalMintingPaused;
    bool public globalRedeemingPaused;
    mapping(bytes32 => mapping(address => bool)) public hasRole;
    /// In the dollar token.
    uint256 public minimumDepositUSD;
    uint256 public minimumRedemptionUSD;
    bool private isClosed;
    mapping(address => Posted) private postedOf;
    /// What is left of an asset for everybody, and for a user, in the dollar token: not refilled by time.
    mapping(address => Limit) private limitOf;
    mapping(bytes32 => mapping(address => Limit)) private userLimitOf;
    mapping(address => bytes32) private idOf;

    /// A price that others may not be far from, and how long it holds.
    struct Posted {
        uint256 price;
        uint256 deviationBps;
        uint256 until;
    }

    struct Limit {
        bool isSet;
        uint256 left;
    }

    error OnlyOwner();
    error GlobalMintsPaused();
    error GMTokenMintsPaused();
    error GlobalRedemptionsPaused();
    error GMTokenRedemptionsPaused();
    error OutsideMarketHours();
    error StalePrice();
    error PriceOutOfRange();
    error DepositAmountTooSmall();
    error RedemptionAmountTooSmall();
    error RateLimitExceeded();
    error UserRateLimitExceeded();
    error UserNotRegistered();
    error InvalidQuoteSide();
    error AttestationAlreadyExecuted();
    error AttestationExpired();
    error UserIdMismatch(bytes32 registered, bytes32 quoted);
    error GMTokenNotRegistered();
    error InvalidChainId();
    error InvalidAttestationSigner();
    error TokenNotServed(address token);

    modifier onlyOwner() {
        if (msg.sender != owner) revert OnlyOwner();
        _;
    }

    constructor(address dollar, address signer) {
        owner = msg.sender;
        usdon = dollar;
        hasRole[ATTESTATION_SIGNER_ROLE][signer] = true;
    }

    function issue(IssuedAsset asset, address[] calldata accounts, uint256 amount) external onlyOwner {
        gmTokenAccepted[address(asset)] = true;
        for (uint256 i = 0; i < accounts.length; i++) asset.mint(accounts[i], amount);
    }

    function register(address user, bytes32 userId) external onlyOwner {
        idOf[user] = userId;
    }

    function pause(bool minting, bool redeeming) external onlyOwner {
        (globalMintingPaused, globalRedeemingPaused) = (minting, redeeming);
    }

    function pauseAsset(address asset, bool minting, bool redeeming) external onlyOwner {
        (gmTokenMintingPaused[asset], gmTokenRedemptionsPaused[asset]) = (minting, redeeming);
    }

    function accept(address asset, bool accepted) external onlyOwner {
        gmTokenAccepted[asset] = accepted;
    }

    function setSigner(address signer, bool signs) external onlyOwner {
        hasRole[ATTESTATION_SIGNER_ROLE][signer] = signs;
    }

    function close(bool closed) external onlyOwner {
        isClosed = closed;
    }

    function setMinimums(uint256 deposit, uint256 redemption) external onlyOwner {
        (minimumDepositUSD, minimumRedemptionUSD) = (deposit, redemption);
    }

    /// A price of zero: none is posted.
    function postPrice(address asset, uint256 price, uint256 deviationBps, uint256 until) external onlyOwner {
        postedOf[asset] = Posted(price, deviationBps, until);
    }

    /// Of a user, or for everybody where `userId` is zero.
    function limit(bytes32 userId, address asset, bool isSet, uint256 left) external onlyOwner {
        if (userId == bytes32(0)) limitOf[asset] = Limit(isSet, left);
        else userLimitOf[userId][asset] = Limit(isSet, left);
    }

    function ondoIDRegistry() external view returns (address) {
        return address(this);
    }

    function getRegisteredID(address identifier, address user) public view returns (bytes32) {
        return identifier == gmIdentifier ? idOf[user] : bytes32(0);
    }

    function mintWithAttestation(Quote calldata quote, bytes calldata signature, address depositToken, uint256) external returns (uint256) {
        if (globalMintingPaused) revert GlobalMintsPaused();
        if (gmTokenMintingPaused[quote.asset]) revert GMTokenMintsPaused();
        if (quote.side != BUY) revert InvalidQuoteSide();
        if (depositToken != usdon) revert TokenNotServed(depositToken);
        bytes32 userId = execute(quote, signature);
        uint256 worth = quote.quantity * quote.price / WHOLE;
        if (worth < minimumDepositUSD) revert DepositAmountTooSmall();
        useLimits(quote.asset, userId, worth);
        IERC20(usdon).safeTransferFrom(msg.sender, address(this), worth);
        IssuedAsset(quote.asset).mint(msg.sender, quote.quantity);
        return quote.quantity;
    }

    function redeemWithAttestation(Quote calldata quote, bytes calldata signature, address receiveToken, uint256) external returns (uint256) {
        if (globalRedeemingPaused) revert GlobalRedemptionsPaused();
        if (gmTokenRedemptionsPaused[quote.asset]) revert GMTokenRedemptionsPaused();
        if (quote.side != SELL) revert InvalidQuoteSide();
        if (receiveToken != usdon) revert TokenNotServed(receiveToken);
        bytes32 userId = execute(quote, signature);
        IERC20(quote.asset).safeTransferFrom(msg.sender, address(this), quote.quantity);
        IssuedAsset(quote.asset).burn(quote.quantity);
        uint256 worth = quote.quantity * quote.price / WHOLE;
        if (worth < minimumRedemptionUSD) revert RedemptionAmountTooSmall();
        useLimits(quote.asset, userId, worth);
        IERC20(usdon).safeTransfer(msg.sender, worth);
        return worth;
    }

    function execute(Quote calldata quote, bytes calldata signature) private returns (bytes32 userId) {
        userId = idOf[msg.sender];
        if (userId == bytes32(0)) revert UserNotRegistered();
        if (executedAttestationIds[quote.attestationId]) revert AttestationAlreadyExecuted();
        if (block.timestamp > quote.expiration) revert AttestationExpired();
        if (userId != quote.userId) revert UserIdMismatch(userId, quote.userId);
        if (isClosed) revert OutsideMarketHours();
        validatePrice(quote.asset, quote.price);
        if (!gmTokenAccepted[quote.asset]) revert GMTokenNotRegistered();
        if (quote.chainId != block.chainid) revert InvalidChainId();
        if (!hasRole[ATTESTATION_SIGNER_ROLE][signerOf(quote, signature)]) revert InvalidAttestationSigner();
        executedAttestationIds[quote.attestationId] = true;
    }

    function validatePrice(address asset, uint256 price) private view {
        Posted memory posted = postedOf[asset];
        if (posted.price == 0) return;
        if (posted.until < block.timestamp) revert StalePrice();
        uint256 apart = price > posted.price ? price - posted.price : posted.price - price;
        if (apart > posted.price * posted.deviationBps / 10_000) revert PriceOutOfRange();
    }

    function useLimits(address asset, bytes32 userId, uint256 worth) private {
        Limit storage everybody = limitOf[asset];
        Limit storage user = userLimitOf[userId][asset];
        if (everybody.isSet && worth > everybody.left) revert RateLimitExceeded();
        if (user.isSet && worth > user.left) revert UserRateLimitExceeded();
        if (everybody.isSet) everybody.left -= worth;
        if (user.isSet) user.left -= worth;
    }

    function signerOf(Quote calldata quote, bytes calldata signature) private view returns (address) {
        // All members are static: the struct's own encoding is theirs, one after the other.
        bytes32 content = keccak256(bytes.concat(QUOTE_TYPEHASH, abi.encode(quote)));
        bytes32 domain =
            keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("OndoGMTokenManager"), keccak256("1"), block.chainid, address(this)));
        if (signature.length != 65) return address(0);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HALF_ORDER) return address(0);
        return ecrecover(keccak256(bytes.concat(hex"1901", domain, content)), uint8(signature[64]), bytes32(signature[0:32]), s);
    }
}
