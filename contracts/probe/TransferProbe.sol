// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Move, Moves} from "./Moves.sol";
import {Trader} from "./Trader.sol";
import {IOperator, Setting, Trading} from "./Trading.sol";

/// Who trades in a trial, and how.
enum Manner {
    /// An account without code, by an allowance.
    Direct,
    /// An account without code, over an account that is new to the token.
    Round,
    /// The sender of the transaction itself, by an allowance.
    AsSender,
    /// As Direct, with little gas: what it finds counts, that it fails does not.
    Thrifty
}

struct Trial {
    Manner manner;
    /// False where the trial ended with anything but its moves: then nothing is known from it.
    bool told;
    uint256 amount;
    Move[4] moves;
}

/// What of a token's transfers can be seen in one call that is never mined. It is placed at the address of the call's sender by a state override.
contract TransferProbe is IOperator {
    /// Answers begin with it, so that one from an account without code, or from a node that ignores overrides, is none.
    bytes32 public constant MARK = keccak256("braid transfer probe 1");
    uint256 private constant WHOLE_PPM = 1_000_000;
    /// What a trial takes beside the four calls of the token.
    uint256 private constant TRIAL_OVERHEAD = 3_500_000;
    uint256 private constant TRIALS_PER_SIZE = 4;

    /// `sizesPpm`: parts per million of what the holder has. `least`: where that is less, this. `gases`: of each call of the token, and of each in the thrifty manner. Begins no trial
    /// that might want for gas: then it is not complete, nor is it where the holder's balance can not be read.
    function probe(Setting calldata setting, uint256[] calldata sizesPpm, uint256 least, uint256[2] calldata gases)
        external
        payable
        returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] memory trials)
    {
        (mark, gasGiven) = (MARK, gasleft());
        trials = new Trial[](sizesPpm.length * TRIALS_PER_SIZE);
        (complete, held) = Moves.balance(setting.token, setting.holder);
        for (uint256 i = 0; i < sizesPpm.length; i++) {
            uint256 amount = held < type(uint256).max / WHOLE_PPM ? (held * sizesPpm[i]) / WHOLE_PPM : (held / WHOLE_PPM) * sizesPpm[i];
            if (amount < least) amount = least;
            // What the holder can not give says nothing of the token.
            if (amount > held / 2) continue;
            for (uint256 manner = 0; manner < TRIALS_PER_SIZE; manner++) {
                if (gasleft() < 4 * gases[0] + TRIAL_OVERHEAD) return (mark, gasGiven, false, held, trials);
                trials[i * TRIALS_PER_SIZE + manner] = tried(setting, Manner(manner), amount, gases);
            }
        }
    }

    function take(address token, address from, address to, uint256 amount, uint256 gasOfCall) external returns (Move memory) {
        bytes memory input = abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount);
        return Moves.measured(token, from, to, amount, token, input, gasOfCall);
    }

    /// Always reverts, with the moves.
    function asSender(Setting calldata setting, uint256 amount, uint256 gasOfCall) external {
        bytes memory seen = abi.encode(Trading.direct(setting, amount, gasOfCall));
        assembly {
            revert(add(seen, 0x20), mload(seen))
        }
    }

    receive() external payable {}

    function tried(Setting calldata setting, Manner manner, uint256 amount, uint256[2] calldata gases) private returns (Trial memory trial) {
        (trial.manner, trial.amount) = (manner, amount);
        uint256 gasOfCall = manner == Manner.Thrifty ? gases[1] : gases[0];
        bytes memory input = manner == Manner.AsSender
            ? abi.encodeCall(this.asSender, (setting, amount, gasOfCall))
            : abi.encodePacked(type(Trader).creationCode, abi.encode(setting, manner == Manner.Round, amount, gasOfCall));
        bytes32 salt = keccak256(abi.encode(setting.salt, manner, amount));
        // Some of what the sender has, so that the trader is no account that owns nothing.
        uint256 value = address(this).balance / 7;
        bytes memory seen = new bytes(20 * 32);
        uint256 size;
        assembly ("memory-safe") {
            switch eq(manner, 2)
            case 1 { pop(call(gas(), address(), 0, add(input, 0x20), mload(input), 0, 0)) }
            default { pop(create2(value, add(input, 0x20), mload(input), salt)) }
            size := returndatasize()
            if eq(size, 640) { returndatacopy(add(seen, 0x20), 0, 640) }
        }
        trial.told = size == 640;
        if (trial.told) trial.moves = abi.decode(seen, (Move[4]));
    }
}
