// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What stands at a pool's address while a probe runs: the pool itself, whose code lies elsewhere meanwhile, but that whoever knows the secret moves its hands. It is never deployed.
contract PoolPuppet {
    bytes32 private immutable secret;
    /// Where the pool's own code lies.
    address private immutable original;

    constructor(bytes32 secret_, address original_) {
        (secret, original) = (secret_, original_);
    }

    /// The secret, an address (20 bytes) and data: calls that with it, and gives back a word of what it answers. Anything else is the pool's.
    fallback() external payable {
        bool commanded = msg.data.length >= 52 && bytes32(msg.data[:32]) == secret;
        address target = commanded ? address(bytes20(msg.data[32:52])) : original;
        assembly {
            switch commanded
            case 1 {
                let size := sub(calldatasize(), 52)
                calldatacopy(0, 52, size)
                let ok := call(gas(), target, 0, 0, size, 0, 0x20)
                size := returndatasize()
                if gt(size, 0x20) { size := 0x20 }
                if ok { return(0, size) }
                revert(0, 0)
            }
            default {
                calldatacopy(0, 0, calldatasize())
                let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
                returndatacopy(0, 0, returndatasize())
                if ok { return(0, returndatasize()) }
                revert(0, returndatasize())
            }
        }
    }
}
