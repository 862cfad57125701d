import { curveInputFor, curveOutput } from './curves/curves.ts';
import type { EdgeModel } from './pool-models.ts';
import { BUY, type Pair, SELL, type Subgraph } from './subgraph.ts';

/**
 * The direction in which real amounts are carried through the subgraph. sell: from the sell token forwards, more is better. buy: from the buy token
 * backwards, turning an output into the input it needs, less is better. Amounts are base units as float64.
 */
export type Walk = {
  readonly mode: 'sell' | 'buy';
  readonly start: number;
  readonly goal: number;
  pairs(graph: Subgraph, token: number): readonly Pair[];
  next(pair: Pair): number;
  /** The amount at the other end of an edge; −1 when the edge can not carry it. */
  carry(edge: EdgeModel, amount: number): number;
  /** The amount at the other end when the whole of it has a price. */
  ideal(price: number, amount: number): number;
  /** Positive when the first amount is better. */
  compare(a: number, b: number): number;
};

export const SELL_WALK: Walk = {
  mode: 'sell',
  start: SELL,
  goal: BUY,
  pairs: (graph, token) => graph.leaving[token] ?? [],
  next: (pair) => pair.to,
  carry: (edge, amount) => curveOutput(edge.curve, amount),
  ideal: (price, amount) => amount * price,
  compare: (a, b) => a - b,
};

export const BUY_WALK: Walk = {
  mode: 'buy',
  start: BUY,
  goal: SELL,
  pairs: (graph, token) => graph.entering[token] ?? [],
  next: (pair) => pair.from,
  carry: (edge, amount) => {
    const input = curveInputFor(edge.curve, amount);
    return Number.isFinite(input) ? input : -1;
  },
  ideal: (price, amount) => amount / price,
  compare: (a, b) => b - a,
};
