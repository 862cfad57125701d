import type { Market } from '../../../src/bound/bound.ts';
import { isBehind } from './additions.ts';
import type { Problem } from './problem.ts';

/** A route without splits. Amount and gas by the float curves. */
export type WholePath = { readonly edges: readonly number[]; readonly amount: number; readonly gas: number };

/** Best ways kept to each token, by hops. */
const KEPT = 6;
/** The hops of a path where the route has no limit. */
const MOST_HOPS = 5;
/** A way is left where it could give less than this part of the best path. */
const LEAST_PART = 0.7;

/** Many good routes without splits for an input, best net of gas first: a beam search, which may miss some. A path ends within `hops`. */
export function wholePaths({ market, sell, buy, perGas, maxHops }: Problem, input: number, count: number): readonly WholePath[] {
  const most = maxHops ?? MOST_HOPS;
  const value = rates(market, buy, most);
  const arrived: WholePath[] = [];
  let best = 0;
  let ways = new Map<number, readonly WholePath[]>([[sell, [{ edges: [], amount: input, gas: 0 }]]]);
  for (let left = most - 1; left >= 0 && ways.size > 0; left--) {
    const next = new Map<number, WholePath[]>();
    const ahead = value[left] as Float64Array;
    for (const [token, list] of ways) {
      for (const edge of market.leaving[token] as Int32Array) {
        const to = market.to[edge] as number;
        const price = ahead[to] as number;
        if (to === sell || !((list[0]?.amount ?? 0) * (market.firstRate[edge] as number) * price > best * LEAST_PART)) continue;
        for (const way of list) {
          const path = extended(market, way, edge);
          if (path === null || !(path.amount * price > best * LEAST_PART)) continue;
          if (to === buy) {
            arrived.push(path);
            best = Math.max(best, path.amount);
          } else insert(next, to, path);
        }
      }
    }
    ways = next;
  }
  const net = (path: WholePath): number => path.amount - perGas * path.gas;
  return arrived.sort((a, b) => net(b) - net(a)).slice(0, count);
}

function extended(market: Market, { edges, amount, gas }: WholePath, edge: number): WholePath | null {
  if (isBehind(market, edges, edge)) return null;
  const output = market.output(edge, amount);
  return output > 0 ? { edges: [...edges, edge], amount: output, gas: gas + market.gas(edge, amount) } : null;
}

function insert(next: Map<number, WholePath[]>, token: number, path: WholePath): void {
  const list = next.get(token) ?? [];
  next.set(token, list);
  list.push(path);
  list.sort((a, b) => b.amount - a.amount);
  if (list.length > KEPT) list.pop();
}

/** By hops and token: the best product of marginal rates to the bought token within them; 0 where there is none. */
function rates(market: Market, buy: number, hops: number): readonly Float64Array[] {
  const levels = [new Float64Array(market.tokenCount)];
  (levels[0] as Float64Array)[buy] = 1;
  for (let level = 1; level < hops; level++) {
    const before = levels[level - 1] as Float64Array;
    const rate = before.slice();
    for (let edge = 0; edge < market.edgeCount; edge++) {
      const from = market.from[edge] as number;
      if (from !== buy) rate[from] = Math.max(rate[from] as number, (market.firstRate[edge] as number) * (before[market.to[edge] as number] as number));
    }
    levels.push(rate);
  }
  return levels;
}
