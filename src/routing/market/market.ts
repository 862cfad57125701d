import { EDGE_STRIDE, type PoolView, type SnapshotView } from '../../snapshot/snapshot.ts';
import type { EdgeModel, PoolModels } from './pool-models.ts';

/** All edges of one directed token pair that can carry flow, best start price first. Tokens are snapshot ids. */
export type MarketPair = {
  readonly from: number;
  readonly to: number;
  readonly edges: readonly EdgeModel[];
  /** Natural logarithm of the first edge's start price; −Infinity without edges. */
  readonly logPrice: number;
};

/** The pairs at one token. */
export type Surroundings = { readonly leaving: readonly MarketPair[]; readonly entering: readonly MarketPair[] };

/** The edges between a token and one other, as a stretch of the token's edge list. */
type Run = { readonly other: number; readonly start: number; readonly end: number; leaving: MarketPair; entering: MarketPair };

type Entry = {
  /** What the snapshot handed out: while it hands out the same array, the list is the same. Never read, since it may be overwritten after the unpin. */
  readonly list: Uint32Array;
  readonly edges: Uint32Array;
  readonly pools: (PoolView | undefined)[];
  /** By the other token's id. */
  readonly runs: readonly Run[];
  /** By run: the other token. */
  readonly others: Int32Array;
  surroundings: Surroundings;
  /** It no longer holds. */
  stale: boolean;
};

/**
 * The tokens that this thread has met, with their pairs sorted. Where the snapshot moved on, only tokens of pools that changed are held against it, when a request comes by them, and only pairs with a
 * changed pool are sorted again. So a request pays for its neighbourhood and for what a block changed of what is known. Bounded by the tokens and edges that a snapshot can hold. Views are of one snapshot.
 */
export class Market {
  readonly models: PoolModels;
  readonly #entries: (Entry | undefined)[] = [];
  #view: SnapshotView | null = null;

  constructor(models: PoolModels) {
    this.models = models;
  }

  around(view: SnapshotView, token: number): Surroundings {
    return this.#entry(view, token).surroundings;
  }

  /** The pair between two tokens; null where no pool joins them. */
  pair(view: SnapshotView, from: number, to: number): MarketPair | null {
    const { runs, others } = this.#entry(view, from);
    let [low, high] = [0, others.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((others[middle] as number) < to) low = middle + 1;
      else high = middle;
    }
    if (others[low] !== to) return null;
    const { leaving } = runs[low] as Run;
    return leaving.edges.length === 0 ? null : leaving;
  }

  #entry(view: SnapshotView, token: number): Entry {
    if (this.#view !== view) this.#advance(view);
    const known = this.#entries[token];
    if (known !== undefined && !known.stale) return known;
    const list = view.edgesFrom(token);
    if (known?.list === list) return this.#refresh(known, view);
    const entry = this.#build(view, token, list);
    this.#entries[token] = entry;
    return entry;
  }

  /** Notes what no longer holds in a view. An older view than the last, or the first one: nothing that is known is relied on. */
  #advance(view: SnapshotView): void {
    const last = this.#view;
    this.#view = view;
    if (last === null || view.epoch <= last.epoch) {
      for (const entry of this.#entries) if (entry !== undefined) entry.stale = true;
      return;
    }
    const { pools, tokens } = view.changesSince(last.epoch);
    for (const token of tokens) this.#setStale(token);
    for (const id of pools) {
      const known = this.models.known(id);
      if (known === undefined) continue;
      for (const token of known.tokens) this.#setStale(token);
      // Gone, or another pool has its id.
      if (view.pool(id)?.key !== known.key) this.models.forget(id);
    }
    // Prices end as time passes, whatever is written.
    for (const pool of this.models.ending) for (const token of pool.tokens) this.#setStale(token);
  }

  #setStale(token: number): void {
    const entry = this.#entries[token];
    if (entry !== undefined) entry.stale = true;
  }

  #build(view: SnapshotView, token: number, list: Uint32Array): Entry {
    const edges = list.slice();
    const pools: (PoolView | undefined)[] = [];
    for (let at = 0; at < edges.length; at += EDGE_STRIDE) pools.push(this.models.poolAt(view, edges[at] as number));
    const runs: Run[] = [];
    for (let at = 0; at < edges.length; ) {
      const other = edges[at + 3] as number;
      const start = at;
      while (at < edges.length && edges[at + 3] === other) at += EDGE_STRIDE;
      const run = { other, start, end: at, leaving: pairOf(token, other, []), entering: pairOf(other, token, []) };
      this.#sort(run, edges, pools);
      runs.push(run);
    }
    const others = Int32Array.from(runs, ({ other }) => other);
    return { list, edges, pools, runs, others, surroundings: surroundingsOf(runs), stale: false };
  }

  #refresh(entry: Entry, view: SnapshotView): Entry {
    const { edges, pools, runs } = entry;
    let changed = false;
    for (const run of runs) {
      let stale = false;
      for (let at = run.start; at < run.end; at += EDGE_STRIDE) {
        const pool = this.models.poolAt(view, edges[at] as number);
        if (pool === pools[at / EDGE_STRIDE]) continue;
        pools[at / EDGE_STRIDE] = pool;
        stale = true;
      }
      if (!stale) continue;
      this.#sort(run, edges, pools);
      changed = true;
    }
    if (changed) entry.surroundings = surroundingsOf(runs);
    entry.stale = false;
    return entry;
  }

  #sort(run: Run, edges: Uint32Array, pools: readonly (PoolView | undefined)[]): void {
    const leaving: EdgeModel[] = [];
    const entering: EdgeModel[] = [];
    for (let at = run.start; at < run.end; at += EDGE_STRIDE) {
      const pool = pools[at / EDGE_STRIDE];
      if (pool === undefined) continue;
      const [slotHere, slotThere] = [edges[at + 1] as number, edges[at + 2] as number];
      const out = this.models.edge(pool, slotHere, slotThere);
      const back = this.models.edge(pool, slotThere, slotHere);
      if (out !== null) leaving.push(out);
      if (back !== null) entering.push(back);
    }
    run.leaving = pairOf(run.leaving.from, run.leaving.to, leaving.sort(byPrice));
    run.entering = pairOf(run.entering.from, run.entering.to, entering.sort(byPrice));
  }
}

function pairOf(from: number, to: number, edges: readonly EdgeModel[]): MarketPair {
  return { from, to, edges, logPrice: Math.log(edges[0]?.startPrice ?? 0) };
}

function surroundingsOf(runs: readonly Run[]): Surroundings {
  const carries = (pair: MarketPair) => pair.edges.length > 0;
  return { leaving: runs.map((run) => run.leaving).filter(carries), entering: runs.map((run) => run.entering).filter(carries) };
}

/** Better start price first; equal prices by pool key, so that ids do not matter. */
function byPrice(a: EdgeModel, b: EdgeModel): number {
  if (a.startPrice !== b.startPrice) return b.startPrice - a.startPrice;
  return a.pool.key < b.pool.key ? -1 : a.pool.key > b.pool.key ? 1 : 0;
}
