import type { RouteLeg } from '../../bench/solver/exact-pools.ts';

/** Hops of the longest chain from the sold token, in a route whose legs come in the order in which they execute: the depth of the merged route (decisions R17). */
export function longestChain(legs: readonly RouteLeg[], sell: number, buy: number): number {
  const depth = new Map([[sell, 0]]);
  for (const { pool, slotIn, slotOut } of legs) {
    const [from, to] = [pool.tokens[slotIn] as number, pool.tokens[slotOut] as number];
    depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(from) ?? 0) + 1));
  }
  return depth.get(buy) ?? 0;
}
