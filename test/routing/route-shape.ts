import { expect } from 'chai';
import type { PlanHop } from '../../src/routing/routing.ts';
import { quotePool, token, type World } from './world.ts';

type Leg = Pick<PlanHop, 'tokenIn' | 'tokenOut'>;

/** Hops of the longest way through a route whose hops are in execution order. */
export function longestPath(route: readonly Leg[]): number {
  const depth = new Map<string, number>();
  for (const hop of route) depth.set(hop.tokenOut, Math.max(depth.get(hop.tokenOut) ?? 0, (depth.get(hop.tokenIn) ?? 0) + 1));
  return Math.max(...depth.values());
}

/** A pool serves two tokens once, in one direction, or first and last of what leaves a token; no way leads back to a token that it left, and none is longer than asked for. */
export function expectRouteShape(route: readonly PlanHop[], maxHops: number): void {
  for (const [index, { poolKey, tokenIn, tokenOut }] of route.entries()) {
    const again = route.findIndex(
      (hop, at) => at > index && hop.poolKey === poolKey && [hop.tokenIn, hop.tokenOut].includes(tokenIn) && [hop.tokenIn, hop.tokenOut].includes(tokenOut),
    );
    if (again < 0) continue;
    expect(route[again], 'a pool in both directions').to.include({ tokenIn, tokenOut });
    expect([index, again], 'a pool again, neither first nor last of its token').to.deep.equal([
      route.findIndex((hop) => hop.tokenIn === tokenIn),
      route.findLastIndex((hop) => hop.tokenIn === tokenIn),
    ]);
  }
  const spent = new Set<string>();
  let current = '';
  for (const { tokenIn, tokenOut } of route) {
    if (tokenIn !== current) spent.add(current);
    current = tokenIn;
    // Once the hops of a token are done nothing comes back to it: in this order a cycle can not close.
    expect([...spent, current], 'a cycle').to.not.include(tokenOut);
  }
  expect(longestPath(route), 'longest way').to.be.at.most(maxHops);
}

/** The most that any route without splits leaves from token 1 to another when its gas is paid for, by trying all of them exactly; null without a route. */
export function bestSingleNet({ view, pools }: World, buy: number, amount: bigint, maxHops: number, perGas: bigint): bigint | null {
  const [start, target] = [view.tokenId(token(1)), view.tokenId(token(buy))];
  let best: bigint | null = null;
  const extend = (here: number, held: bigint, gas: number, visited: readonly number[]): void => {
    if (here === target) {
      const net = held - BigInt(gas) * perGas;
      if (best === null || net > best) best = net;
      return;
    }
    if (visited.length > maxHops) return;
    for (const pool of pools) {
      const slotIn = pool.tokens.indexOf(here);
      if (slotIn < 0) continue;
      pool.tokens.forEach((next, slotOut) => {
        if (visited.includes(next)) return;
        const quote = quotePool(pool, slotIn, slotOut, held);
        if (quote.ok && quote.amountIn === held && quote.amountOut > 0n) extend(next, quote.amountOut, gas + quote.gas, [...visited, next]);
      });
    }
  };
  if (start >= 0 && target >= 0) extend(start, amount, 0, [start]);
  return best;
}
