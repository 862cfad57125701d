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
  #doubt: { readonly kind: Kind; readonly since: number; polls: number } | null = null;

  constructor(reader: ChainReader, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  /** The tip was shown, or a head that leads on from a known block. */
  clear(): void {
    this.#doubt = null;
  }

  /** A block lower than the tip is shown as the head: whether the chain was set back. */
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
    if (this.#lasts('lost', lostMs, lostPolls)) return 'orphaned';
    this.#reader.disown();
    return 'not-yet';
  }

  #lasts(kind: Kind, ms: number, polls: number): boolean {
    if (this.#doubt?.kind !== kind) this.#doubt = { kind, since: this.#clock.now(), polls: 0 };
    this.#doubt.polls += 1;
    return this.#doubt.polls >= polls && this.#clock.now() - this.#doubt.since >= ms;
  }
}
