// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A price feed with the face of AggregatorV3: its owner says what the answer is. What real feeds never should do they can be made to do here: answer nothing, a negative number,
/// something old, or a round that was never answered.
contract PriceFeed {
    struct Round {
        uint80 id;
        int256 answer;
        uint256 updatedAt;
        uint80 answeredIn;
    }

    address public immutable owner;
    uint8 public immutable decimals;
    Round private latest;
    bool private silent;

    error Silent();

    constructor(uint8 decimals_, int256 answer) {
        (owner, decimals) = (msg.sender, decimals_);
        latest = Round(1, answer, block.timestamp, 1);
    }

    /// The answer of a new round, given now.
    function transmit(int256 answer) external {
        require(msg.sender == owner, "not the owner");
        uint80 id = latest.id + 1;
        (latest, silent) = (Round(id, answer, block.timestamp, id), false);
    }

    /// A round as one would not have it.
    function pretend(Round calldata round, bool silent_) external {
        require(msg.sender == owner, "not the owner");
        (latest, silent) = (round, silent_);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        if (silent) revert Silent();
        return (latest.id, latest.answer, latest.updatedAt, latest.updatedAt, latest.answeredIn);
    }
}
