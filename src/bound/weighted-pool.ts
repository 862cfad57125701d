import type { WeightedCurve } from '../snapshot/snapshot.ts';
import type { PoolAnswer, PoolRoles, WholePool } from './pool-trade.ts';

type Pair = { readonly from: number; readonly to: number; readonly curve: WeightedCurve };

/**
 * Σ weight · log(balance) stays the same, with what enters counted less its fee. At prices p a token is taken out while p · balance / weight is above a level that all of them share, and put
 * in while it is below that level less the fee. In logarithms the sum is piecewise linear in the level, so the level is found exactly.
 * The fee is left of what enters, where it only makes later entries of the same token dearer.
 * Null where the pairs do not join all tokens.
 */
export function weightedPool(tokens: Int32Array, pairs: readonly Pair[]): WholePool | null {
  const facts = readPairs(tokens.length, pairs);
  return facts === null ? null : { tokens, gain: (prices, roles, answer) => gainOf(facts, prices, roles, answer), returned: () => 0 };
}

type Facts = {
  readonly keep: number;
  readonly balances: Float64Array;
  /** Up to a common factor. */
  readonly weights: Float64Array;
  /** The most that a pair takes of a token, as a share of the balance that it meets. */
  readonly mostShare: Float64Array;
};

function readPairs(size: number, pairs: readonly Pair[]): Facts | null {
  const [balances, weights, mostShare] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  weights[pairs[0]?.from ?? 0] = 1;
  // A weight follows from that of any token it is joined to.
  for (let round = 0; round < size; round++) {
    for (const { from, to, curve } of pairs) {
      if (weights[to] === 0) weights[to] = (weights[from] as number) / curve.exponent;
      if (weights[from] === 0) weights[from] = (weights[to] as number) * curve.exponent;
    }
  }
  for (const { from, to, curve } of pairs) {
    balances[from] = curve.balanceIn;
    balances[to] = curve.balanceOut;
    mostShare[from] = Math.max(mostShare[from] as number, curve.capacity / curve.balanceIn);
  }
  if (weights.some((weight) => !(weight > 0))) return null;
  const keep = Math.max(...pairs.map(({ curve }) => curve.keep));
  return { keep, balances, weights, mostShare };
}

/** What each token's balance does at a level, as growth of its logarithm: positive where it enters, negative where it leaves. */
type Growth = { at(token: number, level: number): number; sum(level: number): number };

function gainOf(facts: Facts, prices: Float64Array, { enters, leaves }: PoolRoles, { net, stiffness }: PoolAnswer): number {
  const { keep, balances, weights, mostShare } = facts;
  const size = balances.length;
  net.fill(0);
  stiffness.fill(0);
  const fee = Math.log(keep);
  const mayEnter = (token: number): boolean => enters[token] !== 0;
  const mayLeave = (token: number): boolean => leaves[token] !== 0;
  // Of the logarithm of a balance, by what enters less its fee: each pair takes its share of what it meets.
  const mostGrowth = mostShare.map((share, token) => Math.log1p(keep * Math.expm1((enters[token] as number) * Math.log1p(share))));
  const value = (token: number): number => ((prices[token] as number) * (balances[token] as number)) / (weights[token] as number);
  const first = balances.findIndex((_, token) => mayEnter(token) || mayLeave(token));
  // Logarithms of ratios near one keep the digits of a trade that is tiny against the pool.
  const unit = first < 0 ? 0 : value(first);
  const own = balances.map((_, token) => Math.log(value(token) / unit));
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let token = 0; token < size; token++) {
    if (mayEnter(token)) lowest = Math.min(lowest, (own[token] as number) - fee);
    if (mayLeave(token)) highest = Math.max(highest, own[token] as number);
  }
  if (!(lowest < highest)) return 0;
  const growthAt = (token: number, level: number): number => {
    const above = level - (own[token] as number);
    if (above + fee > 0) return mayEnter(token) ? Math.min(above + fee, mostGrowth[token] as number) : 0;
    return above < 0 && mayLeave(token) ? above : 0;
  };
  const growth: Growth = {
    at: growthAt,
    sum: (level) => weights.reduce((sum, weight, token) => sum + weight * growthAt(token, level), 0),
  };
  const bends = [...own].flatMap((worth, token) => [worth, worth - fee, worth - fee + (mostGrowth[token] as number)]);
  const level = levelOf(growth, bends, lowest, highest);
  let [gain, moving] = [0, 0];
  const free = new Float64Array(size);
  for (let token = 0; token < size; token++) {
    const moved = growth.at(token, level);
    if (moved === 0) continue;
    net[token] = (-(balances[token] as number) * Math.expm1(moved)) / (moved > 0 ? keep : 1);
    gain += (prices[token] as number) * (net[token] as number);
    if (moved >= (mostGrowth[token] as number)) continue;
    free[token] = weights[token] as number;
    moving += weights[token] as number;
  }
  const worth = unit * Math.exp(level);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) if (i !== j && moving > 0) stiffness[i * size + j] = (worth * (free[i] as number) * (free[j] as number)) / moving;
  }
  return gain;
}

/** Where what leaves and what enters balance. The sum grows with the level, in straight pieces between its bends: no more than nothing at the lowest, no less at the highest. */
function levelOf({ sum }: Growth, bends: readonly number[], lowest: number, highest: number): number {
  let low = { level: lowest, sum: sum(lowest) };
  let high = { level: highest, sum: sum(highest) };
  for (const level of bends) {
    if (!(level > low.level && level < high.level)) continue;
    const there = sum(level);
    if (there <= 0) low = { level, sum: there };
    else high = { level, sum: there };
  }
  return high.sum > low.sum ? low.level - (low.sum * (high.level - low.level)) / (high.sum - low.sum) : low.level;
}
