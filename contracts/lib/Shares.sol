// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Shares in basis points over the whole width of an amount: no product is formed that could overflow.
library Shares {
    uint256 internal constant WHOLE = 10_000;

    /// The gross output of a target does not fit an amount.
    error TargetTooLarge(uint256 target);

    /// floor(amount × bps / 10000), for bps up to 10000.
    function portion(uint256 amount, uint256 bps) internal pure returns (uint256) {
        unchecked {
            return (amount / WHOLE) * bps + ((amount % WHOLE) * bps) / WHOLE;
        }
    }

    /// The smallest g with g − floor(g × bps / 10000) = target, for bps below 10000: floor((target − 1) × 10000 / (10000 − bps)) + 1.
    function grossFor(uint256 target, uint256 bps) internal pure returns (uint256 gross) {
        if (target == 0) return 0;
        unchecked {
            uint256 keep = WHOLE - bps;
            uint256 whole = (target - 1) / keep;
            uint256 rest = ((target - 1) % keep) * WHOLE / keep + 1;
            if (whole > (type(uint256).max - rest) / WHOLE) revert TargetTooLarge(target);
            gross = whole * WHOLE + rest;
        }
    }
}
