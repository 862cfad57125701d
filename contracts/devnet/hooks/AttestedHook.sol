// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IV4Manager} from "../interfaces/IV4Manager.sol";

/// A hook that lets nobody swap in a block before one of its nodes has attested that block, as Angstrom's does, and with storage in the same places: the owner, the nodes, the fees of a pair and the last block that was unlocked. It imposes a fee
/// for liquidity providers, and takes another one of what a swap did not specify, which it keeps as claims on the manager. Its address has to end in the bits 0x00c4.
contract AttestedHook {
    struct Fees {
        uint24 unlocked;
        uint24 protocol;
    }

    uint24 private constant IMPOSED = 0x400000;
    int24 private constant WHOLE = 1_000_000;
    bytes32 private constant ATTESTATION = keccak256("AttestAngstromBlockEmpty(uint64 block_number)");
    bytes32 private constant DOMAIN = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    address private owner;
    mapping(address node => bool) private isNode;
    mapping(bytes27 pair => Fees) private feesOf;
    uint64 private lastBlockUnlocked;

    error CannotSwapWhileLocked();
    error UnlockDataTooShort();
    error NotNode();
    error InvalidSignature();
    error NotOwner();

    /// Whoever calls it first owns it: the contract is at a place that follows from no constructor.
    function open(address[] calldata nodes) external {
        if (owner != address(0) && owner != msg.sender) revert NotOwner();
        owner = msg.sender;
        for (uint256 i = 0; i < nodes.length; i++) isNode[nodes[i]] = !isNode[nodes[i]];
    }

    /// No log tells of it.
    function configurePool(address asset0, address asset1, uint24 unlocked, uint24 protocol) external {
        if (owner != msg.sender) revert NotOwner();
        feesOf[pairOf(asset0, asset1)] = Fees(unlocked, protocol);
    }

    function extsload(uint256 slot) external view returns (uint256 word) {
        assembly ("memory-safe") {
            word := sload(slot)
        }
    }

    function beforeSwap(address, IV4Manager.PoolKey calldata key, IV4Manager.SwapParams calldata, bytes calldata data)
        external
        returns (bytes4, int256, uint24)
    {
        if (lastBlockUnlocked != block.number) unlock(data);
        return (this.beforeSwap.selector, 0, feesOf[pairOf(key.currency0, key.currency1)].unlocked | IMPOSED);
    }

    function afterSwap(
        address,
        IV4Manager.PoolKey calldata key,
        IV4Manager.SwapParams calldata params,
        int256 delta,
        bytes calldata
    ) external returns (bytes4, int128) {
        bool exactIn = params.amountSpecified < 0;
        bool second = exactIn == params.zeroForOne;
        int128 amount = second ? int128(delta) : int128(delta >> 128);
        if (amount < 0) amount = -amount;
        int24 rate = int24(feesOf[pairOf(key.currency0, key.currency1)].protocol);
        int128 taken = exactIn ? amount * rate / WHOLE : amount * WHOLE / (WHOLE - rate) - amount;
        if (taken > 0) IV4Manager(msg.sender).mint(address(this), uint256(uint160(second ? key.currency1 : key.currency0)), uint128(taken));
        return (this.afterSwap.selector, taken);
    }

    function unlock(bytes calldata data) private {
        if (data.length == 0) revert CannotSwapWhileLocked();
        if (data.length < 20) revert UnlockDataTooShort();
        address node = address(bytes20(data[:20]));
        if (!isNode[node]) revert NotNode();
        if (data.length != 85) revert InvalidSignature();
        bytes32 domain = keccak256(abi.encode(DOMAIN, keccak256("Angstrom"), keccak256("v1"), block.chainid, address(this)));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, keccak256(abi.encode(ATTESTATION, block.number))));
        if (ecrecover(digest, uint8(data[84]), bytes32(data[20:52]), bytes32(data[52:84])) != node) revert InvalidSignature();
        lastBlockUnlocked = uint64(block.number);
    }

    function pairOf(address asset0, address asset1) private pure returns (bytes27) {
        return bytes27(keccak256(abi.encode(asset0, asset1)) << 40);
    }
}
