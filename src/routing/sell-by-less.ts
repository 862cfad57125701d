import type { AttemptInput } from './attempt.ts';
import { type Finalist, priceExactly, type Trial } from './finalists.ts';
import { tollsOf } from './gas-rule.ts';
import { BUY, SELL } from './subgraph.ts';

/** A hop that gives less than this part of its pool's first price drains the pool. */
const DRAINED = 0.7;
/** Parts of the amount, in percent, whose shares are tried for all of it. */
const PARTS = [97n, 90n, 80n, 60n, 40n] as const;

/**
 * A second opinion on a `sell` that drains pools: there the search may settle on shares worse than those it finds for less. Pools give no less for more, so the shares of a smaller sell, with
 * all of the amount, give at least what the smaller sell gives. Asked only where a hop of the route drains its pool, or where nothing was found.
 */
export function sellByLess(input: AttemptInput, found: Finalist | null, sell: (input: AttemptInput) => Finalist | null): Finalist | null {
  if (found !== null && !drains(input, found)) return found;
  let best = found;
  for (const part of PARTS) {
    const amount = (input.amount * part) / 100n;
    if (amount === 0n || input.pace.halted() !== null) return best;
    const less = sell({ ...input, amount });
    if (less === null) continue;
    const { graph, models } = input;
    const tolls = tollsOf(input.gas, Number(best?.output ?? less.output));
    const trial: Trial = { mode: 'sell', amount: input.amount, sell: graph.tokens[SELL] as number, buy: graph.tokens[BUY] as number, tolls, models };
    const priced = priceExactly(trial, less.hops, Number(input.amount), null);
    if (!priced.ok) continue;
    // Each net was counted by its own tolls: the outputs decide, since all this is far beyond what gas weighs.
    if (best === null || priced.finalist.output > best.output) best = priced.finalist;
  }
  return best;
}

function drains({ models }: AttemptInput, { hops }: Finalist): boolean {
  return hops.some(({ pool, slotIn, slotOut, amountIn, amountOut }) => {
    const edge = models.edge(pool, slotIn, slotOut);
    return edge !== null && Number(amountOut) < DRAINED * edge.startPrice * Number(amountIn);
  });
}
