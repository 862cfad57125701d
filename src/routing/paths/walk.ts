import { curveInputFor, curveOutput } from '../../curves/curves.ts';
import type { MarketPair } from '../market/market.ts';
import type { Neighbours } from '../market/neighbours.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Problem } from '../problem.ts';

/**
 * The direction in which real amounts are carried through the market. sell: from the sell token forwards, more is better. buy: from the buy token
 * backwards, turning an output into the input it needs, less is better. Amounts are base units as float64, tokens snapshot ids.
 */
export type Walk = {
  readonly mode: 'sell' | 'buy';
  startOf(problem: Problem): number;
  goalOf(problem: Problem): number;
  /** Pairs that lead on from a token, and where. */
  onwards(problem: Problem, token: number): Neighbours;
  next(pair: MarketPair): number;
  /** Pairs that lead to a token, and from where. */
  into(problem: Problem, token: number): Neighbours;
  back(pair: MarketPair): number;
  /** Logarithm of what a token is worth by reference prices, for a search in this direction; NaN where it has none. */
  referencePrice(problem: Problem, token: number): number;
  /** The pair that leads from one token on to another. */
  pair(problem: Problem, token: number, next: number): MarketPair | null;
  /** The amount at the other end of an edge; −1 when the edge can not carry it. */
  carry(edge: EdgeModel, amount: number): number;
  /** The amount at the near end of an edge with which this much is at its far end: at least so much is needed, or at most so much. */
  needed(edge: EdgeModel, amount: number): number;
  /** The amount at the other end when the whole of it has a price. */
  ideal(price: number, amount: number): number;
};

export const SELL_WALK: Walk = {
  mode: 'sell',
  startOf: (problem) => problem.sell,
  goalOf: (problem) => problem.buy,
  onwards: ({ neighbours, view }, token) => neighbours.leaving(view, token),
  next: (pair) => pair.to,
  into: ({ neighbours, view }, token) => neighbours.entering(view, token),
  back: (pair) => pair.from,
  referencePrice: ({ prices }, token) => prices.forwards(token),
  pair: ({ market, view }, token, next) => market.pair(view, token, next),
  carry: ({ curve }, amount) => curveOutput(curve, amount > curve.capacity && isWhole(amount, curve.capacity) ? curve.capacity : amount),
  needed: (edge, amount) => curveInputFor(edge.curve, amount),
  ideal: (price, amount) => amount * price,
};

/**
 * Part of what a pool takes or gives by its curve that may be asked of it beyond that: a curve ends a little before its pool does, and that of a constant price gives a little less. Whoever fills a vault to the last unit
 * would else find no path through it. Whether the pool takes it is then said by its exact maths.
 */
const WHOLE = 1e-8;

function isWhole(amount: number, most: number): boolean {
  return amount <= most * (1 + WHOLE);
}

export const BUY_WALK: Walk = {
  mode: 'buy',
  startOf: (problem) => problem.buy,
  goalOf: (problem) => problem.sell,
  onwards: SELL_WALK.into,
  next: SELL_WALK.back,
  into: SELL_WALK.onwards,
  back: SELL_WALK.next,
  referencePrice: ({ prices }, token) => prices.backwards(token),
  pair: ({ market, view }, token, next) => market.pair(view, next, token),
  carry: ({ curve }, amount) => {
    const input = curveInputFor(curve, amount);
    if (Number.isFinite(input)) return input;
    return isWhole(amount, curveOutput(curve, curve.capacity)) ? curve.capacity : -1;
  },
  needed: (edge, amount) => curveOutput(edge.curve, Math.min(amount, edge.curve.capacity)),
  ideal: (price, amount) => amount / price,
};

export function walkOf(mode: 'sell' | 'buy'): Walk {
  return mode === 'sell' ? SELL_WALK : BUY_WALK;
}
