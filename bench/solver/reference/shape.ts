import type { Market } from '../../../src/bound/bound.ts';

/** A route without circles, as a graph of its tokens. */
export type Shape = {
  /** Tokens, each after all that flow into it. */
  readonly order: readonly number[];
  /** Longest chain of hops from the sold token to each, and from each to the bought one. */
  readonly depth: ReadonlyMap<number, number>;
  readonly height: ReadonlyMap<number, number>;
  /** Hops of the longest chain. */
  readonly longest: number;
};

/** null where the edges run in a circle or do not join the two tokens. Edges that lie on no way between them are no part of the route. */
export function shapeOf(market: Market, all: readonly number[], sell: number, buy: number): Shape | null {
  const edges = joined(market, all, sell, buy);
  if (edges.length === 0) return null;
  const waiting = new Map<number, number>();
  for (const edge of edges) waiting.set(market.to[edge] as number, (waiting.get(market.to[edge] as number) ?? 0) + 1);
  const order = [sell];
  const depth = new Map([[sell, 0]]);
  for (let at = 0; at < order.length; at++) {
    const token = order[at] as number;
    for (const edge of edges) {
      if (market.from[edge] !== token) continue;
      const to = market.to[edge] as number;
      depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(token) as number) + 1));
      const left = (waiting.get(to) as number) - 1;
      waiting.set(to, left);
      if (left === 0) order.push(to);
    }
  }
  if (order.length < waiting.size + 1) return null;
  const height = new Map([[buy, 0]]);
  for (const token of order.toReversed()) {
    for (const edge of edges) {
      if (market.from[edge] === token) height.set(token, Math.max(height.get(token) ?? 0, (height.get(market.to[edge] as number) as number) + 1));
    }
  }
  return { order, depth, height, longest: depth.get(buy) as number };
}

/** The edges that lie on a way from the sold token to the bought one. */
export function joined(market: Market, edges: readonly number[], sell: number, buy: number): readonly number[] {
  const inner = edges.filter((edge) => market.to[edge] !== sell && market.from[edge] !== buy);
  const ahead = reached(
    inner,
    sell,
    (edge) => market.from[edge] as number,
    (edge) => market.to[edge] as number,
  );
  const behind = reached(
    inner,
    buy,
    (edge) => market.to[edge] as number,
    (edge) => market.from[edge] as number,
  );
  return inner.filter((edge) => ahead.has(market.from[edge] as number) && behind.has(market.to[edge] as number));
}

function reached(edges: readonly number[], start: number, near: (edge: number) => number, far: (edge: number) => number): ReadonlySet<number> {
  const found = new Set([start]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const edge of edges) {
      if (!found.has(near(edge)) || found.has(far(edge))) continue;
      found.add(far(edge));
      grown = true;
    }
  }
  return found;
}

/** Whether a flow may go from `from` to `to` beside the edges without running in a circle. */
export function isForward(market: Market, edges: readonly number[], from: number, to: number): boolean {
  return !reached(
    edges,
    to,
    (edge) => market.from[edge] as number,
    (edge) => market.to[edge] as number,
  ).has(from);
}
