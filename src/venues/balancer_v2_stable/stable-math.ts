import { LIMITS } from '../../config/limits.ts';
import { ceilDiv } from '../balancer/fixed-point.ts';

// Balancer's StableMath. Balances are upscaled to 18 decimals; the amplification is A · n^(n−1) with three decimals. null is the contract's revert: a number
// beyond uint256, a division by zero, or no convergence.

export const AMP_PRECISION = 1000n;
const MAX_UINT256 = (1n << 256n) - 1n;

/** How the pool's version rounds its invariant: up until June 2022, since then down as Curve does. The two also order their terms differently. */
export type InvariantRule = 'up' | 'down';

export function invariantOf(amplification: bigint, balances: readonly bigint[], rule: InvariantRule): bigint | null {
  const sum = balances.reduce((total, balance) => total + balance, 0n);
  if (sum === 0n) return 0n;
  const step = rule === 'up' ? stepUp : stepDown;
  let invariant = sum;
  for (let i = 0; i < LIMITS.venues.newtonSteps; i++) {
    const next = step(amplification * BigInt(balances.length), balances, sum, invariant);
    if (next === null || next === 0n) return null;
    if (differByOne(next, invariant)) return next;
    invariant = next;
  }
  return null;
}

function stepDown(ampTimesTotal: bigint, balances: readonly bigint[], sum: bigint, invariant: bigint): bigint | null {
  const count = BigInt(balances.length);
  let product = invariant;
  for (const balance of balances) {
    if (balance === 0n || product * invariant > MAX_UINT256) return null;
    product = (product * invariant) / (balance * count);
  }
  const dividend = ((ampTimesTotal * sum) / AMP_PRECISION + product * count) * invariant;
  const divisor = ((ampTimesTotal - AMP_PRECISION) * invariant) / AMP_PRECISION + (count + 1n) * product;
  return quotient(dividend, divisor, false);
}

function stepUp(ampTimesTotal: bigint, balances: readonly bigint[], sum: bigint, invariant: bigint): bigint | null {
  const count = BigInt(balances.length);
  let product = (balances[0] ?? 0n) * count;
  for (const balance of balances.slice(1)) {
    const grown = product * balance * count;
    if (grown > MAX_UINT256) return null;
    product = ceilDiv(grown, invariant);
  }
  const weightedSum = ampTimesTotal * sum * product;
  const weightedProduct = (ampTimesTotal - AMP_PRECISION) * product;
  if (weightedSum > MAX_UINT256 || weightedProduct > MAX_UINT256) return null;
  const dividend = count * invariant * invariant + ceilDiv(weightedSum, AMP_PRECISION);
  const divisor = (count + 1n) * invariant + weightedProduct / AMP_PRECISION;
  return quotient(dividend, divisor, true);
}

function quotient(dividend: bigint, divisor: bigint, up: boolean): bigint | null {
  if (dividend > MAX_UINT256 || divisor > MAX_UINT256 || divisor === 0n) return null;
  return up ? ceilDiv(dividend, divisor) : dividend / divisor;
}

/** The balance of `slot` that gives the invariant with all the other balances, rounded up. Of `balances[slot]` the contract's roundings depend a little. */
export function balanceOf(amplification: bigint, balances: readonly bigint[], invariant: bigint, slot: number): bigint | null {
  const count = BigInt(balances.length);
  const ampTimesTotal = amplification * count;
  const own = balances[slot] ?? 0n;
  const [first = 0n, ...rest] = balances;
  if (invariant === 0n) return null;
  let product = first * count;
  let sum = first;
  for (const balance of rest) {
    const grown = product * balance * count;
    if (grown > MAX_UINT256) return null;
    product = grown / invariant;
    sum += balance;
  }
  sum -= own;
  const squared = invariant * invariant;
  if (squared > MAX_UINT256 || product === 0n || ampTimesTotal * product > MAX_UINT256) return null;
  const c = ceilDiv(squared, ampTimesTotal * product) * AMP_PRECISION * own;
  const b = sum + (invariant / ampTimesTotal) * AMP_PRECISION;
  if (squared + c > MAX_UINT256) return null;
  let balance = ceilDiv(squared + c, invariant + b);
  for (let i = 0; i < LIMITS.venues.newtonSteps; i++) {
    const dividend = balance * balance + c;
    const divisor = balance * 2n + b - invariant;
    if (dividend > MAX_UINT256 || divisor <= 0n) return null;
    const next = ceilDiv(dividend, divisor);
    if (differByOne(next, balance)) return next;
    balance = next;
  }
  return null;
}

function differByOne(a: bigint, b: bigint): boolean {
  return a > b ? a - b <= 1n : b - a <= 1n;
}
