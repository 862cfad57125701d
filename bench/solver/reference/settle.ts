import { type DescentTask, descend } from '../../../src/bound/bound.ts';
import type { Choice, Problem, Settled } from './problem.ts';
import { joined, shapeOf } from './shape.ts';

/**
 * Of the value: with more than this left over or overdrawn at rest, the flows are no route. Less than that is what flat curves leave open, where a hair of price moves much and matters little.
 */
const MOST_SLACK = 1e-2;
/** Of the trade's worth: a flow below this is none. */
const LEAST_FLOW = 1e-9;

/** Brings a choice to rest: the best flows over its edges, gas aside, then what that costs. null where it is no route of the request, or what is asked does not fit. */
export function settle(problem: Problem, choice: Choice, near: Float64Array | null): Settled | null {
  const { market, sell, buy, maxHops, perGas, mode } = problem;
  const edges = joined(market, choice.edges, sell, buy);
  const shape = shapeOf(market, edges, sell, buy);
  if (shape === null || (maxHops !== null && shape.longest > maxHops)) return null;
  const start = startPrices(problem, edges, shape.order, near);
  if (start === null) return null;
  const rest = descend({ ...taskOf(problem), edges: Int32Array.from(edges), start, rooms: choice.rooms });
  const sought = mode === 'sell' ? rest.value : -rest.value;
  if (!(sought > 0 && rest.slack <= MOST_SLACK * Math.abs(rest.value))) return null;
  const worth = Math.abs(rest.value);
  const flows = rest.flows.filter(({ edge, input }) => input * (rest.prices[market.from[edge] as number] as number) > LEAST_FLOW * worth);
  const carrying = flows.map(({ edge }) => edge);
  if (shapeOf(market, carrying, sell, buy) === null) return null;
  const gas = flows.reduce((sum, { edge, input }) => sum + market.gas(edge, input), 0);
  const rooms = new Map([...choice.rooms].filter(([edge]) => carrying.includes(edge)));
  const net = (mode === 'sell' ? sought : -sought) - perGas * gas;
  return { choice: { edges: carrying, rooms }, net, amount: sought, gas, flows, prices: rest.prices };
}

/** The descent of a request, without its edges. */
export function taskOf({ market, mode, sell, buy, amount }: Problem): Omit<DescentTask, 'edges' | 'start' | 'rooms'> {
  return mode === 'sell' ? { market, unit: buy, given: { token: sell, amount } } : { market, unit: sell, given: { token: buy, amount: -amount } };
}

/** Prices known from a neighbouring rest; else what the first unit of a token leads to. null where a token has none. */
function startPrices({ market, mode, sell, buy }: Problem, edges: readonly number[], order: readonly number[], near: Float64Array | null): Float64Array | null {
  const price = new Float64Array(market.tokenCount);
  price[buy] = mode === 'buy' && near !== null ? (near[buy] as number) : 1;
  for (const token of order.toReversed()) {
    if (token === buy) continue;
    for (const edge of edges) {
      if (market.from[edge] !== token) continue;
      const led = (market.firstRate[edge] as number) * (price[market.to[edge] as number] as number);
      price[token] = Math.max(price[token] as number, led);
    }
    const known = near?.[token] ?? 0;
    if (known > 0) price[token] = known;
    if (!((price[token] as number) > 0 && (price[token] as number) < Number.POSITIVE_INFINITY)) return null;
  }
  if (mode === 'sell') return price;
  const unit = price[sell] as number;
  return price.map((each) => each / unit);
}
