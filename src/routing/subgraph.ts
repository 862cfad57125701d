import { LIMITS } from '../config/limits.ts';
import { EDGE_STRIDE, type PoolView, type SnapshotView } from '../snapshot/snapshot.ts';
import type { EdgeModel, PoolModels } from './pool-models.ts';

/** All edges of one directed token pair. Tokens are numbers local to the subgraph. */
export type Pair = {
  /** Its place in Subgraph.pairs. */
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly edges: readonly EdgeModel[];
  /** The edge with the best marginal price at no flow. */
  readonly best: EdgeModel;
};

/** The part of the snapshot that can matter to one request: every edge lies on a token path of allowed length from sell to buy. */
export type Subgraph = {
  /** Snapshot ids by local number; the first is the sell token, the second the buy token. */
  readonly tokens: readonly number[];
  /** Lower-case address by local number: ties are broken by it, so that ids do not matter. */
  readonly addresses: readonly string[];
  readonly pairs: readonly Pair[];
  /** Pairs that leave and enter a token, by local number. */
  readonly leaving: readonly (readonly Pair[])[];
  readonly entering: readonly (readonly Pair[])[];
  readonly maxHops: number;
  readonly edgeCount: number;
};

export const SELL = 0;
export const BUY = 1;

/** Distances by token id, forgotten by raising the stamp instead of clearing: a request pays for its neighbourhood, not for the snapshot. */
type Marks = { stamp: Uint32Array; distance: Uint8Array; current: number };

export type SubgraphBuilder = (view: SnapshotView, sell: number, buy: number, maxHops: number, admits: (pool: PoolView) => boolean) => Subgraph;

/** Makes a builder that keeps its scratch memory between requests. */
export function createSubgraphBuilder(models: PoolModels): SubgraphBuilder {
  const forward = emptyMarks();
  const backward = emptyMarks();
  const local = emptyMarks();
  return (view, sell, buy, maxHops, admits) => {
    for (const marks of [forward, backward, local]) renew(marks, view.tokenCount);
    const near = walk(view, forward, sell, buy, maxHops - 1);
    walk(view, backward, buy, sell, maxHops - 1);
    // A pool that routes one way only is invisible to the backward walk, which reads the edges that leave a token; the edges out of the forward walk correct it.
    for (let i = near.length - 1; i >= 0; i--) correct(view, near[i] as number, forward, backward, maxHops);
    const tokens = near.filter((token) => token !== sell && reach(forward, token) + reach(backward, token) <= maxHops);
    tokens.unshift(sell, buy);
    return collect({ view, models, admits, maxHops, forward, backward }, tokens);
  };
}

type Collecting = {
  readonly view: SnapshotView;
  readonly models: PoolModels;
  readonly admits: (pool: PoolView) => boolean;
  readonly maxHops: number;
  readonly forward: Marks;
  readonly backward: Marks;
};

function collect(from: Collecting, tokens: readonly number[]): Subgraph {
  const numbers = new Map(tokens.map((token, number) => [token, number]));
  const pairs: Pair[] = [];
  const leaving: Pair[][] = tokens.map(() => []);
  const entering: Pair[][] = tokens.map(() => []);
  let edgeCount = 0;
  for (let number = 0; number < tokens.length; number++) {
    if (number === BUY) continue;
    const token = tokens[number] as number;
    const room = from.maxHops - 1 - reach(from.forward, token);
    const list = from.view.edgesFrom(token);
    for (let at = 0; at < list.length; ) {
      const target = list[at + 3] as number;
      let end = at + EDGE_STRIDE;
      while (end < list.length && list[end + 3] === target) end += EDGE_STRIDE;
      const to = numbers.get(target);
      if (to !== undefined && to !== SELL && reach(from.backward, target) <= room && edgeCount < LIMITS.routing.subgraphEdges) {
        const pair = gather(from, list, { start: at, end }, { index: pairs.length, from: number, to });
        if (pair !== null) {
          pairs.push(pair);
          (leaving[number] as Pair[]).push(pair);
          (entering[to] as Pair[]).push(pair);
          edgeCount += pair.edges.length;
        }
      }
      at = end;
    }
  }
  const addresses = tokens.map((token) => from.view.token(token).address);
  return { tokens, addresses, pairs, leaving, entering, maxHops: from.maxHops, edgeCount };
}

type Run = { readonly start: number; readonly end: number };

function gather(from: Collecting, list: Uint32Array, { start, end }: Run, ends: Pick<Pair, 'index' | 'from' | 'to'>): Pair | null {
  const edges: EdgeModel[] = [];
  let best: EdgeModel | null = null;
  for (let at = start; at < end; at += EDGE_STRIDE) {
    const pool = from.view.pool(list[at] as number);
    if (pool === undefined || !from.admits(pool)) continue;
    const edge = from.models.edge(pool, list[at + 1] as number, list[at + 2] as number);
    if (edge === null) continue;
    edges.push(edge);
    if (best === null || precedes(edge, best)) best = edge;
  }
  return best === null ? null : { ...ends, edges, best };
}

/** Better start price first; equal prices by pool key, so that ids do not matter. */
export function precedes(a: EdgeModel, b: EdgeModel): boolean {
  return a.startPrice > b.startPrice || (a.startPrice === b.startPrice && a.pool.key < b.pool.key);
}

/** Breadth first over the edges that leave a token, never through `wall`. Returns the tokens met, nearest first. */
function walk(view: SnapshotView, marks: Marks, start: number, wall: number, depth: number): number[] {
  const met = [start];
  mark(marks, start, 0);
  for (let next = 0; next < met.length; next++) {
    const token = met[next] as number;
    const distance = reach(marks, token);
    if (distance >= depth) break;
    const list = view.edgesFrom(token);
    let last = -1;
    for (let at = 3; at < list.length; at += EDGE_STRIDE) {
      const target = list[at] as number;
      if (target === last) continue;
      last = target;
      if (target === wall || marks.stamp[target] === marks.current) continue;
      mark(marks, target, distance + 1);
      met.push(target);
    }
  }
  return met;
}

function correct(view: SnapshotView, token: number, forward: Marks, backward: Marks, maxHops: number): void {
  if (reach(forward, token) + 2 > maxHops && maxHops > 1) return;
  const list = view.edgesFrom(token);
  let nearest = reach(backward, token);
  for (let at = 3; at < list.length; at += EDGE_STRIDE) nearest = Math.min(nearest, reach(backward, list[at] as number) + 1);
  if (nearest < reach(backward, token)) mark(backward, token, nearest);
}

const FAR = 64;

function reach(marks: Marks, token: number): number {
  return marks.stamp[token] === marks.current ? (marks.distance[token] as number) : FAR;
}

function mark(marks: Marks, token: number, distance: number): void {
  marks.stamp[token] = marks.current;
  marks.distance[token] = distance;
}

function emptyMarks(): Marks {
  return { stamp: new Uint32Array(0), distance: new Uint8Array(0), current: 0 };
}

function renew(marks: Marks, tokenCount: number): void {
  if (marks.stamp.length < tokenCount || marks.current === 2 ** 32 - 1) {
    const room = Math.min(LIMITS.snapshot.tokens, Math.max(tokenCount, 2 * marks.stamp.length));
    marks.stamp = new Uint32Array(Math.max(room, tokenCount));
    marks.distance = new Uint8Array(marks.stamp.length);
    marks.current = 0;
  }
  marks.current++;
}
