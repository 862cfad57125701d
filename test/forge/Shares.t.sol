// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Shares} from "../../contracts/lib/Shares.sol";
import {Test} from "forge-std/Test.sol";

/// K14: shares over the whole width of an amount, against OpenZeppelin's product of 512 bits.
contract SharesTest is Test {
    function testFuzz_portion(uint256 amount, uint256 bps) public pure {
        bps = bound(bps, 0, 10_000);
        assertEq(Shares.portion(amount, bps), Math.mulDiv(amount, bps, 10_000));
    }

    /// The smallest amount that leaves the target; or none that fits.
    function testFuzz_grossFor(uint256 target, uint256 bps) public view {
        bps = bound(bps, 0, 1_500);
        try this.grossFor(target, bps) returns (uint256 gross) {
            assertEq(gross - Math.mulDiv(gross, bps, 10_000), target);
            if (gross > 0) assertLt(gross - 1 - Math.mulDiv(gross - 1, bps, 10_000), target);
        } catch {
            // More than all amounts would be needed.
            assertLt(type(uint256).max - Math.mulDiv(type(uint256).max, bps, 10_000), target);
        }
    }

    function grossFor(uint256 target, uint256 bps) external pure returns (uint256) {
        return Shares.grossFor(target, bps);
    }
}
