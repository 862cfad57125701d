import { LIMITS } from '../../config/limits.ts';
import { curveStartPrice } from '../../curves/curves.ts';
import { type Curve, type PoolView, type SnapshotView, WordReader } from '../../snapshot/snapshot.ts';
import { hasEnded, type JoinedHops, momentOf, type PoolTraits, type PriceFacet, type SolverVenue, type SolverVenues } from '../../venues/venues.ts';
import { starOf } from './build-star.ts';
import type { Star } from './star.ts';

/** What the search keeps of one directed edge. Immutable, and the same object as long as the pool's state is the same. */
export type EdgeModel = {
  readonly pool: PoolView;
  readonly slotIn: number;
  readonly slotOut: number;
  readonly curve: Curve;
  /** Marginal price at no flow: above 0 and finite. */
  readonly startPrice: number;
};

/** A pool as exact mathematics sees it. */
export type ExactPool = {
  readonly state: unknown;
  readonly price: PriceFacet<unknown>;
  /** Which hops a hop by it can be joined to, and what that saves; absent: each hop is a leg of its own. */
  readonly joinedHops?: JoinedHops;
};

type Entry = {
  readonly view: PoolView;
  readonly edges: (EdgeModel | null | undefined)[];
  exact: ExactPool | null | undefined;
  star: Star | null | undefined;
  traits: PoolTraits | undefined;
};

const NO_TRAITS: PoolTraits = {};

/**
 * Models of the pools this thread has met, by pool id; an entry is valid while the snapshot hands out the same PoolView, so a changed pool replaces its
 * own entry. Bounded by the number of pool ids that a snapshot can hold.
 */
export class PoolModels {
  readonly #venues: SolverVenues;
  readonly #entries: (Entry | undefined)[] = [];
  readonly #ending = new Map<number, PoolView>();
  /** Folders of the venues whose pools have traits. */
  readonly #withTraits: ReadonlySet<string>;

  constructor(venues: SolverVenues) {
    this.#venues = venues;
    this.#withTraits = new Set([...venues].flatMap(([name, { state }]) => (state.traits === undefined ? [] : [name])));
  }

  /** The pool with an id as a search may use it: undefined where it is gone, or where its prices ended before the view's block. */
  poolAt(view: SnapshotView, poolId: number): PoolView | undefined {
    const pool = view.pool(poolId);
    const end = pool === undefined ? undefined : this.traits(pool).pricesEnd;
    return end !== undefined && hasEnded(end, momentOf(view.block)) ? undefined : pool;
  }

  /** The state in which a pool was last met. */
  known(poolId: number): PoolView | undefined {
    return this.#entries[poolId]?.view;
  }

  /** A pool is gone, or its id is another's now. */
  forget(poolId: number): void {
    this.#entries[poolId] = undefined;
    this.#ending.delete(poolId);
  }

  /** Pools met whose prices end. */
  get ending(): Iterable<PoolView> {
    return this.#ending.values();
  }

  /** What a pool says of itself beside its prices. */
  traits(pool: PoolView): PoolTraits {
    if (this.#withTraits.size === 0 || !this.#withTraits.has(pool.venue)) return NO_TRAITS;
    const entry = this.#entry(pool);
    if (entry.traits === undefined) {
      entry.traits = this.#venues.get(pool.venue)?.state.traits?.(this.exact(pool)?.state) ?? NO_TRAITS;
      if (entry.traits.pricesEnd === undefined) this.#ending.delete(pool.id);
      else this.#ending.set(pool.id, pool);
    }
    return entry.traits;
  }

  /** The model of an edge, or null where it can not carry flow. */
  edge(pool: PoolView, slotIn: number, slotOut: number): EdgeModel | null {
    const entry = this.#entry(pool);
    const index = slotIn * pool.tokens.length + slotOut;
    const known = entry.edges[index];
    if (known !== undefined) return known;
    const model = buildEdge(pool, slotIn, slotOut);
    entry.edges[index] = model;
    return model;
  }

  /** The pool as a star that serves several pairs at once; null where it is none. */
  star(pool: PoolView): Star | null {
    const entry = this.#entry(pool);
    if (entry.star === undefined) entry.star = starOf(pool, (slotIn, slotOut) => this.edge(pool, slotIn, slotOut)?.curve);
    return entry.star;
  }

  /** The exact state and mathematics of a pool, or null when no venue here prices it. */
  exact(pool: PoolView): ExactPool | null {
    const entry = this.#entry(pool);
    if (entry.exact === undefined) {
      const venue = this.#venues.get(pool.venue);
      entry.exact = venue === undefined ? null : exactPool(pool, venue);
    }
    return entry.exact;
  }

  #entry(pool: PoolView): Entry {
    const known = this.#entries[pool.id];
    if (known !== undefined && known.view === pool) return known;
    if (pool.id >= LIMITS.snapshot.pools) throw new RangeError(`pool id ${pool.id} is beyond the snapshot's bound`);
    const entry: Entry = { view: pool, edges: [], exact: undefined, star: undefined, traits: undefined };
    this.#entries[pool.id] = entry;
    return entry;
  }
}

function exactPool(pool: PoolView, { venue: { joinedHops }, state, price }: SolverVenue): ExactPool {
  return { state: state.unpack(new WordReader(pool.words)), price, ...(joinedHops === undefined ? {} : { joinedHops }) };
}

function buildEdge(pool: PoolView, slotIn: number, slotOut: number): EdgeModel | null {
  const curve = pool.curve(slotIn, slotOut);
  if (curve === undefined) return null;
  const startPrice = curveStartPrice(curve);
  if (!(startPrice > 0 && startPrice < Infinity && curve.capacity > 0)) return null;
  return { pool, slotIn, slotOut, curve, startPrice };
}
