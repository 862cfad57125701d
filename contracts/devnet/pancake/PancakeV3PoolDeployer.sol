// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Deploys PancakeSwap's own V3 pools for the factory that asks. PancakeSwap publishes its factory and pool compiled, but not the contract between them: this
/// one does what the pool's constructor and the factory ask of it. One deployer serves one factory.
contract PancakeV3PoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    /// What the pool that is being created reads in its constructor. Empty at all other times.
    Parameters public parameters;

    /// An account whose code is a zero byte and then the pool's creation code: storage would cost thirty times as much.
    address private immutable code;

    error CodeNotKept();
    error PoolNotCreated();

    constructor(bytes memory poolCode) {
        // Returns what follows its 11 bytes.
        bytes memory keeper = abi.encodePacked(hex"600b5981380380925939f3", hex"00", poolCode);
        address kept;
        assembly {
            kept := create(0, add(keeper, 0x20), mload(keeper))
        }
        if (kept == address(0)) revert CodeNotKept();
        code = kept;
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing) external returns (address pool) {
        require(msg.sender == factory, "only a factory for itself");
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        address source = code;
        assembly {
            let start := mload(0x40)
            let size := sub(extcodesize(source), 1)
            extcodecopy(source, start, 1, size)
            pool := create2(0, start, size, salt)
        }
        if (pool == address(0)) revert PoolNotCreated();
        delete parameters;
    }
}
