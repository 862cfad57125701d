// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {Actions} from "./Actions.sol";

/// K-inv, K4: what holds after whatever sequence of swaps and attacks.
contract Invariants is Test {
    Actions private actions;

    function setUp() public {
        actions = new Actions();
        actions.setUp();
        bytes4[] memory names = new bytes4[](8);
        (names[0], names[1], names[2], names[3]) =
            (Actions.swap.selector, Actions.signedTwice.selector, Actions.throughThief.selector, Actions.hookedToken.selector);
        (names[4], names[5], names[6], names[7]) =
            (Actions.execElsewhere.selector, Actions.strike.selector, Actions.donate.selector, Actions.swap.selector);
        targetContract(address(actions));
        targetSelector(FuzzSelector(address(actions), names));
    }

    function invariant_nothing_stays_nothing_is_granted_and_nobody_else_loses() public {
        actions.check();
    }

    /// Whatever is drawn, swaps do go through.
    function afterInvariant() public view {
        uint256 tried = actions.count("settled") + actions.count("reverted");
        if (tried >= 20) assertGt(actions.count("settled"), 2, "no swap went through");
    }
}
