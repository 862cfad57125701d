// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The published mathematics of StableSwap. Balances are brought to 18 decimals; `amp` is A · n^(n−1) with two decimals. Quotients are cut off.
library StableSwapMaths {
    uint256 internal constant A_PRECISION = 100;
    uint256 private constant MOST_STEPS = 255;

    error Unsettled();

    /// The invariant. `once`: divides by n^n once for all balances, as the new generation does since December 2023, instead of by n for each.
    function invariantOf(uint256[] memory xp, uint256 amp, bool once) internal pure returns (uint256 d) {
        uint256 n = xp.length;
        uint256 sum;
        for (uint256 k = 0; k < n; k++) sum += xp[k];
        if (sum == 0) return 0;
        d = sum;
        uint256 ann = amp * n;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 product = d;
            for (uint256 k = 0; k < n; k++) product = product * d / (once ? xp[k] : xp[k] * n);
            if (once) product /= n ** n;
            uint256 before = d;
            d = (ann * sum / A_PRECISION + product * n) * d / ((ann - A_PRECISION) * d / A_PRECISION + (n + 1) * product);
            if (near(d, before)) return d;
        }
        revert Unsettled();
    }

    /// The balance of j when that of i is x.
    function balanceAfter(uint256 i, uint256 j, uint256 x, uint256[] memory xp, uint256 amp, uint256 d) internal pure returns (uint256) {
        uint256[] memory known = new uint256[](xp.length);
        for (uint256 k = 0; k < xp.length; k++) known[k] = k == i ? x : xp[k];
        return balanceFor(j, known, amp, d);
    }

    /// The balance of j that makes the invariant d with the others.
    function balanceFor(uint256 j, uint256[] memory xp, uint256 amp, uint256 d) internal pure returns (uint256 y) {
        uint256 n = xp.length;
        uint256 ann = amp * n;
        uint256 c = d;
        uint256 sum;
        for (uint256 k = 0; k < n; k++) {
            if (k == j) continue;
            sum += xp[k];
            c = c * d / (xp[k] * n);
        }
        c = c * d * A_PRECISION / (ann * n);
        uint256 b = sum + d * A_PRECISION / ann;
        y = d;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = y;
            y = (y * y + c) / (2 * y + b - d);
            if (near(y, before)) return y;
        }
        revert Unsettled();
    }

    function near(uint256 a, uint256 b) private pure returns (bool) {
        return a > b ? a - b <= 1 : b - a <= 1;
    }
}
