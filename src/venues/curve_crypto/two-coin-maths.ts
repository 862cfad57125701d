import { LIMITS } from '../../config/limits.ts';
import { countStep } from '../sampled/newton-steps.ts';
import { add, demand, divide, mulDiv, multiply, Reverted, subtract } from './checked-integers.ts';
import {
  A_MULTIPLIER,
  type AmplificationAndGamma,
  distance,
  LEAST_BALANCE,
  LEAST_DIFFERENCE,
  LEAST_INVARIANT,
  largerOf,
  MOST_INVARIANT,
  settledBalance,
  settledInvariant,
} from './crypto-maths.ts';

// What the pools of two coins compute otherwise than those of three: other bounds, other first guesses, and products of two numbers that are cut off in another order. Each function throws Reverted where the
// contract reverts.

const ONE = 10n ** 18n;
/** Of an amplification of 1, which is kept times 2^2. */
const UNIT = 4n * A_MULTIPLIER;
const [LEAST_A, MOST_A] = [UNIT / 10n, UNIT * 100_000n];
const [LEAST_GAMMA, MOST_GAMMA] = [10n ** 10n, 2n * 10n ** 16n];
/** Of the larger balance. */
const LEAST_PART = 10n ** 14n;
/** Twice a balance over the invariant. */
const [LEAST_DOUBLED_SHARE, MOST_DOUBLED_SHARE] = [2n * 10n ** 16n, 2n * 10n ** 20n];
/** The contract settles no closer, in 18 decimals. */
const LEAST_LIMIT = 100n;

function demandParameters({ amplification, gamma }: AmplificationAndGamma): void {
  demand(amplification >= LEAST_A && amplification <= MOST_A);
  demand(gamma >= LEAST_GAMMA && gamma <= MOST_GAMMA);
}

/** The larger first. */
function descending([one = 0n, other = 0n]: readonly bigint[]): readonly [bigint, bigint] {
  return one < other ? [other, one] : [one, other];
}

/** The square root of the product. */
export function geometricMean(values: readonly bigint[]): bigint {
  const [larger, smaller] = descending(values);
  let mean = larger;
  for (let step = 0; step < LIMITS.venues.newtonSteps; step++) {
    countStep();
    const before = mean;
    mean = add(before, mulDiv(larger, smaller, before)) / 2n;
    const difference = distance(mean, before);
    if (difference <= 1n || multiply(difference, ONE) < mean) return mean;
  }
  throw new Reverted();
}

/** 1 where both balances are worth the same, less the further apart they are; with 18 decimals. */
export function reductionCoefficient([one = 0n, other = 0n]: readonly bigint[], feeGamma: bigint): bigint {
  const sum = add(one, other);
  const evenness = mulDiv(mulDiv(4n * ONE, one, sum), other, sum);
  return divide(multiply(feeGamma, ONE), subtract(add(feeGamma, ONE), evenness));
}

/** D. */
export function invariantOf(parameters: AmplificationAndGamma, balances: readonly bigint[]): bigint {
  demandParameters(parameters);
  const [larger, smaller] = descending(balances);
  demand(larger >= LEAST_BALANCE && larger <= MOST_INVARIANT && mulDiv(smaller, ONE, larger) >= LEAST_PART);
  const productOf = (invariant: bigint) => mulDiv(mulDiv(4n * ONE, larger, invariant), smaller, invariant);
  return settledInvariant(parameters, [larger, smaller], 2n * geometricMean([larger, smaller]), productOf);
}

/** The balance at `slot` that keeps the invariant beside the other one. */
export function balanceFor(parameters: AmplificationAndGamma, balances: readonly bigint[], invariant: bigint, slot: number): bigint {
  demandParameters(parameters);
  demand(invariant >= LEAST_INVARIANT && invariant <= MOST_INVARIANT);
  const other = balances[1 - slot] ?? 0n;
  const guess = divide(multiply(invariant, invariant), multiply(other, 4n));
  const product = mulDiv(2n * ONE, other, invariant);
  demand(product >= LEAST_DOUBLED_SHARE && product <= MOST_DOUBLED_SHARE);
  const limit = [other / LEAST_DIFFERENCE, invariant / LEAST_DIFFERENCE, LEAST_LIMIT].reduce(largerOf);
  return settledBalance(parameters, { count: 2n, sum: other, product, invariant }, guess, limit);
}
