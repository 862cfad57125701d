import type { MarketEdge } from './exact-market.ts';

/** A cycle walked with an amount: what came back, and the state of each pool after it. */
export type CycleTrade = { readonly amountIn: bigint; readonly amountOut: bigint; readonly states: readonly unknown[] };

/**
 * The trade that takes most out of a cycle, in exact numbers, and in units of the token it starts with; null when whole units can take nothing. The gain is concave in the amount but for
 * roundings: bracket the most from a guess, or where that finds no gain from a single unit on, then narrow down by golden sections.
 */
export function bestCycleTrade(cycle: readonly MarketEdge[], guess: bigint): CycleTrade | null {
  let best: CycleTrade | null = null;
  const gainAt = (amount: bigint): bigint => {
    const trade = walk(cycle, amount);
    // Nothing comes out of a dust amount, and too much is not taken: both gain nothing, the second with more to lose.
    if (trade === null) return -amount;
    const gain = trade.amountOut - amount;
    if (gain > 0n && (best === null || gain > best.amountOut - best.amountIn)) best = trade;
    return gain;
  };
  const [low, high] = bracket(gainAt, guess);
  narrow(gainAt, low, high);
  return best;
}

const UNIT = 10n ** 12n;
const GOLDEN = 618_033_988_750n;
const GROWTH = 4n;
/** Amounts are uint256; no pool takes more than 2^128. */
const MOST_GROWN = 64;
/** An amount known this closely leaves a millionth of the gain's margin. */
const CLOSE = 1n << 20n;

type Gain = (amount: bigint) => bigint;

function bracket(gainAt: Gain, guess: bigint): [bigint, bigint] {
  let best = { amount: guess, gain: gainAt(guess) };
  const follow = (next: (amount: bigint) => bigint) => {
    for (let step = 0, amount = next(best.amount); step < MOST_GROWN && amount > 0n; step++, amount = next(amount)) {
      const gain = gainAt(amount);
      if (gain <= best.gain) return step > 0;
      best = { amount, gain };
    }
    return true;
  };
  if (!follow((amount) => amount * GROWTH)) follow((amount) => amount / GROWTH);
  if (best.gain <= 0n) best = mostFromOne(gainAt);
  return [best.amount / GROWTH, best.amount * GROWTH];
}

function mostFromOne(gainAt: Gain): { readonly amount: bigint; readonly gain: bigint } {
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
  return best;
}

/** Golden sections: each step looks at one new amount. */
function narrow(gainAt: Gain, from: bigint, to: bigint): void {
  let [low, high] = [from, to];
  const inner = () => ((high - low) * GOLDEN) / UNIT;
  let [left, right] = [high - inner(), low + inner()];
  let [gainLeft, gainRight] = [gainAt(left), gainAt(right)];
  while (high - low > 2n + high / CLOSE) {
    if (gainLeft < gainRight) {
      low = left;
      [left, gainLeft] = [right, gainRight];
      right = low + inner();
      gainRight = gainAt(right);
    } else {
      high = right;
      [right, gainRight] = [left, gainLeft];
      left = high - inner();
      gainLeft = gainAt(left);
    }
  }
}

function walk(cycle: readonly MarketEdge[], amountIn: bigint): CycleTrade | null {
  let amount = amountIn;
  const states: unknown[] = [];
  for (const { pool, slotIn, slotOut } of cycle) {
    const quote = pool.venue.price.exactIn(pool.state, slotIn, slotOut, amount, pool.at);
    if (!quote.ok || quote.amountIn !== amount || quote.amountOut <= 0n) return null;
    states.push(quote.next);
    amount = quote.amountOut;
  }
  return { amountIn, amountOut: amount, states };
}
