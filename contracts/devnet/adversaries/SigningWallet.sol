// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A taker with code that accepts whatever signature it is asked about, as a careless ERC-1271 wallet does, and makes the calls it is told to.
contract SigningWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return SigningWallet.isValidSignature.selector;
    }

    function run(address target, bytes calldata data) external {
        (bool ok, bytes memory result) = target.call(data);
        if (!ok) {
            assembly {
                revert(add(result, 0x20), mload(result))
            }
        }
    }
}
