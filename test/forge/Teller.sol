// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {IUnlockCallback} from "../../contracts/interfaces/IPoolManager.sol";

/// A venue that does what it was told: by the name that it is called by it makes calls of its own, and answers. It notes what it is called with.
contract Teller {
    struct Step {
        address to;
        uint256 value;
        bytes input;
    }

    struct Seen {
        bytes input;
        uint256 value;
    }

    mapping(bytes4 name => Step[]) private steps;
    mapping(bytes4 name => bytes[]) private answers;
    mapping(bytes4 name => uint256) private asked;
    mapping(bytes4 name => bool) private isView;
    Seen[] private noted;
    uint256 private callbacks = 1;

    function does(bytes4 name, address to, uint256 value, bytes calldata input) external {
        steps[name].push(Step(to, value, input));
    }

    /// The answers to one name come in their order.
    function says(bytes4 name, bytes calldata answer) external {
        answers[name].push(answer);
    }

    function saysAlways(bytes4 name, bytes calldata answer) external {
        isView[name] = true;
        answers[name].push(answer);
    }

    /// How often it calls back when it is unlocked.
    function callsBack(uint256 times) external {
        callbacks = times;
    }

    function seen() external view returns (Seen[] memory) {
        return noted;
    }

    function unlock(bytes calldata data) external returns (bytes memory) {
        noted.push(Seen(msg.data, 0));
        for (uint256 i = 0; i < callbacks; i++) {
            bytes memory answer = IUnlockCallback(msg.sender).unlockCallback(data);
            require(answer.length == 0, "answered");
        }
        return "";
    }

    receive() external payable {}

    fallback(bytes calldata input) external payable returns (bytes memory) {
        bytes4 name = bytes4(input);
        if (isView[name]) return answers[name][0];
        noted.push(Seen(input, msg.value));
        for (uint256 i = 0; i < steps[name].length; i++) {
            Step memory step = steps[name][i];
            (bool ok, bytes memory reason) = step.to.call{value: step.value}(step.input);
            if (ok) continue;
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
        uint256 turn = asked[name]++;
        return turn < answers[name].length ? answers[name][turn] : bytes("");
    }
}

/// A venue that is a token too.
contract TokenTeller is Teller, TrickToken {}
