// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Plays any part: for each selector that it is called with it makes the calls that it was taught and gives the answer that it was taught. So one
/// contract is a fake pool, a token's hook, a receiver that reenters, a target of the allowance holder, and a taker with code.
contract Puppet {
    struct Step {
        address target;
        uint256 value;
        bytes data;
        /// Whether a revert of this step is the puppet's own.
        bool bubbles;
    }

    struct Part {
        Step[] steps;
        bytes answer;
        bool refuses;
    }

    struct Outcome {
        bool ok;
        bytes result;
    }

    mapping(bytes4 => Part) private parts;
    Outcome[] private seen;
    bool private playing;

    /// Selector 0 stands for a payment without data.
    function teach(bytes4 selector, Step[] calldata steps, bytes calldata answer, bool refuses) external {
        Part storage part = parts[selector];
        delete part.steps;
        for (uint256 i = 0; i < steps.length; i++) part.steps.push(steps[i]);
        (part.answer, part.refuses) = (answer, refuses);
    }

    /// Makes calls now, all of which have to succeed.
    function play(Step[] calldata steps) external payable {
        for (uint256 i = 0; i < steps.length; i++) {
            (bool ok, bytes memory result) = steps[i].target.call{value: steps[i].value}(steps[i].data);
            if (!ok && steps[i].bubbles) bubble(result);
            seen.push(Outcome(ok, result));
        }
    }

    function outcomes() external view returns (Outcome[] memory) {
        return seen;
    }

    receive() external payable {
        act(bytes4(0));
    }

    fallback() external payable {
        bytes memory answer = act(msg.sig);
        assembly {
            return(add(answer, 0x20), mload(answer))
        }
    }

    /// What its own calls bring about sets off only what it was taught under the complement of the selector: nothing, as a rule.
    function act(bytes4 selector) private returns (bytes memory) {
        require(!parts[selector].refuses, "refused");
        if (playing) {
            run(parts[~selector].steps);
        } else {
            playing = true;
            run(parts[selector].steps);
            playing = false;
        }
        return parts[selector].answer;
    }

    /// The steps are those at the start: one of them may teach the part anew.
    function run(Step[] memory steps) private {
        for (uint256 i = 0; i < steps.length; i++) {
            Step memory step = steps[i];
            (bool ok, bytes memory result) = step.target.call{value: step.value}(step.data);
            if (!ok && step.bubbles) bubble(result);
            seen.push(Outcome(ok, result));
        }
    }

    function bubble(bytes memory result) private pure {
        assembly {
            revert(add(result, 0x20), mload(result))
        }
    }
}
