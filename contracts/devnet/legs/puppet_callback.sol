// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IUniswapV3Callbacks} from "../../interfaces/IUniswapV3Pool.sol";
import {Calls} from "../../lib/Calls.sol";
import {Cursor} from "../../lib/Cursor.sol";
import {Hop, Payer} from "../../lib/Hop.sol";
import {Transient} from "../../lib/Transient.sol";

interface IPuppetVenue {
    function go() external;
}

/// A leg for tests, in no Router that is deployed: its venue calls back by the name that Uniswap V3 pools use, and means something else by it. Leg data:
/// the venue (20 bytes).
library PuppetCallbackLeg {
    uint8 internal constant KIND = 251;

    function run(Hop memory hop, Cursor memory cursor) internal returns (uint256 unspent) {
        address venue = cursor.venue(hop.allowanceHolder);
        Transient.expect(KIND, venue, IUniswapV3Callbacks.uniswapV3SwapCallback.selector, hop.tokenIn, hop.payer, hop.amountIn);
        Calls.send(venue, 0, abi.encodeCall(IPuppetVenue.go, ()));
        return Transient.settle(venue);
    }

    /// Pays what the two numbers say, in two payments, and answers with their sum.
    function callback(address allowanceHolder) internal returns (bytes memory) {
        uint256 first = uint256(bytes32(msg.data[4:36]));
        uint256 second = uint256(bytes32(msg.data[36:68]));
        pay(allowanceHolder, first);
        pay(allowanceHolder, second);
        return abi.encode(first + second);
    }

    function pay(address allowanceHolder, uint256 amount) private {
        (address token, address payer) = Transient.spend(amount);
        Payer.pay(payer, allowanceHolder, token, msg.sender, amount);
    }
}
