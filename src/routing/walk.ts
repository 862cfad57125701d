import { curveInputFor, curveOutput } from './curves/curves.ts';
import type { MarketPair } from './market.ts';
import type { EdgeModel } from './pool-models.ts';
import type { SearchArea } from './search-area.ts';

/**
 * The direction in which real amounts are carried through the market. sell: from the sell token forwards, more is better. buy: from the buy token
 * backwards, turning an output into the input it needs, less is better. Amounts are base units as float64, tokens snapshot ids.
 */
export type Walk = {
  readonly mode: 'sell' | 'buy';
  startOf(area: SearchArea): number;
  goalOf(area: SearchArea): number;
  /** Pairs that lead on from a token, and where. */
  pairs(area: SearchArea, token: number): readonly MarketPair[];
  next(pair: MarketPair): number;
  /** Pairs that lead to a token, and from where. */
  pairsInto(area: SearchArea, token: number): readonly MarketPair[];
  back(pair: MarketPair): number;
  /** The amount at the other end of an edge; −1 when the edge can not carry it. */
  carry(edge: EdgeModel, amount: number): number;
  /** The amount at the other end when the whole of it has a price. */
  ideal(price: number, amount: number): number;
  /** Positive when the first amount is better. */
  compare(a: number, b: number): number;
};

export const SELL_WALK: Walk = {
  mode: 'sell',
  startOf: (area) => area.sell,
  goalOf: (area) => area.buy,
  pairs: (area, token) => area.market.around(area.view, token).leaving,
  next: (pair) => pair.to,
  pairsInto: (area, token) => area.market.around(area.view, token).entering,
  back: (pair) => pair.from,
  carry: (edge, amount) => curveOutput(edge.curve, amount),
  ideal: (price, amount) => amount * price,
  compare: (a, b) => a - b,
};

export const BUY_WALK: Walk = {
  mode: 'buy',
  startOf: (area) => area.buy,
  goalOf: (area) => area.sell,
  pairs: SELL_WALK.pairsInto,
  next: SELL_WALK.back,
  pairsInto: SELL_WALK.pairs,
  back: SELL_WALK.next,
  carry: (edge, amount) => {
    const input = curveInputFor(edge.curve, amount);
    return Number.isFinite(input) ? input : -1;
  },
  ideal: (price, amount) => amount / price,
  compare: (a, b) => b - a,
};
