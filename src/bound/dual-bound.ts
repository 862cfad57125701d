import { descend } from './descent.ts';
import type { Market } from './market.ts';

/**
 * An upper bound on what a trade can give, gas-free and without a hop limit. For any token prices p with p(buy) = 1,
 *   output ≤ p(sell) · amount + Σ over pools of the most that an arbitrageur could gain from the pool at p
 * (weak duality: whatever a route does, valued at p, splits into these parts). So the value at the best prices found is a bound however they were found. A pool of several tokens counts whole:
 * for what it trades over all its pairs, in whatever order.
 */
export type DualBound = {
  /** Base units of the buy token. */
  readonly bound: number;
  /** How far the bound may be from what can be reached: what the trades at these prices leave over or overdraw, as a share of the bound, in basis points. */
  readonly slackBps: number;
  readonly steps: number;
  /** Share of the input that no pool takes at any price: the trade is more than the set can fill. */
  readonly unfilled: number;
  /** Worth at most the whole trade each, largest first: where the trade goes at these prices. */
  readonly flows: readonly BoundFlow[];
};

export type BoundFlow = { readonly edge: number; readonly input: number; readonly output: number; readonly share: number };

/** The trade is worth this share of what it gives at the margin: only where every pool has reached the end of its liquidity. */
const WORTHLESS = 1e-7;
const SMALLEST_SHOWN = 1e-3;

/** Null where the sell token can not reach the buy token at all. */
export function dualBound(market: Market, sell: number, buy: number, amount: number): DualBound | null {
  const reach = findReach(market, sell, buy);
  if (reach === null) return null;
  const { value, slack, steps, left, prices, flows, returned } = descend({
    market,
    edges: reach.edges,
    start: reach.price,
    unit: buy,
    given: { token: sell, amount },
  });
  // Where the sell token is worth nothing any more, what is left of it has nowhere to go.
  const given = amount * (prices[sell] as number);
  const unfilled = given < WORTHLESS * value ? Math.max(0, left / given) : 0;
  const shown = flows.map((flow) => ({ ...flow, share: (flow.input * (prices[market.from[flow.edge] as number] as number)) / value }));
  return {
    unfilled,
    bound: value + returned,
    slackBps: ((slack + returned) / value) * 1e4,
    steps,
    flows: shown.filter(({ share }) => share > SMALLEST_SHOWN).sort((one, other) => other.share - one.share),
  };
}

/** Tokens and edges that a route may use, and the prices to start from: what a vanishing amount of each token gives at best. */
type Reach = { readonly price: Float64Array; readonly edges: Int32Array };

function findReach(market: Market, sell: number, buy: number): Reach | null {
  const price = bestRates(market, buy);
  if (!((price[sell] as number) > 0)) return null;
  const reached = new Uint8Array(market.tokenCount);
  reached[sell] = 1;
  const queue = [sell];
  for (let token = queue.pop(); token !== undefined; token = queue.pop()) {
    for (const edge of market.leaving[token] as Int32Array) {
      const to = market.to[edge] as number;
      if (reached[to] === 1 || !((market.firstRate[edge] as number) > 0) || !((price[to] as number) > 0)) continue;
      reached[to] = 1;
      queue.push(to);
    }
  }
  const useful = (edge: number): boolean => {
    const [from, to] = [market.from[edge] as number, market.to[edge] as number];
    return reached[from] === 1 && reached[to] === 1 && (market.firstRate[edge] as number) > 0 && to !== sell && from !== buy;
  };
  return { price, edges: Int32Array.from(Array.from({ length: market.edgeCount }, (_, edge) => edge).filter(useful)) };
}

/** A relaxation gains at least this share: less is rounding. */
const LEAST_GAIN = 1e-12;
const MOST_ROUNDS = 64;

/** Best product of marginal rates from every token to the goal; 0 where there is no way. Bounded, since a set may hold cycles that gain. */
export function bestRates(market: Market, goal: number): Float64Array {
  const rate = new Float64Array(market.tokenCount);
  rate[goal] = 1;
  let changed = [goal];
  for (let round = 0; round < MOST_ROUNDS && changed.length > 0; round++) {
    const next = new Set<number>();
    for (const token of changed) {
      for (const edge of market.entering[token] as Int32Array) {
        const from = market.from[edge] as number;
        const reached = (market.firstRate[edge] as number) * (rate[token] as number);
        if (from === goal || !(reached > (rate[from] as number) * (1 + LEAST_GAIN))) continue;
        rate[from] = reached;
        next.add(from);
      }
    }
    changed = [...next];
  }
  return rate;
}

/**
 * A lower bound on the input that buys a target, gas-free: the least input whose own bound on the output reaches it. Base units, from below. Null where no input does.
 * The bound grows with the input, so the input is bisected: first from just below `reached` downwards, by steps that double until they halve it, since a good route asks hardly more than the least; then between the ends.
 */
export function leastInputBound(market: Market, sell: number, buy: number, target: number, reached: number): number | null {
  const boundOf = (input: number): number => dualBound(market, sell, buy, input)?.bound ?? 0;
  if (!(boundOf(reached) >= target)) return null;
  let [low, high] = [0, reached];
  for (let turn = 0; turn < MOST_TURNS && high - low > CLOSE_ENOUGH * high; turn++) {
    const middle = low === 0 ? high * (1 - Math.min(0.5, 2 ** (turn - FIRST_GUESS))) : (low + high) / 2;
    if (boundOf(middle) >= target) high = middle;
    else low = middle;
  }
  return low;
}

/** Inputs are bisected to this share, the first guesses being near the input that a route needs. */
const CLOSE_ENOUGH = 1e-8;
const MOST_TURNS = 90;
const FIRST_GUESS = 24;
