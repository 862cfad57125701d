import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../config/limits.ts';
import { type IndexerVenue, type IndexerVenues, momentOf } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import { joinedReader } from './joined-reader.ts';
import type { PoolBook } from './pool-book.ts';
import { RpcError } from './rpc/rpc-error.ts';
import type { TrackedPool } from './tracked-pool.ts';

/** Pools whose followed state differs from what the chain says. */
export type AuditFinding = { readonly key: string; readonly venue: string };

/** Pools to audit: all that blocks changed, since a log that neither bloom nor numbering miss was emitted by one of them; and a few of the others, at random, each of them once before any is for the second time. */
export class AuditQueue {
  /** 0 … 1. */
  readonly #random: () => number;
  /** The oldest block that changed each since it was audited. */
  readonly #touched = new Map<string, number>();
  #underWay: number | null = null;
  /** How far it is through which book's pools, and those of them that are drawn from. */
  #round: { readonly book: PoolBook; readonly keys: IterableIterator<string>; readonly next: string[] } | null = null;

  constructor(random: () => number) {
    this.#random = random;
  }

  touch(key: string, block: number): void {
    if (!this.#touched.has(key)) this.#touched.set(key, block);
  }

  /** What is to be compared with the chain at the book's tip, and of that what blocks changed. */
  take(book: PoolBook): AuditPicks {
    const touched = new Map(this.#touched);
    this.#touched.clear();
    this.#underWay = touched.size === 0 ? null : Math.min(...touched.values());
    return { keys: [...new Set([...touched.keys(), ...this.#others(book)])], touched };
  }

  /** They could not be compared. */
  putBack(touched: ReadonlyMap<string, number>): void {
    for (const [key, block] of touched) this.#touched.set(key, Math.min(block, this.#touched.get(key) ?? block));
  }

  /** The oldest block of which changes wait to be compared. */
  get oldest(): number | null {
    return this.#touched.size === 0 ? null : Math.min(...this.#touched.values());
  }

  /** The same of those that were taken last. */
  get underWaySince(): number | null {
    return this.#underWay;
  }

  /** Drawn among those that come next, so that no node knows which they are; whatever there is beyond costs nothing. */
  #others(book: PoolBook): readonly string[] {
    const { perBlock, among } = LIMITS.indexing.auditOthers;
    const drawn: string[] = [];
    for (let rounds = 0; drawn.length < perBlock && rounds < 2; ) {
      if (this.#round?.book !== book) this.#round = { book, keys: book.keys(), next: [] };
      const { keys, next } = this.#round;
      for (let key = keys.next(); key.done !== true; key = keys.next()) {
        next.push(key.value);
        if (next.length >= among) break;
      }
      const [key] = next.splice(Math.floor(this.#random() * next.length), 1);
      if (key !== undefined) drawn.push(key);
      else {
        this.#round = null;
        rounds++;
      }
    }
    return drawn;
  }
}

/** What to compare: all that blocks changed, by what a trade changes where a venue can tell that apart; the others whole. */
export type AuditPicks = { readonly keys: readonly string[]; readonly touched: ReadonlyMap<string, number> };

/**
 * Compares pools with the chain at the book's tip: following logs is only right as long as a venue's logs tell everything and the node tells all of them
 * (complaint 14). All venues are asked in the same requests. Throws RpcError when the chain can not be asked.
 */
export async function auditPools(book: PoolBook, { keys, touched }: AuditPicks, venues: IndexerVenues, reader: ChainReader): Promise<readonly AuditFinding[]> {
  const picked: readonly TrackedPool[] = keys
    .map((key) => book.pool(key))
    .filter((tracked) => tracked !== undefined)
    // What drifts with time is meant to differ.
    .filter(({ stale, rereading }) => !stale && rereading.kind !== 'age');
  const at = momentOf(book.tip);
  const read = joinedReader(reader.readAt(book.tip.hash));
  const compared = [...venues].flatMap(([venue, facets]) => {
    const { track } = facets;
    const ours = picked.filter((tracked) => tracked.venue === venue);
    const glanced = track.glance === undefined ? [] : ours.filter(({ pool, state }) => touched.has(pool.key) && state !== null);
    const whole = ours.filter((tracked) => !glanced.includes(tracked));
    return [
      ...chunksOf(whole).map((some) => compare(some, facets, (pools) => track.load(pools, read, at), isDeepStrictEqual)),
      ...chunksOf(glanced).map((some) => compare(some, facets, async (pools) => (await track.glance?.(pools, read, at)) ?? [], agreesWhereRead)),
    ];
  });
  return (await Promise.all(compared)).flat();
}

async function compare(
  pools: readonly TrackedPool[],
  facets: IndexerVenue,
  load: (pools: readonly TrackedPool['pool'][]) => Promise<readonly unknown[]>,
  agree: (there: unknown, followed: unknown) => boolean,
): Promise<readonly AuditFinding[]> {
  let found: readonly unknown[];
  try {
    found = await load(pools.map(({ pool }) => pool));
  } catch (error) {
    if (error instanceof RpcError) throw error;
    // Of one a venue can not digest what the chain says: anybody may open such a pool, and the others are audited in spite of it.
    if (pools.length === 1) return pools.filter(({ state }) => state !== null).map(({ pool, venue }) => ({ key: pool.key, venue }));
    const middle = pools.length >> 1;
    const parts = [pools.slice(0, middle), pools.slice(middle)].map((some) => compare(some, facets, load, agree));
    return (await Promise.all(parts)).flat();
  }
  return pools
    .filter(({ state }, index) => {
      const there = found[index] ?? null;
      // Of a pool that nothing was put into yet logs have said nothing, and the chain says that it is empty.
      return state === null ? isRoutable(facets, there) : !agree(there, state);
    })
    .map(({ pool, venue }) => ({ key: pool.key, venue }));
}

/** Whether all that was read of a state is what is followed. */
function agreesWhereRead(there: unknown, followed: unknown): boolean {
  if (!isRecord(there) || !isRecord(followed)) return isDeepStrictEqual(there, followed);
  return Object.entries(there).every(([member, value]) => agreesWhereRead(value, followed[member]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function chunksOf(pools: readonly TrackedPool[]): readonly (readonly TrackedPool[])[] {
  const size = LIMITS.indexing.poolsPerLoad;
  return Array.from({ length: Math.ceil(pools.length / size) }, (_, at) => pools.slice(at * size, (at + 1) * size));
}

function isRoutable({ track, state: facet }: IndexerVenue, state: unknown): boolean {
  try {
    if (state === null) return false;
    track.check(state);
    return facet.curves(state).length > 0;
  } catch {
    return false;
  }
}
