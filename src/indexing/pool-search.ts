import type { ChainLog } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import { Discovery, type DiscoveryFilter } from './discovery.ts';
import type { ChainHeader } from './header.ts';
import { PairSearch, type PairSearchParts } from './pair-search.ts';
import type { TrackedPool } from './tracked-pool.ts';

/** How the pools of a chain are found at a cold start. */
export type PoolSearchParts = Omit<PairSearchParts, 'onProgress'> & {
  /** More ranges of logs than these are not asked for, where a node gives narrow ones only. */
  readonly mostRanges: number;
  readonly onProgress: (phase: 'logs' | 'pairs', done: number, total: number) => void;
  /** Logs can not be had by ranges: pairs of listed tokens are asked for instead. `unasked`: labels whose pools are not found that way. */
  readonly onRangesRefused: (unasked: readonly string[]) => void;
};

export type FoundPools = { readonly logs: readonly ChainLog[]; readonly pools: readonly TrackedPool[] };

/** Finds the pools of a chain: by the logs of their factories, or, where the node gives no ranges of logs that are worth asking for, by pairs of listed tokens. Keeps what it found over failures. */
export class PoolSearch {
  readonly #parts: PoolSearchParts;
  readonly #filter: DiscoveryFilter;
  readonly #ranges: Discovery;
  #pairs: PairSearch | null = null;

  constructor(parts: PoolSearchParts, filter: Omit<DiscoveryFilter, 'mostRanges' | 'onProgress'>) {
    const { mostRanges, onProgress } = parts;
    this.#parts = parts;
    this.#filter = filter;
    this.#ranges = new Discovery({ ...filter, mostRanges, onProgress: (done, total) => onProgress('logs', done, total) });
  }

  /** What there is up to a block. Throws RpcError; then ask again. */
  async upTo(reader: ChainReader, base: ChainHeader): Promise<FoundPools> {
    if (this.#pairs === null) {
      try {
        return { logs: await this.#ranges.upTo(reader, base), pools: [] };
      } catch (error) {
        // Without tokens there is nothing else to go by.
        if (!this.#ranges.isHopeless || this.#parts.tokens.length < 2) throw error;
      }
      this.#pairs = new PairSearch({ ...this.#parts, onProgress: (done, total) => this.#parts.onProgress('pairs', done, total) }, this.#filter);
      this.#parts.onRangesRefused(this.#pairs.unasked);
    }
    return await this.#pairs.upTo(reader, base);
  }
}
