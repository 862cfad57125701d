import { LIMITS } from '../../config/limits.ts';
import { countStep } from '../sampled/newton-steps.ts';

// Curve's get_D and get_y. Balances are upscaled to 18 decimals, every quotient is cut off. null is the contract's revert: a number beyond uint256, a
// division by zero, or no convergence.

export const A_PRECISION = 100n;
const ONE = 10n ** 18n;
const MAX_UINT256 = (1n << 256n) - 1n;

/**
 * The published forms of the pool contract. Those of the new generation have a fee that moves and average prices; 'ng', of December 2023 and later, divides by n^n once in
 * the invariant where the others divide by n for each balance: other roundings, seen where a balance is small.
 */
export type CurveForm = 'plain' | 'early-ng' | 'ng';

/** D of the invariant. `amplification` is A · n^(n−1) with two decimals. */
export function invariantOf(amplification: bigint, balances: readonly bigint[], form: CurveForm): bigint | null {
  const count = BigInt(balances.length);
  const ann = amplification * count;
  const sum = balances.reduce((total, balance) => total + balance, 0n);
  if (sum === 0n) return 0n;
  let invariant = sum;
  for (let i = 0; i < LIMITS.venues.newtonSteps; i++) {
    countStep();
    const product = productTerm(balances, invariant, form);
    if (product === null) return null;
    const dividend = ((ann * sum) / A_PRECISION + product * count) * invariant;
    const divisor = ((ann - A_PRECISION) * invariant) / A_PRECISION + (count + 1n) * product;
    if (dividend > MAX_UINT256 || divisor === 0n) return null;
    const next = dividend / divisor;
    if (differByOne(next, invariant)) return next;
    invariant = next;
  }
  return null;
}

/** D^(n+1) / (n^n · Πx). */
function productTerm(balances: readonly bigint[], invariant: bigint, form: CurveForm): bigint | null {
  const count = BigInt(balances.length);
  let product = invariant;
  for (const balance of balances) {
    if (balance === 0n || product * invariant > MAX_UINT256) return null;
    product = (product * invariant) / (form === 'ng' ? balance : balance * count);
  }
  return form === 'ng' ? product / count ** count : product;
}

/** The balance of `slotOut` after a swap that brings that of `slotIn` to `balanceIn`, where the contract goes through with it. */
export function balanceAfterSwap(
  form: CurveForm,
  amplification: bigint,
  balances: readonly bigint[],
  invariant: bigint,
  slotIn: number,
  slotOut: number,
  balanceIn: bigint,
): bigint | null {
  const left = balanceOf(amplification, balances, invariant, slotIn, slotOut, balanceIn);
  if (left === null || form === 'plain') return left;
  const after = balances.map((balance, slot) => (slot === slotIn ? balanceIn : slot === slotOut ? left : balance));
  return hasSpotPrices(amplification, after, invariant) ? left : null;
}

/** A pool of the new generation computes its spot prices after each swap, for its averages: where it can not, the swap reverts. */
function hasSpotPrices(amplification: bigint, balances: readonly bigint[], invariant: bigint): boolean {
  const count = BigInt(balances.length);
  const first = balances[0] ?? 0n;
  let product = invariant / count ** count;
  for (const balance of balances) {
    if (balance === 0n || product * invariant > MAX_UINT256) return false;
    product = (product * invariant) / balance;
  }
  const amplified = amplification * count * first;
  const weight = amplified / A_PRECISION;
  if (invariant >> 128n !== 0n || amplified > MAX_UINT256 || weight + product === 0n) return false;
  return balances.slice(1).every((balance) => product * first <= MAX_UINT256 && ONE * (weight + (product * first) / balance) <= MAX_UINT256);
}

/** The balance of `slotOut` that keeps the invariant when that of `slotIn` is `balanceIn`. */
function balanceOf(amplification: bigint, balances: readonly bigint[], invariant: bigint, slotIn: number, slotOut: number, balanceIn: bigint): bigint | null {
  const count = BigInt(balances.length);
  const ann = amplification * count;
  let c = invariant;
  let sum = 0n;
  for (const [slot, own] of balances.entries()) {
    if (slot === slotOut) continue;
    const balance = slot === slotIn ? balanceIn : own;
    if (balance === 0n || c * invariant > MAX_UINT256) return null;
    sum += balance;
    c = (c * invariant) / (balance * count);
  }
  if (c * invariant * A_PRECISION > MAX_UINT256) return null;
  c = (c * invariant * A_PRECISION) / (ann * count);
  const b = sum + (invariant * A_PRECISION) / ann;
  let balance = invariant;
  for (let i = 0; i < LIMITS.venues.newtonSteps; i++) {
    countStep();
    const dividend = balance * balance + c;
    const divisor = balance * 2n + b - invariant;
    if (dividend > MAX_UINT256 || divisor <= 0n) return null;
    const next = dividend / divisor;
    if (differByOne(next, balance)) return next;
    balance = next;
  }
  return null;
}

function differByOne(a: bigint, b: bigint): boolean {
  return a > b ? a - b <= 1n : b - a <= 1n;
}
