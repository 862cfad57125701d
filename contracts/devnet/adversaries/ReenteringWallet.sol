// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A maker's wallet that makes calls in the middle of being asked whether it signed, as ERC-1271 has it asked, and says yes only where each of
/// them ended as it was told that it would: so what came of them shows in whether the swap goes through.
contract ReenteringWallet {
    struct Step {
        address target;
        bytes data;
        bool succeeds;
    }

    /// Each call has so much: one that a static call forbids takes all that it has.
    uint256 private constant GAS = 400_000;

    Step[] private steps;

    function teach(Step[] calldata taught) external {
        delete steps;
        for (uint256 i = 0; i < taught.length; i++) steps.push(taught[i]);
    }

    function isValidSignature(bytes32, bytes calldata) external returns (bytes4) {
        for (uint256 i = 0; i < steps.length; i++) {
            (bool ok, ) = steps[i].target.call{gas: GAS}(steps[i].data);
            if (ok != steps[i].succeeds) return 0xffffffff;
        }
        return ReenteringWallet.isValidSignature.selector;
    }

    function run(address target, bytes calldata data) external {
        (bool ok, bytes memory result) = target.call{gas: GAS}(data);
        if (!ok) {
            assembly {
                revert(add(result, 0x20), mload(result))
            }
        }
    }
}
