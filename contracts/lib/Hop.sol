// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAllowanceHolder} from "../interfaces/IAllowanceHolder.sol";
import {PERMIT2} from "./Addresses.sol";
import {Permits} from "./Permits.sol";
import {Tokens} from "./Tokens.sol";

/// One hop as its leg sees it. A leg reads its venue and its own data from the payload, takes at most `amountIn` from the payer, lets the output come
/// to the receiver, and returns what it did not take.
struct Hop {
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    /// The Router; or, while the sell token has not been pulled, the taker by the allowance holder, or Permit2 by the taker's signature.
    address payer;
    /// Whom the leg lets the output come to: the Router, or the swap's recipient.
    address receiver;
    address allowanceHolder;
    address wrappedNative;
    /// What the hops so far took from the taker and gave back: spent for the hops after them, and yet not sold.
    uint256 givenBack;
    address taker;
}

library Payer {
    /// Moves `amount` of `token` from its payer: what the Router holds, or straight from the taker. The allowance holder serves only the account
    /// that is calling it, up to what it granted; Permit2 serves the account that is calling the Router, once, up to what it signed for.
    function pay(address payer, address allowanceHolder, address token, address to, uint256 amount) internal {
        if (payer == address(this)) Tokens.pay(token, to, amount);
        else if (payer == PERMIT2) Permits.transferByKept(token, to, amount);
        else IAllowanceHolder(allowanceHolder).transferFrom(token, payer, to, amount);
    }
}
