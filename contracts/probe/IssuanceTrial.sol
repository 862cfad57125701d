// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OndoLeg} from "../legs/ondo.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor, Reading} from "../lib/Cursor.sol";
import {Hop} from "../lib/Hop.sol";
import {Tokens} from "../lib/Tokens.sol";

/// What stands at the Router's address while it is tried out whether an issuer's contract would serve what was attested: the leg as it settles, with what the Router is supposed to hold. It is never deployed, and nothing of it is kept.
contract IssuanceTrial {
    /// `funded`: the Router holds what the hop takes, as was supposed. `served`: the leg went through; else `refusal` is the selector of what the issuer's contract reverted with, or the leg itself. `taken` and `given`: of either token.
    function tryOut(address tokenIn, address tokenOut, uint256 amountIn, bytes calldata legData)
        external
        returns (bool funded, bool served, bytes4 refusal, uint256 taken, uint256 given)
    {
        uint256 paying = Tokens.balance(tokenIn, address(this));
        uint256 held = Tokens.balance(tokenOut, address(this));
        if (paying < amountIn) return (false, false, 0, 0, 0);
        funded = true;
        Hop memory hop;
        (hop.tokenIn, hop.tokenOut, hop.amountIn, hop.payer, hop.receiver) = (tokenIn, tokenOut, amountIn, address(this), address(this));
        try this.run(hop, legData) {
            served = true;
            taken = paying - Tokens.balance(tokenIn, address(this));
            given = Tokens.balance(tokenOut, address(this)) - held;
        } catch (bytes memory reason) {
            refusal = innermost(reason);
        }
    }

    function run(Hop memory hop, bytes calldata legData) external {
        Cursor memory cursor = Reading.open(legData);
        OndoLeg.run(hop, cursor);
    }

    /// Of a venue's revert its own selector: behind the address, the place and the length of the reason.
    function innermost(bytes memory reason) private pure returns (bytes4 selector) {
        selector = wordAt(reason, 0);
        if (selector == Calls.VenueReverted.selector) selector = wordAt(reason, 100);
    }

    /// The four bytes that stand there; zero beyond the end.
    function wordAt(bytes memory data, uint256 position) private pure returns (bytes4) {
        if (data.length < position + 4) return 0;
        bytes32 word;
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), position))
        }
        return bytes4(word);
    }
}
