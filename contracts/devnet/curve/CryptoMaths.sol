// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoNewton} from "./CryptoNewton.sol";

/// The published mathematics of Curve's first crypto pools of three coins; `a` is the amplification with four decimals, times 27.
library CryptoMaths {
    uint256 internal constant N = 3;
    uint256 private constant ONE = CryptoNewton.ONE;
    uint256 private constant UNIT_A = 27 * CryptoNewton.A_MULTIPLIER;

    /// The largest first.
    function descending(uint256[3] memory x) private pure returns (uint256[3] memory s) {
        s = [x[0], x[1], x[2]];
        if (s[0] < s[1]) (s[0], s[1]) = (s[1], s[0]);
        if (s[1] < s[2]) (s[1], s[2]) = (s[2], s[1]);
        if (s[0] < s[1]) (s[0], s[1]) = (s[1], s[0]);
    }

    function geometricMean(uint256[3] memory unsorted) internal pure returns (uint256 mean) {
        uint256[3] memory x = descending(unsorted);
        mean = x[0];
        for (uint256 step = 0; step < CryptoNewton.MOST_STEPS; step++) {
            uint256 before = mean;
            uint256 product = ONE;
            for (uint256 k = 0; k < N; k++) product = product * x[k] / before;
            mean = mean * ((N - 1) * ONE + product) / (N * ONE);
            uint256 difference = CryptoNewton.apart(mean, before);
            if (difference <= 1 || difference * ONE < mean) return mean;
        }
        revert CryptoNewton.Unsettled();
    }

    /// One where the balances are worth the same, less the further apart they are.
    function evenness(uint256[3] memory x, uint256 feeGamma) internal pure returns (uint256 even) {
        uint256 sum = x[0] + x[1] + x[2];
        even = ONE;
        for (uint256 k = 0; k < N; k++) even = even * N * x[k] / sum;
        if (feeGamma > 0) even = feeGamma * ONE / (feeGamma + ONE - even);
    }

    function demandParameters(uint256 a, uint256 gamma) private pure {
        CryptoNewton.demand(a >= UNIT_A / 100 && a <= 1000 * UNIT_A);
        CryptoNewton.demand(gamma >= 10 ** 10 && gamma <= 5 * 10 ** 16);
    }

    function invariantOf(uint256 a, uint256 gamma, uint256[3] memory unsorted) internal pure returns (uint256 d) {
        demandParameters(a, gamma);
        uint256[3] memory x = descending(unsorted);
        CryptoNewton.demand(x[0] >= 10 ** 9 && x[0] <= 10 ** 33);
        for (uint256 k = 1; k < N; k++) CryptoNewton.demand(x[k] * ONE / x[0] >= 10 ** 11);
        d = N * geometricMean(x);
        CryptoNewton.Terms memory terms = CryptoNewton.Terms(N, a, gamma, x[0] + x[1] + x[2], 0, 0);
        for (uint256 step = 0; step < CryptoNewton.MOST_STEPS; step++) {
            (terms.product, terms.d) = (ONE, d);
            for (uint256 k = 0; k < N; k++) terms.product = terms.product * x[k] * N / d;
            d = CryptoNewton.nextInvariant(terms);
            if (!CryptoNewton.isSettled(d, terms.d)) continue;
            for (uint256 k = 0; k < N; k++) CryptoNewton.demandShare(x[k], d);
            return d;
        }
        revert CryptoNewton.Unsettled();
    }

    /// The balance of `slot` that keeps the invariant beside the others.
    function balanceFor(uint256 a, uint256 gamma, uint256[3] memory x, uint256 d, uint256 slot) internal pure returns (uint256) {
        demandParameters(a, gamma);
        CryptoNewton.demand(d >= 10 ** 17 && d <= 10 ** 33);
        (uint256 low, uint256 high) = (x[(slot + 1) % N], x[(slot + 2) % N]);
        if (low > high) (low, high) = (high, low);
        CryptoNewton.demandShare(low, d);
        CryptoNewton.demandShare(high, d);
        uint256 limit = CryptoNewton.larger(CryptoNewton.larger(high / CryptoNewton.CLOSE, d / CryptoNewton.CLOSE), 100);
        CryptoNewton.Terms memory others = CryptoNewton.Terms(N, a, gamma, low + high, ONE * high * N / d * low * N / d, d);
        return CryptoNewton.balanceFrom(others, d / N * d / (low * N) * d / (high * N), limit);
    }

    /// Of a number with 18 decimals, with 18 decimals.
    function squareRoot(uint256 value) internal pure returns (uint256 root) {
        if (value == 0) return 0;
        uint256 next = (value + ONE) / 2;
        root = value;
        for (uint256 step = 0; step < 256; step++) {
            if (next == root) return root;
            root = next;
            next = (value * ONE / next + next) / 2;
        }
        revert CryptoNewton.Unsettled();
    }
}
