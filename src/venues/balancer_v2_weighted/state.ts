import { LIMITS } from '../../config/limits.ts';
import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import { mulDown, ONE, type PowerRule } from '../balancer/fixed-point.ts';
import { BALANCER_GAS, MAX_BALANCE } from '../balancer/swap-frame.ts';
import { type PoolSetEntry, readUnsigned } from '../pool-set-entry.ts';
import { readAmounts, readTokenScales } from '../scaled/token-scale.ts';
import { PoolRefused, type PoolSetStateFacet } from '../venue.ts';

/**
 * Exact state of a weighted pool. Balances are base units (uint112 in the vault); `lifts` are 10^(18 − decimals) of each token; weights and the swap fee
 * are 18-decimal. Weights of a bootstrapping pool move with time: they are those of the block.
 */
export type WeightedState = {
  readonly balances: readonly bigint[];
  readonly lifts: readonly bigint[];
  readonly weights: readonly bigint[];
  readonly swapFee: bigint;
  readonly powers: PowerRule;
};

/** A swap moves at most this share of a balance, 18-decimal: of the input's for an exact input, of the output's for an exact output. */
export const MAX_RATIO = 3n * 10n ** 17n;
/** The contract's least weight. It bounds the exponents, and with MAX_RATIO keeps every power within what LogExpMath computes. */
const MIN_WEIGHT = 10n ** 16n;
/** Weights of a bootstrapping pool are stored compressed and add up to one only nearly. */
const WEIGHT_SUM_TOLERANCE = 10n ** 15n;

/** Throws PoolRefused where the state is not one of a weighted pool, or can not be routed: for whoever builds a state from outside. */
export function validateState({ balances, weights, swapFee }: WeightedState): void {
  if (balances.length < 2 || balances.length > LIMITS.venues.tokensPerPool) throw new PoolRefused('malformed', `a pool of ${balances.length} tokens`);
  if (swapFee >= ONE) throw new PoolRefused('malformed', `the swap fee is not below one: ${swapFee}`);
  let sum = 0n;
  for (const weight of weights) {
    if (weight < MIN_WEIGHT) throw new PoolRefused('malformed', `a weight is below one percent: ${weight}`);
    sum += weight;
  }
  if (sum < ONE - WEIGHT_SUM_TOLERANCE || sum > ONE + WEIGHT_SUM_TOLERANCE) throw new PoolRefused('malformed', `the weights add up to ${sum}, not one`);
  if (balances.some((balance) => balance === 0n)) throw new PoolRefused('not-routable', 'a balance is zero');
}

export const state: PoolSetStateFacet<WeightedState> = {
  pack({ balances, lifts, weights, swapFee, powers }, out) {
    out
      .unsigned(BigInt(balances.length), 1)
      .unsigned(powers === 'multiplied' ? 1n : 0n, 1)
      .unsigned(swapFee, 1);
    for (const values of [lifts, weights]) for (const value of values) out.unsigned(value, 1);
    for (const balance of balances) out.unsigned(balance, 2);
  },
  unpack(words) {
    const count = Number(words.unsigned(1));
    const powers = words.unsigned(1) === 1n ? 'multiplied' : 'logarithm';
    const swapFee = words.unsigned(1);
    const list = (limbs: number): readonly bigint[] => Array.from({ length: count }, () => words.unsigned(limbs));
    const [lifts, weights] = [list(1), list(1)];
    return { balances: list(2), lifts, weights, swapFee, powers };
  },
  curves(pool) {
    const edges: EdgeCurve[] = [];
    for (const slotIn of pool.balances.keys()) {
      for (const slotOut of pool.balances.keys()) if (slotIn !== slotOut) edges.push(...edge(pool, slotIn, slotOut));
    }
    return edges;
  },
  fromPoolSet(entry, tokenCount, decimals = []) {
    const pool: WeightedState = {
      balances: readAmounts(entry.balances, 'balances', tokenCount, 112),
      lifts: readTokenScales({}, tokenCount, decimals).map(({ numerator }) => numerator),
      weights: readAmounts(entry.weights, 'weights', tokenCount, 60),
      swapFee: readUnsigned(entry.swapFee, 'swapFee', 60),
      powers: readPowers(entry),
    };
    validateState(pool);
    return pool;
  },
};

/**
 * `version: 'v3Plus'`, CoW's word for pools of the factories since September 2022. Anything else is one of 2021: in the real sets at hand most are, as the
 * addresses that their factories gave them show, and what the older rule promises is never more than a newer pool gives.
 */
function readPowers({ version }: PoolSetEntry): PowerRule {
  return version === 'v3Plus' ? 'multiplied' : 'logarithm';
}

/** The largest input that the pool takes: its traded part within the ratio limit, and the balance within the vault's uint112. */
export function largestInput({ balances, lifts, swapFee }: WeightedState, slotIn: number): bigint {
  const balance = balances[slotIn] ?? 0n;
  const lift = lifts[slotIn] ?? 1n;
  const traded = mulDown(balance * lift, MAX_RATIO) / lift;
  const input = (traded * ONE) / (ONE - swapFee);
  return input < MAX_BALANCE - balance ? input : MAX_BALANCE - balance;
}

/** None where the ratio limit of a dust balance leaves less than a unit to put in or to take out: what nobody can trade has no price. */
function edge(pool: WeightedState, slotIn: number, slotOut: number): readonly EdgeCurve[] {
  const keep = Number(ONE - pool.swapFee) / 1e18;
  const exponent = Number(pool.weights[slotIn]) / Number(pool.weights[slotOut]);
  const capacity = Number(largestInput(pool, slotIn)) * (1 - Number.EPSILON);
  const [balanceIn, balanceOut] = [Number(pool.balances[slotIn]), Number(pool.balances[slotOut])];
  const most = -balanceOut * Math.expm1(-exponent * Math.log1p((capacity * keep) / balanceIn));
  if (!(most >= 1)) return [];
  return [{ slotIn, slotOut, curve: { kind: 'weighted', keep, capacity, gas: BALANCER_GAS.weighted, balanceIn, balanceOut, exponent } }];
}
