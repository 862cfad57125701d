import { LIMITS } from '../config/limits.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Clock } from './clock.ts';
import type { PoolBook } from './pool-book.ts';

/**
 * Whether most of a chain's endpoints are on another branch than the one that is followed: at least two, and more than are on this one, show blocks where the book has others, for a while, and go on with
 * theirs meanwhile. Who lags is on this one, and who stands still denies nothing. So a head that one of three endpoints knows alone is believed for no longer than it takes the two others to come that far
 * and a block further; one of two is not outvoted by the other, and one alone by nobody.
 */
export class HeadQuorum {
  readonly #reader: ChainReader;
  readonly #clock: Clock;
  /** Of each endpoint that shows another branch, the block that it showed of it first, and when. */
  readonly #denying = new Map<number, { readonly number: number; readonly since: number }>();

  constructor(reader: ChainReader, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** Of the book's tip. Asked once a poll. */
  outvotes(book: PoolBook): boolean {
    const now = this.#clock.now();
    const heads = this.#reader.witnesses().filter(({ number }) => number >= book.base.number);
    // Above the tip nothing is known: they count as being on its branch.
    const denying = heads.filter(({ number, hash }) => number <= book.tip.number && book.hashAt(number) !== hash);
    const known = new Set(denying.map(({ endpoint }) => endpoint));
    for (const endpoint of this.#denying.keys()) if (!known.has(endpoint)) this.#denying.delete(endpoint);
    for (const { endpoint, number } of denying) if (!this.#denying.has(endpoint)) this.#denying.set(endpoint, { number, since: now });
    const going = denying.filter(({ endpoint, number }) => {
      const first = this.#denying.get(endpoint);
      return first !== undefined && number > first.number && now - first.since >= LIMITS.indexing.outvotedMs;
    });
    return going.length >= 2 && going.length > heads.length - denying.length;
  }
}
