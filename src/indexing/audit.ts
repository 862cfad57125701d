import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../config/limits.ts';
import { type IndexerVenue, type IndexerVenues, momentOf } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import type { PoolBook } from './pool-book.ts';
import type { TrackedPool } from './tracked-pool.ts';

/** Pools whose followed state differs from what the chain says. */
export type AuditFinding = { readonly key: string; readonly venue: string };

/** Pools to audit: all that blocks changed, since a log that neither bloom nor numbering miss was emitted by one of them; and a few of the others, in turn. */
export class AuditQueue {
  /** The oldest block that changed each since it was audited. */
  readonly #touched = new Map<string, number>();
  #underWay: number | null = null;
  #turn: IterableIterator<string> | null = null;

  touch(key: string, block: number): void {
    if (!this.#touched.has(key)) this.#touched.set(key, block);
  }

  /** What is to be compared with the chain at the book's tip, and of that what blocks changed. */
  take(book: PoolBook): { readonly keys: readonly string[]; readonly touched: ReadonlyMap<string, number> } {
    const touched = new Map(this.#touched);
    this.#touched.clear();
    this.#underWay = touched.size === 0 ? null : Math.min(...touched.values());
    return { keys: [...new Set([...touched.keys(), ...this.#next(book, LIMITS.indexing.auditPoolsInTurn)])], touched };
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

  /** Goes on where it was: the others cost nothing. */
  #next(book: PoolBook, count: number): readonly string[] {
    const keys: string[] = [];
    for (let passes = 0; keys.length < count && passes < 2; ) {
      this.#turn ??= book.keys();
      const { done, value } = this.#turn.next();
      if (done !== true) keys.push(value);
      else {
        this.#turn = null;
        passes++;
      }
    }
    return keys;
  }
}

/**
 * Compares pools with the chain at the book's tip: following logs is only right as long as a venue's logs tell everything and the node tells all of them
 * (complaint 14). Throws RpcError when the chain can not be asked.
 */
export async function auditPools(book: PoolBook, keys: readonly string[], venues: IndexerVenues, reader: ChainReader): Promise<readonly AuditFinding[]> {
  const picked: readonly TrackedPool[] = keys
    .map((key) => book.pool(key))
    .filter((tracked) => tracked !== undefined)
    // What drifts with time is meant to differ.
    .filter(({ stale, rereading }) => !stale && rereading.kind !== 'age');
  const read = reader.readAt(book.tip.hash);
  const at = momentOf(book.tip);
  const findings: AuditFinding[] = [];
  for (const [venue, facets] of venues) {
    const { track } = facets;
    const ours = picked.filter((tracked) => tracked.venue === venue);
    if (ours.length === 0) continue;
    const states = await track.load(
      ours.map(({ pool }) => pool),
      read,
      at,
    );
    for (const [index, tracked] of ours.entries()) {
      const state = states[index] ?? null;
      // Of a pool that nothing was put into yet logs have said nothing, and the chain says that it is empty.
      const agree = tracked.state === null ? !isRoutable(facets, state) : isDeepStrictEqual(state, tracked.state);
      if (!agree) findings.push({ key: tracked.pool.key, venue });
    }
  }
  return findings;
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
