// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {NATIVE} from "../lib/Addresses.sol";
import {Calls} from "../lib/Calls.sol";
import {Cursor} from "../lib/Cursor.sol";
import {Hop, Payer} from "../lib/Hop.sol";
import {Tokens} from "../lib/Tokens.sol";

/// Native to wrapped and back, one to one. No leg data.
library WrapLeg {
    /// Permanent: calldata names the leg by it.
    uint8 internal constant KIND = 3;

    error NotAWrap(address tokenIn, address tokenOut);

    function run(Hop memory hop, Cursor memory) internal returns (uint256) {
        address wrapped = hop.wrappedNative;
        if (hop.tokenIn == NATIVE && hop.tokenOut == wrapped) {
            Calls.send(wrapped, hop.amountIn, abi.encodeCall(IWrappedNative.deposit, ()));
            if (hop.receiver != address(this)) Tokens.pay(wrapped, hop.receiver, hop.amountIn);
        } else if (hop.tokenIn == wrapped && hop.tokenOut == NATIVE) {
            if (hop.payer != address(this)) Payer.pay(hop.payer, hop.allowanceHolder, wrapped, address(this), hop.amountIn);
            Calls.send(wrapped, 0, abi.encodeCall(IWrappedNative.withdraw, (hop.amountIn)));
        } else {
            revert NotAWrap(hop.tokenIn, hop.tokenOut);
        }
        return 0;
    }
}
