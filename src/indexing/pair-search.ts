import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { ChainIdentity, ChainLog, IndexerVenues, TokenPair, VenueDeployment } from '../venues/venues.ts';
import { foundBy } from './announced.ts';
import type { ChainReader } from './chain-reader.ts';
import { Discovery, type DiscoveryFilter } from './discovery.ts';
import type { ChainHeader } from './header.ts';
import { RpcError } from './rpc/rpc-error.ts';
import type { TrackedPool } from './tracked-pool.ts';

export type PairSearchParts = {
  /** Of whose pairs pools are looked for. */
  readonly tokens: readonly Address[];
  readonly venues: IndexerVenues;
  readonly deployments: readonly VenueDeployment[];
  readonly chain: ChainIdentity;
  readonly onProgress: (done: number, total: number) => void;
};

/**
 * Pools of the pairs of a list of tokens, found by asking the factories for each: for chains whose logs can not be had by ranges. What was found is kept over failures. Pools that came while it searched are told by the logs of those
 * blocks, one by one, so that none is missed between the block of the first answer and the one that it leads to.
 */
export class PairSearch {
  readonly #parts: PairSearchParts;
  readonly #filter: DiscoveryFilter;
  readonly #found = new Map<string, TrackedPool>();
  readonly #pairs: readonly TokenPair[];
  /** Deployments that can be asked. */
  readonly #asked: readonly VenueDeployment[];
  #done = 0;
  /** The block of the first answers, and the search through the logs since. */
  #begun: { readonly block: ChainHeader; readonly since: Discovery } | null = null;

  constructor(parts: PairSearchParts, filter: DiscoveryFilter) {
    this.#parts = parts;
    this.#filter = filter;
    this.#pairs = pairsOf(parts.tokens);
    this.#asked = parts.deployments.filter(({ venue }) => parts.venues.get(venue)?.track.findPools !== undefined);
  }

  /** Labels of the deployments whose pools it does not find: their contracts can not be asked, and list nothing. */
  get unasked(): readonly string[] {
    const { deployments, venues } = this.#parts;
    const silent = deployments.filter(({ venue }) => {
      const track = venues.get(venue)?.track;
      return track !== undefined && track.findPools === undefined && track.listed === undefined;
    });
    return [...new Set(silent.map(({ family }) => family))];
  }

  /** All pools up to a block that pairs lead to, and what the logs announced meanwhile. Throws RpcError; then ask again. */
  async upTo(reader: ChainReader, base: ChainHeader): Promise<{ readonly pools: readonly TrackedPool[]; readonly logs: readonly ChainLog[] }> {
    await this.#checkBegin(reader, base);
    const { pairsPerRead, loadsAtOnce } = LIMITS.indexing;
    const parts = Math.ceil(this.#pairs.length / pairsPerRead);
    const total = parts * this.#asked.length;
    while (this.#done < total) {
      const wave = Array.from({ length: Math.min(loadsAtOnce, total - this.#done) }, (_, at) => this.#done + at);
      const found = await Promise.all(
        wave.map((at) => this.#ask(reader, base, this.#asked[Math.floor(at / parts)] as VenueDeployment, (at % parts) * pairsPerRead)),
      );
      for (const tracked of found.flat()) this.#found.set(tracked.pool.key, tracked);
      this.#done += wave.length;
      this.#parts.onProgress(this.#done, total);
    }
    const logs = (await this.#begun?.since.upTo(reader, base)) ?? [];
    return { pools: [...this.#found.values()], logs };
  }

  /** What the factories said at a block that has left the chain may lack pools that are in it: then all are asked again. */
  async #checkBegin(reader: ChainReader, base: ChainHeader): Promise<void> {
    if (this.#begun !== null) {
      const { number, hash } = this.#begun.block;
      if (number <= base.number && (await reader.headerAt(number))?.hash === hash) return;
    }
    this.#done = 0;
    this.#begun = { block: base, since: new Discovery({ ...this.#filter, fromBlock: base.number + 1, widest: 1 }) };
  }

  async #ask(reader: ChainReader, base: ChainHeader, deployment: VenueDeployment, from: number): Promise<readonly TrackedPool[]> {
    const track = this.#parts.venues.get(deployment.venue)?.track;
    const pairs = this.#pairs.slice(from, from + LIMITS.indexing.pairsPerRead);
    try {
      const pools = (await track?.findPools?.(deployment, pairs, reader.readAt(base.hash), this.#parts.chain)) ?? [];
      return pools.flatMap((pool) => {
        const found = track === undefined ? null : foundBy(deployment, track, pool);
        return found?.kind === 'pool' ? [found.tracked] : [];
      });
    } catch (error) {
      if (error instanceof RpcError) throw error;
      throw new RpcError('garbage', `${deployment.family} ${deployment.factory}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** All pairs, each sorted as contracts sort them. */
function pairsOf(tokens: readonly Address[]): readonly TokenPair[] {
  const sorted = [...new Set(tokens)].sort();
  return sorted.flatMap((one, at) => sorted.slice(at + 1).map((other) => [one, other] as const));
}
