// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What the published mathematics of Curve's first crypto pools have in common, of two coins and of three. Balances are brought to 18 decimals and one worth; quotients are cut off.
library CryptoNewton {
    uint256 internal constant ONE = 10 ** 18;
    uint256 internal constant A_MULTIPLIER = 10_000;
    uint256 internal constant MOST_STEPS = 255;
    uint256 internal constant CLOSE = 10 ** 14;

    error OutOfRange();
    error Unsettled();

    /// Of `n` coins: the amplification with four decimals, times n^n; sum and product of balances, the product over the invariant.
    struct Terms {
        uint256 n;
        uint256 a;
        uint256 gamma;
        uint256 sum;
        uint256 product;
        uint256 d;
    }

    function demand(bool right) internal pure {
        if (!right) revert OutOfRange();
    }

    function apart(uint256 one, uint256 other) internal pure returns (uint256) {
        return one > other ? one - other : other - one;
    }

    function larger(uint256 one, uint256 other) internal pure returns (uint256) {
        return one > other ? one : other;
    }

    function demandShare(uint256 balance, uint256 d) internal pure {
        uint256 share = balance * ONE / d;
        demand(share >= 10 ** 16 && share <= 10 ** 20);
    }

    /// D · g² · 10,000 / (gamma² · a), of how far the product is from 1 + gamma.
    function firstTerm(Terms memory terms, uint256 g) private pure returns (uint256) {
        return ONE * terms.d / terms.gamma * g / terms.gamma * g * A_MULTIPLIER / terms.a;
    }

    function nextInvariant(Terms memory terms) internal pure returns (uint256) {
        (uint256 product, uint256 d, uint256 sum) = (terms.product, terms.d, terms.sum);
        uint256 g = apart(terms.gamma + ONE, product) + 1;
        uint256 first = firstTerm(terms, g);
        uint256 slope;
        {
            uint256 second = 2 * ONE * terms.n * product / g;
            slope = sum + sum * second / ONE + first * terms.n / product - second * d / ONE;
        }
        uint256 plus = d * (slope + sum) / slope;
        uint256 minus = d * d / slope;
        if (ONE > product) minus += d * (first / slope) / ONE * (ONE - product) / product;
        else minus -= d * (first / slope) / ONE * (product - ONE) / product;
        return plus > minus ? plus - minus : (minus - plus) / 2;
    }

    function isSettled(uint256 d, uint256 before) internal pure returns (bool) {
        return apart(d, before) * CLOSE < larger(10 ** 16, d);
    }

    /// The balance beside the others, of which the terms are, from a first guess.
    function balanceFrom(Terms memory others, uint256 guess, uint256 limit) internal pure returns (uint256 y) {
        y = guess;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = y;
            bool below;
            (y, below) = nextBalance(others, before);
            if (below || apart(y, before) >= larger(limit, y / CLOSE)) continue;
            demandShare(y, others.d);
            return y;
        }
        revert Unsettled();
    }

    /// `below`: the step led below nothing.
    function nextBalance(Terms memory others, uint256 y) private pure returns (uint256 next, bool below) {
        uint256 product = others.product * y * others.n / others.d;
        uint256 g = apart(others.gamma + ONE, product) + 1;
        uint256 first = firstTerm(others, g);
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
}
