import { LIMITS } from '../../config/limits.ts';
import { countStep } from '../sampled/newton-steps.ts';
import { add, demand, divide, mulDiv, multiply, Reverted, subtract } from './checked-integers.ts';

// The mathematics of Curve's first generation of three-coin crypto pools, step by step: balances are brought to 18 decimals and one worth, all quotients are cut off, and each function throws Reverted where
// the contract reverts, which is also where it does not settle. What pools of two coins compute alike is exported for them.

const ONE = 10n ** 18n;
/** What the contract keeps an amplification of 1 as, times n^n. */
export const A_MULTIPLIER = 10_000n;
/** Over an amplification of 1. */
const [LEAST_PART_OF_ONE, MOST_OF_ONE] = [100n, 1000n];
const [LEAST_GAMMA, MOST_GAMMA] = [10n ** 10n, 5n * 10n ** 16n];
export const [LEAST_INVARIANT, MOST_INVARIANT] = [10n ** 17n, 10n ** 33n];
/** A balance over the invariant. */
const [LEAST_SHARE, MOST_SHARE] = [10n ** 16n, 10n ** 20n];
export const LEAST_BALANCE = 10n ** 9n;
/** Of the largest balance. */
const LEAST_PART = 10n ** 11n;
export const LEAST_DIFFERENCE = 10n ** 14n;

export type AmplificationAndGamma = { readonly amplification: bigint; readonly gamma: bigint };

/** The largest first. */
function descending(values: readonly bigint[]): readonly bigint[] {
  return [...values].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
}

function demandParameters({ amplification, gamma }: AmplificationAndGamma, count: bigint): void {
  const unit = count ** count * A_MULTIPLIER;
  demand(amplification >= unit / LEAST_PART_OF_ONE && amplification <= MOST_OF_ONE * unit);
  demand(gamma >= LEAST_GAMMA && gamma <= MOST_GAMMA);
}

function demandShare(balance: bigint, invariant: bigint): void {
  const share = mulDiv(balance, ONE, invariant);
  demand(share >= LEAST_SHARE && share <= MOST_SHARE);
}

/** The n-th root of the product. */
export function geometricMean(values: readonly bigint[]): bigint {
  const count = BigInt(values.length);
  const sorted = descending(values);
  let mean = sorted[0] ?? 0n;
  for (let step = 0; step < LIMITS.venues.newtonSteps; step++) {
    countStep();
    const before = mean;
    const product = sorted.reduce((total, value) => mulDiv(total, value, before), ONE);
    mean = mulDiv(mean, add((count - 1n) * ONE, product), count * ONE);
    const difference = distance(mean, before);
    if (difference <= 1n || multiply(difference, ONE) < mean) return mean;
  }
  throw new Reverted();
}

/** 1 where the balances are worth the same, less the further apart they are; with 18 decimals. */
export function reductionCoefficient(balances: readonly bigint[], feeGamma: bigint): bigint {
  const count = BigInt(balances.length);
  const sum = balances.reduce(add, 0n);
  const evenness = balances.reduce((total, balance) => divide(multiply(multiply(total, count), balance), sum), ONE);
  return feeGamma === 0n ? evenness : divide(multiply(feeGamma, ONE), subtract(add(feeGamma, ONE), evenness));
}

/** D. */
export function invariantOf(parameters: AmplificationAndGamma, unsorted: readonly bigint[]): bigint {
  const count = BigInt(unsorted.length);
  demandParameters(parameters, count);
  const balances = descending(unsorted);
  const [largest = 0n, ...others] = balances;
  demand(largest >= LEAST_BALANCE && largest <= MOST_INVARIANT);
  for (const balance of others) demand(mulDiv(balance, ONE, largest) >= LEAST_PART);
  const productOf = (invariant: bigint) => balances.reduce((total, balance) => divide(multiply(multiply(total, balance), count), invariant), ONE);
  return settledInvariant(parameters, balances, multiply(count, geometricMean(balances)), productOf);
}

/** D, from a first guess. `productOf`: of all balances over a D, each times their number. */
export function settledInvariant(
  parameters: AmplificationAndGamma,
  balances: readonly bigint[],
  guess: bigint,
  productOf: (invariant: bigint) => bigint,
): bigint {
  const sum = balances.reduce(add, 0n);
  const count = BigInt(balances.length);
  let invariant = guess;
  for (let step = 0; step < LIMITS.venues.newtonSteps; step++) {
    countStep();
    const before = invariant;
    invariant = nextInvariant(parameters, { count, sum, product: productOf(before), invariant: before });
    const larger = invariant > 10n ** 16n ? invariant : 10n ** 16n;
    if (multiply(distance(invariant, before), LEAST_DIFFERENCE) >= larger) continue;
    for (const balance of balances) demandShare(balance, invariant);
    return invariant;
  }
  throw new Reverted();
}

/** Sum and product of balances, the product over the invariant. */
type Summed = { readonly count: bigint; readonly sum: bigint; readonly product: bigint; readonly invariant: bigint };

