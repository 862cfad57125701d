// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoNewton} from "./CryptoNewton.sol";

/// The published mathematics of Curve's first crypto pools of two coins: as of three, in their own order and bounds; `a` is the amplification with four decimals, times 4.
library CryptoMathsTwo {
    uint256 private constant ONE = CryptoNewton.ONE;
    uint256 internal constant MIN_A = 4 * CryptoNewton.A_MULTIPLIER / 10;
    uint256 internal constant MAX_A = 4 * CryptoNewton.A_MULTIPLIER * 100_000;
    uint256 internal constant MIN_GAMMA = 10 ** 10;
    uint256 internal constant MAX_GAMMA = 2 * 10 ** 16;

    /// The larger first.
    function descending(uint256[2] memory x) private pure returns (uint256, uint256) {
        return x[0] < x[1] ? (x[1], x[0]) : (x[0], x[1]);
    }

    function geometricMean(uint256[2] memory x) internal pure returns (uint256 mean) {
        (uint256 high, uint256 low) = descending(x);
        mean = high;
        for (uint256 step = 0; step < CryptoNewton.MOST_STEPS; step++) {
            uint256 before = mean;
            mean = (mean + high * low / mean) / 2;
            uint256 difference = CryptoNewton.apart(mean, before);
            if (difference <= 1 || difference * ONE < mean) return mean;
        }
        revert CryptoNewton.Unsettled();
    }

    /// One where both balances are worth the same, less the further apart they are.
    function evenness(uint256[2] memory x, uint256 feeGamma) internal pure returns (uint256) {
        uint256 sum = x[0] + x[1];
        return feeGamma * ONE / (feeGamma + ONE - 4 * ONE * x[0] / sum * x[1] / sum);
    }

    function demandParameters(uint256 a, uint256 gamma) internal pure {
        CryptoNewton.demand(a >= MIN_A && a <= MAX_A && gamma >= MIN_GAMMA && gamma <= MAX_GAMMA);
    }

    function invariantOf(uint256 a, uint256 gamma, uint256[2] memory x) internal pure returns (uint256 d) {
        demandParameters(a, gamma);
        (uint256 high, uint256 low) = descending(x);
        CryptoNewton.demand(high >= 10 ** 9 && high <= 10 ** 33 && low * ONE / high >= 10 ** 14);
        d = 2 * geometricMean(x);
        CryptoNewton.Terms memory terms = CryptoNewton.Terms(2, a, gamma, high + low, 0, 0);
        for (uint256 step = 0; step < CryptoNewton.MOST_STEPS; step++) {
            (terms.product, terms.d) = (4 * ONE * high / d * low / d, d);
            d = CryptoNewton.nextInvariant(terms);
            if (!CryptoNewton.isSettled(d, terms.d)) continue;
            CryptoNewton.demandShare(high, d);
            CryptoNewton.demandShare(low, d);
            return d;
        }
        revert CryptoNewton.Unsettled();
    }

    /// The balance of `slot` that keeps the invariant beside the other.
    function balanceFor(uint256 a, uint256 gamma, uint256[2] memory x, uint256 d, uint256 slot) internal pure returns (uint256) {
        demandParameters(a, gamma);
        CryptoNewton.demand(d >= 10 ** 17 && d <= 10 ** 33);
        uint256 other = x[1 - slot];
        uint256 guess = d * d / (other * 4);
        uint256 product = 2 * ONE * other / d;
        CryptoNewton.demand(product >= 2 * 10 ** 16 && product <= 2 * 10 ** 20);
        uint256 limit = CryptoNewton.larger(CryptoNewton.larger(other / CryptoNewton.CLOSE, d / CryptoNewton.CLOSE), 100);
        return CryptoNewton.balanceFrom(CryptoNewton.Terms(2, a, gamma, other, product, d), guess, limit);
    }
}
