import { LIMITS } from '../config/limits.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Clock } from './clock.ts';
import type { ChainHeader } from './header.ts';
import type { PoolBook } from './pool-book.ts';

type Kind = 'retreat' | 'lost';
export type LostVerdict = 'not-yet' | 'far-ahead' | 'orphaned';

/**
 * When to believe a head that leads nowhere from what is known. Backends behind one address lag, an endpoint may serve another chain, and both look for a while as a chain
 * does that was set back, or replaced deeper than can be rolled back to. Only what lasts is believed, and only of who serves this chain.
 */
export class HeadDoubt {
  readonly #reader: ChainReader;
  readonly #clock: Clock;
  #doubt: { readonly kind: Kind; readonly since: number; last: number; polls: number } | null = null;
  #wentOnAt: number;
  /** Number of the highest head that was shown to lead on from the tip, whether or not all up to it could be read. */
  #leadsTo = 0;

  constructor(reader: ChainReader, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
    this.#wentOnAt = clock.now();
  }

  /** The tip was shown again. Whoever has stood still on it for long says nothing against a chain that was replaced. */
  tipShown(): void {
    const standsStill = this.#clock.now() - this.#wentOnAt > LIMITS.indexing.retreatMs;
    if (!standsStill || this.#doubt?.kind === 'retreat') this.#doubt = null;
  }

  /** A head was shown that leads on from a known block. */
  clear(): void {
    this.#doubt = null;
    this.#wentOnAt = this.#clock.now();
  }

  /** The chain was read anew, up to a head. */
  readAnew({ number }: ChainHeader): void {
    this.clear();
    this.#leadsTo = number;
  }

  /** What a head leads on with was taken in, as far as it could be read; `undone`: after something was taken back for it. */
  advanced({ number }: ChainHeader, undone: boolean): void {
    this.#leadsTo = undone ? number : Math.max(this.#leadsTo, number);
  }

  /** Whether a head is lower than what the chain is known to have come to: than the tip, and one for which something would be taken back than every block that leads on from it, read or not. */
  isLower(head: ChainHeader, tip: ChainHeader, undoes: boolean): boolean {
    return head.number < (undoes ? Math.max(tip.number, this.#leadsTo) : tip.number);
  }

  /** A lower block is shown as the head: whether the chain was set back. */
  believesRetreat(): boolean {
    const { retreatMs, retreatPolls } = LIMITS.indexing;
    return this.#lasts('retreat', retreatMs, retreatPolls);
  }

  /**
   * A head was shown that no known block leads to. 'far-ahead': it is of the tip's chain. 'orphaned': the tip's chain is gone. Whoever shows it is left meanwhile, where
   * there is another, and is asked again which chain it serves. Throws RpcError.
   */
  async judgeLost(book: PoolBook, head: ChainHeader): Promise<LostVerdict> {
    if (head.number > book.tip.number && (await this.#reader.headerAt(book.tip.number))?.hash === book.tip.hash) {
      // A number alone is soon said: the head's parent has to be where it should.
      if ((await this.#reader.headerAt(head.number - 1))?.hash === head.parentHash) return 'far-ahead';
      this.#reader.disown();
      return 'not-yet';
    }
    // Below all that is known nothing can be compared: a backend that lags far, or a chain that was set back as far.
    if (head.number < book.base.number) {
      if (this.believesRetreat()) return 'orphaned';
      this.#reader.recheck();
      return 'not-yet';
    }
    const { lostMs, lostPolls } = LIMITS.indexing;
    if (this.#lasts('lost', lostMs, lostPolls)) {
      // Others showed heads that led nowhere before, and whoever shows this one may be of another chain since it said which it serves: it says so once more.
      this.#reader.recheck();
      return (await this.#reader.headerAt(head.number))?.hash === head.hash ? 'orphaned' : 'not-yet';
    }
    this.#reader.disown();
    return 'not-yet';
  }

  #lasts(kind: Kind, ms: number, polls: number): boolean {
    const now = this.#clock.now();
    // Whoever showed it has not done so for longer than an endpoint is left: that is another time.
    if (this.#doubt?.kind !== kind || now - this.#doubt.last > LIMITS.indexing.doubtKeptMs) this.#doubt = { kind, since: now, last: now, polls: 0 };
    this.#doubt.polls += 1;
    this.#doubt.last = now;
    return this.#doubt.polls >= polls && now - this.#doubt.since >= ms;
  }
}
