// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The published mathematics of Curve's first crypto pools of three coins. Balances are brought to 18 decimals and one worth; `a` is the amplification with four decimals, times 27. Quotients are cut off.
library CryptoMaths {
    uint256 internal constant N = 3;
    uint256 private constant ONE = 10 ** 18;
    uint256 private constant A_MULTIPLIER = 10_000;
    uint256 private constant UNIT_A = 27 * A_MULTIPLIER;
    uint256 private constant MOST_STEPS = 255;
    uint256 private constant CLOSE = 10 ** 14;

    error OutOfRange();
    error Unsettled();

    function demand(bool right) internal pure {
        if (!right) revert OutOfRange();
    }

    /// The largest first.
    function descending(uint256[3] memory x) private pure returns (uint256[3] memory s) {
        s = [x[0], x[1], x[2]];
        if (s[0] < s[1]) (s[0], s[1]) = (s[1], s[0]);
        if (s[1] < s[2]) (s[1], s[2]) = (s[2], s[1]);
        if (s[0] < s[1]) (s[0], s[1]) = (s[1], s[0]);
    }

    function apart(uint256 one, uint256 other) internal pure returns (uint256) {
        return one > other ? one - other : other - one;
    }

    function larger(uint256 one, uint256 other) private pure returns (uint256) {
        return one > other ? one : other;
    }

    function geometricMean(uint256[3] memory unsorted) internal pure returns (uint256 mean) {
        uint256[3] memory x = descending(unsorted);
        mean = x[0];
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = mean;
            uint256 product = ONE;
            for (uint256 k = 0; k < N; k++) product = product * x[k] / before;
            mean = mean * ((N - 1) * ONE + product) / (N * ONE);
            uint256 difference = apart(mean, before);
            if (difference <= 1 || difference * ONE < mean) return mean;
        }
        revert Unsettled();
    }

    /// One where the balances are worth the same, less the further apart they are.
    function evenness(uint256[3] memory x, uint256 feeGamma) internal pure returns (uint256 even) {
        uint256 sum = x[0] + x[1] + x[2];
        even = ONE;
        for (uint256 k = 0; k < N; k++) even = even * N * x[k] / sum;
        if (feeGamma > 0) even = feeGamma * ONE / (feeGamma + ONE - even);
    }

    function demandParameters(uint256 a, uint256 gamma) private pure {
        demand(a >= UNIT_A / 100 && a <= 1000 * UNIT_A);
        demand(gamma >= 10 ** 10 && gamma <= 5 * 10 ** 16);
    }

    function demandShare(uint256 balance, uint256 d) private pure {
        uint256 share = balance * ONE / d;
        demand(share >= 10 ** 16 && share <= 10 ** 20);
    }

    /// D · g² · 10,000 / (gamma² · a), of how far the product is from 1 + gamma.
    function firstTerm(uint256 a, uint256 gamma, uint256 d, uint256 g) private pure returns (uint256) {
        return ONE * d / gamma * g / gamma * g * A_MULTIPLIER / a;
    }

    function invariantOf(uint256 a, uint256 gamma, uint256[3] memory unsorted) internal pure returns (uint256 d) {
        demandParameters(a, gamma);
        uint256[3] memory x = descending(unsorted);
        demand(x[0] >= 10 ** 9 && x[0] <= 10 ** 33);
        for (uint256 k = 1; k < N; k++) demand(x[k] * ONE / x[0] >= 10 ** 11);
        d = N * geometricMean(x);
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = d;
            d = nextInvariant(a, gamma, x, before);
            if (apart(d, before) * CLOSE >= larger(10 ** 16, d)) continue;
            for (uint256 k = 0; k < N; k++) demandShare(x[k], d);
            return d;
        }
        revert Unsettled();
    }

    function nextInvariant(uint256 a, uint256 gamma, uint256[3] memory x, uint256 d) private pure returns (uint256) {
        uint256 product = ONE;
        for (uint256 k = 0; k < N; k++) product = product * x[k] * N / d;
        uint256 g = apart(gamma + ONE, product) + 1;
        uint256 slope;
        uint256 first = firstTerm(a, gamma, d, g);
        uint256 sum = x[0] + x[1] + x[2];
        {
            uint256 second = 2 * ONE * N * product / g;
            slope = sum + sum * second / ONE + first * N / product - second * d / ONE;
        }
        uint256 plus = d * (slope + sum) / slope;
        uint256 minus = d * d / slope;
        if (ONE > product) minus += d * (first / slope) / ONE * (ONE - product) / product;
        else minus -= d * (first / slope) / ONE * (product - ONE) / product;
        return plus > minus ? plus - minus : (minus - plus) / 2;
    }

    struct Others {
        uint256 a;
        uint256 gamma;
        uint256 sum;
        uint256 product;
        uint256 d;
    }

    /// The balance of `slot` that keeps the invariant beside the others.
    function balanceFor(uint256 a, uint256 gamma, uint256[3] memory x, uint256 d, uint256 slot) internal pure returns (uint256 y) {
        demandParameters(a, gamma);
        demand(d >= 10 ** 17 && d <= 10 ** 33);
        (uint256 low, uint256 high) = (x[(slot + 1) % N], x[(slot + 2) % N]);
        if (low > high) (low, high) = (high, low);
        demandShare(low, d);
        demandShare(high, d);
        uint256 limit = larger(larger(high / CLOSE, d / CLOSE), 100);
        Others memory others = Others(a, gamma, low + high, ONE * high * N / d * low * N / d, d);
        y = d / N * d / (low * N) * d / (high * N);
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = y;
            bool below;
            (y, below) = nextBalance(others, before);
            if (below || apart(y, before) >= larger(limit, y / CLOSE)) continue;
            demandShare(y, d);
            return y;
        }
        revert Unsettled();
    }

    /// `below`: the step led below nothing.
    function nextBalance(Others memory others, uint256 y) private pure returns (uint256 next, bool below) {
        uint256 product = others.product * y * N / others.d;
        uint256 g = apart(others.gamma + ONE, product) + 1;
        uint256 first = firstTerm(others.a, others.gamma, others.d, g);
        uint256 sum = others.sum + y;
        uint256 rise;
        {
            uint256 second = ONE + 2 * ONE * product / g;
            uint256 ahead = ONE * y + sum * second + first;
            if (ahead < others.d * second) return (y / 2, true);
            rise = ahead - others.d * second;
        }
        uint256 slope = rise / y;
        uint256 part = first / slope;
        uint256 plus = (rise + ONE * others.d) / slope + part * ONE / product;
        uint256 minus = part + ONE * sum / slope;
        next = plus < minus ? y / 2 : plus - minus;
    }

    /// 0.5^power, both with 18 decimals, no further than 10^10.
    function halfPower(uint256 power) internal pure returns (uint256) {
        uint256 whole = power / ONE;
        uint256 rest = power % ONE;
        if (whole > 59) return 0;
        uint256 result = ONE / 2 ** whole;
        if (rest == 0) return result;
        uint256 term = ONE;
        uint256 sum = ONE;
        bool falls;
        for (uint256 step = 1; step < 256; step++) {
            uint256 before = (step - 1) * ONE;
            if (rest > before) falls = !falls;
            term = term * (apart(rest, before) * (ONE / 2) / ONE) / (step * ONE);
            sum = falls ? sum - term : sum + term;
            if (term < 10 ** 10) return result * sum / ONE;
        }
        revert Unsettled();
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
        revert Unsettled();
    }
}
