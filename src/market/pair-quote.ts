import { curveFlowAt, curveStartPrice, emptyFlow } from '../curves/curves.ts';
import type { Curve, EdgeCurve } from '../snapshot/snapshot.ts';

/** What a pool says of two of its tokens, by their slots. */
export type PairQuote = {
  readonly slotA: number;
  readonly slotB: number;
  /** Base units of B for a base unit of A: the geometric mean of what either way starts at, in which the fee falls out. */
  readonly rate: number;
  /** Base units of A, and of B, of which a swap in whichever way takes or gives at least so many before it has moved the price by MOVE. May be Infinity. */
  readonly depthA: number;
  readonly depthB: number;
};

/** The share by which a price is moved to see how deep a pool is. */
const MOVE = 0.02;
/** Pools that ask so many times what they bid tell no price: mostly fee, or a gap without liquidity. */
const WIDEST_SPREAD = 1.1;
/** Pools that bid so many times what they ask: models of curves err by less. */
const MOST_CROSSED = 1.001;

/** One for each pair of slots that the pool trades both ways, at a price: a pool that only sells a token says what it wants, not what it is worth. */
export function pairQuotes(curves: readonly EdgeCurve[]): readonly PairQuote[] {
  const quotes: PairQuote[] = [];
  for (const { slotIn, slotOut, curve } of curves) {
    if (slotIn > slotOut) continue;
    const back = curves.find((edge) => edge.slotIn === slotOut && edge.slotOut === slotIn);
    const quote = back === undefined ? null : quoteOf(slotIn, slotOut, curve, back.curve);
    if (quote !== null) quotes.push(quote);
  }
  return quotes;
}

function quoteOf(slotA: number, slotB: number, sellsA: Curve, sellsB: Curve): PairQuote | null {
  const [bid, back] = [curveStartPrice(sellsA), curveStartPrice(sellsB)];
  const ask = 1 / back;
  if (!(bid > 0 && ask > 0 && bid < Infinity && ask < Infinity)) return null;
  if (ask > bid * WIDEST_SPREAD || bid > ask * MOST_CROSSED) return null;
  const [down, up] = [emptyFlow(), emptyFlow()];
  curveFlowAt(sellsA, bid * (1 - MOVE), down);
  curveFlowAt(sellsB, back * (1 - MOVE), up);
  const [depthA, depthB] = [Math.min(down.input, up.output), Math.min(down.output, up.input)];
  return depthA > 0 && depthB > 0 ? { slotA, slotB, rate: Math.sqrt(bid) * Math.sqrt(ask), depthA, depthB } : null;
}
