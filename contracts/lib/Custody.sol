// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NATIVE} from "./Addresses.sol";
import {Calls} from "./Calls.sol";
import {Hop, Payer} from "./Hop.sol";
import {Tokens} from "./Tokens.sol";

/// For legs whose venue takes its input from the Router, by an approval or with the call: the one place where the Router approves anybody.
library Custody {
    /// The Router has less of the token than it had before the hop, or than the hop is to spend.
    error InputMissing(address token);

    /// Brings the hop's input into the Router. `amount` is what came, at most the hop's input: of a token that taxes transfers, less. `rest` is what
    /// the Router holds beside it, which is not the hop's to spend.
    function take(Hop memory hop) internal returns (uint256 amount, uint256 rest) {
        uint256 held = Tokens.balance(hop.tokenIn, address(this));
        amount = hop.amountIn;
        if (hop.payer != address(this)) {
            Payer.pay(hop.payer, hop.allowanceHolder, hop.tokenIn, address(this), amount);
            uint256 afterwards = Tokens.balance(hop.tokenIn, address(this));
            uint256 came = afterwards > held ? afterwards - held : 0;
            if (came < amount) amount = came;
            held = afterwards;
        }
        if (held < amount || amount == 0) revert InputMissing(hop.tokenIn);
        unchecked {
            rest = held - amount;
        }
    }

    /// Calls the venue with what `take` brought in at its disposal, and nothing else: native goes with the call, a token is approved for exactly that
    /// and for nothing afterwards. What the venue leaves of it is the payer's again. The taker's goes back to the taker: it has used up its part of the
    /// grant, or the signature, so no later hop can take it.
    function send(Hop memory hop, address venue, bytes memory input, uint256 amount, uint256 rest) internal returns (uint256 unspent) {
        if (hop.tokenIn == NATIVE) {
            Calls.send(venue, amount, input);
        } else {
            Tokens.approve(hop.tokenIn, venue, amount);
            Calls.send(venue, 0, input);
            // Some tokens refuse to be approved for nothing: they are not asked where nothing is left.
            if (Tokens.allowance(hop.tokenIn, address(this), venue) != 0) Tokens.approve(hop.tokenIn, venue, 0);
        }
        uint256 left = Tokens.balance(hop.tokenIn, address(this));
        if (left < rest) revert InputMissing(hop.tokenIn);
        unchecked {
            left -= rest;
        }
        // More than the input came back: the more is a gift, and nobody's.
        if (left > amount) left = amount;
        if (hop.payer == address(this)) return left;
        if (left > 0) {
            Tokens.pay(hop.tokenIn, hop.taker, left);
            unchecked {
                // At most what was pulled, which is at most sellAmount.
                hop.givenBack += left;
            }
        }
    }

    /// Where a venue pays its caller: what came since `held` was there is the receiver's, and what was there before is nobody's.
    function forward(Hop memory hop, uint256 held) internal {
        uint256 holds = Tokens.balance(hop.tokenOut, address(this));
        if (holds > held) Tokens.pay(hop.tokenOut, hop.receiver, holds - held);
    }
}
