import { LIMITS } from '../config/limits.ts';
import { type FeedReading, readFeeds, type TokenPrices } from '../market/market.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Clock } from './clock.ts';
import type { ChainHeader } from './header.ts';

type Answer = { readonly readings: readonly FeedReading[] } | { readonly fault: Error };

/**
 * Asks a chain's price feeds once a block, beside the reading of its pools, one question at a time. An answer that is late does not hold a block up: what was said before stays, grows old, and is not
 * used any more once it is too old.
 */
export class FeedWatch {
  readonly #reader: ChainReader;
  readonly #prices: TokenPrices;
  readonly #clock: Clock;
  #askedAt = '';
  #asking: Promise<void> | null = null;
  #answer: Answer | null = null;

  constructor(reader: ChainReader, prices: TokenPrices, clock: Clock) {
    this.#reader = reader;
    this.#prices = prices;
    this.#clock = clock;
  }

  ask({ hash }: ChainHeader): void {
    const { feeds } = this.#prices.sources;
    if (feeds.length === 0 || hash === this.#askedAt || this.#asking !== null) return;
    this.#askedAt = hash;
    this.#asking = this.#read(hash);
  }

  async #read(hash: `0x${string}`): Promise<void> {
    try {
      this.#answer = { readings: await readFeeds(this.#prices.sources.feeds, this.#reader.readAt(hash)) };
    } catch (fault) {
      this.#answer = { fault: errorOf(fault) };
    } finally {
      this.#asking = null;
    }
  }

  /** Waits a moment for the answer and hands it on. Returns why there is none: an RpcError where the node said so, else a bug of ours, for which no pool is at fault. */
  async takeIn(): Promise<Error | null> {
    if (this.#asking !== null) {
      const answered = new AbortController();
      await Promise.race([this.#asking, this.#clock.sleep(LIMITS.market.feedWaitMs, answered.signal)]);
      answered.abort();
    }
    const answer = this.#answer;
    this.#answer = null;
    if (answer === null) return null;
    if ('fault' in answer) return answer.fault;
    try {
      this.#prices.setReadings(answer.readings);
      return null;
    } catch (fault) {
      return errorOf(fault);
    }
  }
}

function errorOf(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault));
}
