import { LIMITS } from '../config/limits.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Clock } from './clock.ts';
import type { PoolBook } from './pool-book.ts';
import type { Witness } from './rpc/endpoint-board.ts';

/**
 * Whether most of a chain's endpoints are on another branch than the one that is followed: at least two, and more than are on this one, show blocks where the book has others, for a while, and go on with
 * theirs meanwhile. Who lags is on this one, and who stands still denies nothing. So a head that one of three endpoints knows alone is believed for no longer than it takes the two others to come that far
 * and a block further; one of two is not outvoted by the other, and one alone by nobody.
 */
export class HeadQuorum {
  readonly #reader: ChainReader;
  readonly #clock: Clock;
  /** Of each endpoint that shows another branch, since when, and the block that it showed when it was asked again which chain it serves; null: it was not yet. */
  readonly #denying = new Map<number, { readonly since: number; readonly askedAt: number | null }>();

  /** Endpoints that were outvoted, and have not come over since. */
  readonly #outvoted = new Set<number>();

  constructor(reader: ChainReader, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** Of the book's tip. Asked once a poll. */
  outvotes(book: PoolBook): boolean {
    const now = this.#clock.now();
    const { heads, denying } = this.#votes(book);
    for (const { endpoint, number, hash } of heads) if (book.hashAt(number) === hash) this.#outvoted.delete(endpoint);
    const known = new Set(denying.map(({ endpoint }) => endpoint));
    for (const endpoint of this.#denying.keys()) if (!known.has(endpoint)) this.#denying.delete(endpoint);
    const going = denying.filter(({ endpoint, number }) => this.#goesOn(endpoint, number, now));
    return going.length >= 2 && going.length > heads.length - denying.length;
  }

  /** Whether an endpoint that shows that block of another branch has done so for long enough, and has gone on there since it was last known to be of this chain: one that became another chain is left for it. */
  #goesOn(endpoint: number, number: number, now: number): boolean {
    const { outvotedMs } = LIMITS.indexing;
    const { since, askedAt } = this.#denying.get(endpoint) ?? { since: now, askedAt: null };
    const isAsked = askedAt === null && now - since >= outvotedMs / 2;
    if (isAsked) this.#reader.recheck(endpoint);
    this.#denying.set(endpoint, { since, askedAt: isAsked ? number : askedAt });
    return askedAt !== null && number > askedAt && now - since >= outvotedMs;
  }

  /** Whoever gave the latest head leads on with a branch that is outvoted. */
  deny(): void {
    this.#outvoted.add(this.#reader.latestFrom());
    this.#reader.disown();
  }

  /** Whether the latest head, which leads away from the tip, is of an endpoint that was outvoted before and has not come over, while two others are on the tip's branch. */
  distrusts(book: PoolBook): boolean {
    const from = this.#reader.latestFrom();
    if (!this.#outvoted.has(from)) return false;
    const { heads, denying } = this.#votes(book);
    return heads.filter((head) => head.endpoint !== from && !denying.includes(head)).length >= 2;
  }

  #votes(book: PoolBook): { readonly heads: readonly Witness[]; readonly denying: readonly Witness[] } {
    const heads = this.#reader.witnesses().filter(({ number }) => number >= book.base.number);
    // Above the tip nothing is known: they count as being on its branch.
    return { heads, denying: heads.filter(({ number, hash }) => number <= book.tip.number && book.hashAt(number) !== hash) };
  }
}
