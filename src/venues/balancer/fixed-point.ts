import { pow } from './log-exp.ts';

// Balancer's FixedPoint: 18-decimal numbers, the rounding in the name. Its checks for overflow are left to the callers, who know how large their numbers get.

export const ONE = 10n ** 18n;
const TWO = 2n * ONE;
const FOUR = 4n * ONE;
/** How far LogExpMath may be off, as a share with 18 decimals. */
const MAX_POW_RELATIVE_ERROR = 10_000n;

export function mulDown(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

export function mulUp(a: bigint, b: bigint): bigint {
  return ceilDiv(a * b, ONE);
}

export function divDown(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

export function divUp(a: bigint, b: bigint): bigint {
  return ceilDiv(a * ONE, b);
}

/** 1 − x, at least 0. */
export function complement(x: bigint): bigint {
  return x < ONE ? ONE - x : 0n;
}

/** The quotient of two numbers that are not negative, rounded up. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return dividend === 0n ? 0n : (dividend - 1n) / divisor + 1n;
}

/** How the pool's version raises to a power. 'multiplied': 1, 2 and 4 are multiplied out, as in pools built since 2022; 'logarithm': never. */
export type PowerRule = 'logarithm' | 'multiplied';

/** x^y, never below the true value. For x > 0. */
export function powUp(x: bigint, y: bigint, rule: PowerRule): bigint {
  if (rule === 'multiplied') {
    if (y === ONE) return x;
    if (y === TWO) return mulUp(x, x);
    if (y === FOUR) {
      const square = mulUp(x, x);
      return mulUp(square, square);
    }
  }
  const raw = pow(x, y);
  return raw + mulUp(raw, MAX_POW_RELATIVE_ERROR) + 1n;
}
