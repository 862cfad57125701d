// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "../interfaces/IERC20.sol";
import {NATIVE} from "./Addresses.sol";
import {Tokens} from "./Tokens.sol";

/// Payments that the receiver may refuse, and on which little gas is spent: fees, whose receivers are nobody that the taker has chosen.
library Offers {
    /// A wallet contract that logs a payment uses some 7,000.
    uint256 private constant NATIVE_GAS = 30_000;
    /// More than any token in use needs for a transfer.
    uint256 private constant TOKEN_GAS = 300_000;
    /// A call leaves at least one part in so many of its gas to the caller (EIP-150: one in 64 of what there was).
    uint256 private constant LEFT_PART = 63;
    /// With so much before it a native payment gets all of NATIVE_GAS: 9,000 are for the value, 2,600 for an account that is touched first, one in 64 stays.
    uint256 private constant NATIVE_GAS_BEFORE = NATIVE_GAS + NATIVE_GAS / LEFT_PART + 15_000;

    /// An offer was refused, maybe because the transaction had too little gas left to give.
    error GasTooLow();

    /// Sends what this contract holds, and says whether it was taken. `token` may be the native sentinel. Refused are a native payment whose receiver
    /// reverts or wants more gas, and a transfer at which the token reverts, wants more gas or says false. A token that answers anything else may have
    /// moved something: that reverts. So does a refusal for which the gas of the transaction may be the reason: who sets that can not keep a fee. What a
    /// receiver of native token is left with tells nothing: it may look at its gas and revert at once. A token does not; it runs out of it.
    function offer(address token, address to, uint256 amount) internal returns (bool taken) {
        if (token == NATIVE) {
            uint256 before = gasleft();
            taken = sendNative(to, amount, NATIVE_GAS);
            if (!taken && before < NATIVE_GAS_BEFORE) revert GasTooLow();
        } else {
            taken = sendToken(token, to, amount, TOKEN_GAS);
            if (!taken && gasleft() < TOKEN_GAS / LEFT_PART) revert GasTooLow();
        }
    }

    function sendNative(address to, uint256 amount, uint256 most) private returns (bool ok) {
        assembly ("memory-safe") {
            ok := call(most, to, amount, 0, 0, 0, 0)
        }
    }

    function sendToken(address token, address to, uint256 amount, uint256 most) private returns (bool ok) {
        bytes memory input = abi.encodeCall(IERC20.transfer, (to, amount));
        uint256 size;
        uint256 word;
        assembly ("memory-safe") {
            ok := call(most, token, 0, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
        if (!ok) return false;
        if (size == 0 ? token.code.length == 0 : size < 0x20 || word > 1) revert Tokens.TransferFailed(token, to, amount);
        return size == 0 || word == 1;
    }
}
