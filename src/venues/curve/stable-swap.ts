import { LIMITS } from '../../config/limits.ts';

// Curve's get_D and get_y. Balances are upscaled to 18 decimals, every quotient is cut off. null is the contract's revert: a number beyond uint256, a
// division by zero, or no convergence.

export const A_PRECISION = 100n;
const MAX_UINT256 = (1n << 256n) - 1n;

/** The two published forms of the pool contract. They differ in where the invariant divides by n^n, and in the fee. */
export type CurveForm = 'plain' | 'ng';

/** D of the invariant. `amplification` is A · n^(n−1) with two decimals. */
export function invariantOf(amplification: bigint, balances: readonly bigint[], form: CurveForm): bigint | null {
  const count = BigInt(balances.length);
  const ann = amplification * count;
  const sum = balances.reduce((total, balance) => total + balance, 0n);
  if (sum === 0n) return 0n;
  let invariant = sum;
  for (let i = 0; i < LIMITS.venues.newtonSteps; i++) {
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

/** The balance of `slotOut` that keeps the invariant when that of `slotIn` is `balanceIn`. */
export function balanceOf(
  amplification: bigint,
  balances: readonly bigint[],
  invariant: bigint,
  slotIn: number,
  slotOut: number,
  balanceIn: bigint,
): bigint | null {
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
