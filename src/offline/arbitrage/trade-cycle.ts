import type { MarketEdge } from './exact-market.ts';

/** A cycle walked with an amount: what came back, and the state of each pool after it. */
export type CycleTrade = { readonly amountIn: bigint; readonly amountOut: bigint; readonly states: readonly unknown[] };

/**
 * The trade that takes most out of a cycle, in exact numbers, and in units of the token it starts with; null when whole units can take nothing.
 * The gain is concave in the amount but for roundings: grow the amount until the gain falls, then narrow down by golden sections.
 */
export function bestCycleTrade(cycle: readonly MarketEdge[]): CycleTrade | null {
  let best: CycleTrade | null = null;
  const gainAt = (amount: bigint): bigint => {
    const trade = walk(cycle, amount);
    // Nothing comes out of a dust amount, and too much is not taken: both gain nothing, the second with more to lose.
    if (trade === null) return -amount;
    const gain = trade.amountOut - amount;
    if (gain > 0n && (best === null || gain > best.amountOut - best.amountIn)) best = trade;
    return gain;
  };
  let [low, high] = bracket(gainAt);
  for (let section = 0; section < MOST_SECTIONS && high - low > 2n; section++) {
    const part = ((high - low) * GOLDEN) / UNIT;
    const [left, right] = [high - part, low + part];
    if (gainAt(left) < gainAt(right)) low = left;
    else high = right;
  }
  return best;
}

const UNIT = 1_000_000n;
const GOLDEN = 618_034n;
const MOST_SECTIONS = 64;
const GROWTH = 4n;
/** Amounts are uint256; no pool takes more than 2^128. */
const MOST_GROWN = 64;

function bracket(gainAt: (amount: bigint) => bigint): [bigint, bigint] {
  let amount = 1n;
  let best = { amount, gain: gainAt(amount) };
  let paid = false;
  for (let grown = 0; grown < MOST_GROWN; grown++) {
    amount *= GROWTH;
    const gain = gainAt(amount);
    paid ||= gain > 0n;
    if (gain > best.gain) best = { amount, gain };
    // While amounts are too small to give anything, the gain falls with the amount: only a fall after some gain is the far side.
    else if (paid) break;
  }
  return [best.amount / GROWTH, best.amount * GROWTH];
}

function walk(cycle: readonly MarketEdge[], amountIn: bigint): CycleTrade | null {
  let amount = amountIn;
  const states: unknown[] = [];
  for (const { pool, slotIn, slotOut } of cycle) {
    const quote = pool.venue.price.exactIn(pool.state, slotIn, slotOut, amount);
    if (!quote.ok || quote.amountIn !== amount || quote.amountOut <= 0n) return null;
    states.push(quote.next);
    amount = quote.amountOut;
  }
  return { amountIn, amountOut: amount, states };
}