function nextInvariant(parameters: AmplificationAndGamma, { count, sum, product, invariant }: Summed): bigint {
  const apart = apartness(parameters.gamma, product);
  const first = firstTerm(parameters, invariant, apart);
  const second = divide(multiply(2n * ONE * count, product), apart);
  const slope = subtract(add(add(sum, divide(multiply(sum, second), ONE)), divide(multiply(first, count), product)), divide(multiply(second, invariant), ONE));
  const plus = divide(multiply(invariant, add(slope, sum)), slope);
  const whole = divide(multiply(invariant, invariant), slope);
  const part = (missing: bigint) => divide(multiply(divide(multiply(invariant, divide(first, slope)), ONE), missing), product);
  const minus = ONE > product ? add(whole, part(ONE - product)) : subtract(whole, part(product - ONE));
  return plus > minus ? plus - minus : (minus - plus) / 2n;
}

/** How far the product of the balances is from 1 + gamma, and at least a unit. */
function apartness(gamma: bigint, product: bigint): bigint {
  const reach = add(gamma, ONE);
  return add(distance(reach, product), 1n);
}

/** D · apart² / (A · gamma²). */
function firstTerm({ amplification, gamma }: AmplificationAndGamma, invariant: bigint, apart: bigint): bigint {
  const once = multiply(divide(multiply(ONE, invariant), gamma), apart);
  return divide(multiply(multiply(divide(once, gamma), apart), A_MULTIPLIER), amplification);
}

/** The balance at `slot` that keeps the invariant beside the others. */
export function balanceFor(parameters: AmplificationAndGamma, balances: readonly bigint[], invariant: bigint, slot: number): bigint {
  const count = BigInt(balances.length);
  demandParameters(parameters, count);
  demand(invariant >= LEAST_INVARIANT && invariant <= MOST_INVARIANT);
  const others = descending(balances.filter((_, at) => at !== slot));
  for (const balance of others) demandShare(balance, invariant);
  const limit = [(others[0] ?? 0n) / LEAST_DIFFERENCE, invariant / LEAST_DIFFERENCE, 100n].reduce(largerOf);
  const sum = others.reduce(add, 0n);
  const product = others.reduce((total, balance) => divide(multiply(multiply(total, balance), count), invariant), ONE);
  const guess = [...others].reverse().reduce((total, other) => divide(multiply(total, invariant), multiply(other, count)), invariant / count);
  return settledBalance(parameters, { count, sum, product, invariant }, guess, limit);
}

/** The balance beside the others that are summed, from a first guess, until it moves by less than `limit` or its own part in 10^14. */
export function settledBalance(parameters: AmplificationAndGamma, others: Summed, guess: bigint, limit: bigint): bigint {
  let balance = guess;
  for (let step = 0; step < LIMITS.venues.newtonSteps; step++) {
    countStep();
    const before = balance;
    const next = nextBalance(parameters, others, before);
    balance = next ?? before / 2n;
    if (next === null || distance(balance, before) >= largerOf(limit, balance / LEAST_DIFFERENCE)) continue;
    demandShare(balance, others.invariant);
    return balance;
  }
  throw new Reverted();
}

/** null where the step would lead below nothing, and the contract halves without a look at how far it came. */
function nextBalance(parameters: AmplificationAndGamma, { count, sum: others, product: withoutIt, invariant }: Summed, balance: bigint): bigint | null {
  const product = divide(multiply(multiply(withoutIt, balance), count), invariant);
  const sum = add(others, balance);
  const apart = apartness(parameters.gamma, product);
  const first = firstTerm(parameters, invariant, apart);
  const second = add(ONE, divide(multiply(2n * ONE, product), apart));
  const ahead = add(add(multiply(ONE, balance), multiply(sum, second)), first);
  const behind = multiply(invariant, second);
  if (ahead < behind) return null;
  const rise = ahead - behind;
  const slope = divide(rise, balance);
  const part = divide(first, slope);
  const plus = add(divide(add(rise, multiply(ONE, invariant)), slope), divide(multiply(part, ONE), product));
  const minus = add(part, divide(multiply(ONE, sum), slope));
  return plus < minus ? balance / 2n : plus - minus;
}

/** 0.5^power, both with 18 decimals; no further than `precision`. */
export function halfPower(power: bigint, precision: bigint): bigint {
  const [whole, rest] = [power / ONE, power % ONE];
  if (whole > 59n) return 0n;
  const result = ONE / 2n ** whole;
  if (rest === 0n) return result;
  let [term, sum, falls] = [ONE, ONE, false];
  for (let step = 1n; step < 256n; step++) {
    const [reach, before] = [step * ONE, (step - 1n) * ONE];
    if (rest > before) falls = !falls;
    term = (term * ((distance(rest, before) * (ONE / 2n)) / ONE)) / reach;
    sum = falls ? subtract(sum, term) : add(sum, term);
    if (term < precision) return (result * sum) / ONE;
  }
  throw new Reverted();
}

/** Of a number with 18 decimals, with 18 decimals. */
export function squareRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  let [next, root] = [add(value, ONE) / 2n, value];
  for (let step = 0; step < 256; step++) {
    if (next === root) return root;
    root = next;
    next = add(divide(multiply(value, ONE), next), next) / 2n;
  }
  throw new Reverted();
}

export function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

export function largerOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
