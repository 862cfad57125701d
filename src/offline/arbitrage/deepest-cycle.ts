import type { ExactMarket, MarketEdge } from './exact-market.ts';
import { gainOf, LEAST_GAIN } from './find-cycle.ts';

/**
 * The cycle over the same tokens whose pools promise most to take out. A search meets pools in any order: a shallow pool between two deep ones could be traded against each of them in turn,
 * a hair at a time, where the two are best traded against each other.
 */
export function deepestCycle(market: ExactMarket, cycle: readonly MarketEdge[]): readonly MarketEdge[] {
  const chosen = [...cycle];
  let most = promiseOf(chosen);
  for (const [hop, { from, to }] of cycle.entries()) {
    for (const beside of market.between(from, to)) {
      if (chosen.some(({ pool }) => pool === beside.pool)) continue;
      const known = chosen[hop] as MarketEdge;
      chosen[hop] = beside;
      const promise = promiseOf(chosen);
      if (promise.gain > most.gain) most = promise;
      else chosen[hop] = known;
    }
  }
  return chosen;
}

/** In base units of the cycle's first token, as if every rate went on falling as at first: the input that takes most out, and what that takes out. */
export function promiseOf(cycle: readonly MarketEdge[]): { readonly input: number; readonly gain: number } {
  const gain = gainOf(cycle);
  if (!(gain > LEAST_GAIN)) return { input: 0, gain: 0 };
  let logPrice = 0;
  let fall = 0;
  for (const { depth, logRate } of cycle) {
    fall += Math.exp(logPrice) / depth;
    logPrice += logRate;
  }
  return { input: gain / fall, gain: (gain * gain) / (2 * fall) };
}
