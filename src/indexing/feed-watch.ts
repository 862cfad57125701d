import { LIMITS } from '../config/limits.ts';
import { type FeedReading, readFeeds, type TokenPrices } from '../market/market.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Clock } from './clock.ts';
import type { ChainHeader } from './header.ts';
import { RpcError } from './rpc/rpc-error.ts';

type Answer = { readonly readings: readonly FeedReading[] } | { readonly fault: unknown };

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
      this.#answer = { fault };
    } finally {
      this.#asking = null;
    }
  }

  /** Waits a moment for the answer and hands it on. Returns why there is none, where the node said so. Throws what is a bug of ours. */
  async takeIn(): Promise<RpcError | null> {
    if (this.#asking !== null) {
      const answered = new AbortController();
      await Promise.race([this.#asking, this.#clock.sleep(LIMITS.market.feedWaitMs, answered.signal)]);
      answered.abort();
    }
    const answer = this.#answer;
    this.#answer = null;
    if (answer === null) return null;
    if ('readings' in answer) {
      this.#prices.setReadings(answer.readings);
      return null;
    }
    if (answer.fault instanceof RpcError) return answer.fault;
    throw answer.fault;
  }
}
