import { expect } from 'chai';
import type { PriceSources } from '../../../src/chains/chains.ts';
import { LIMITS } from '../../../src/config/limits.ts';
import type { Devnet } from '../../../src/devnet/devnet.ts';
import { type Clock, SYSTEM_CLOCK } from '../../../src/indexing/clock.ts';
import type { Follower } from '../../../src/indexing/follower.ts';
import type { IndexerReport, IndexerThreadData } from '../../../src/indexing/indexing.ts';
import { createPinnedReader } from '../../../src/indexing/multicall.ts';
import { openFollower } from '../../../src/indexing/open-follower.ts';
import {
  allocateSnapshot,
  canonicalHash,
  releaseReaderRows,
  type SnapshotBuffers,
  SnapshotReader,
  type SnapshotView,
  SnapshotWriter,
} from '../../../src/snapshot/snapshot.ts';
import type { Address, DurationMs } from '../../../src/units/units.ts';
import { type IndexerVenues, loadIndexerVenues, type PinnedReader, type VenueDeployment } from '../../../src/venues/venues.ts';

export function newBuffers(): SnapshotBuffers {
  return allocateSnapshot({ arenaBytes: 2 ** 26, pools: 4096, tokens: 1024, readers: 4, slots: 64 });
}

export function threadData(devnet: Devnet, buffers: SnapshotBuffers, rpcUrls: readonly string[] = [devnet.rpcUrl]): IndexerThreadData {
  const { chainId, deployments, wrappedNative } = devnet;
  return { chainId, rpcUrls, deployments, buffers, wrappedNative, pollMs: 20 as DurationMs };
}

/** An indexer in this thread, one step at a time, and what it published. */
export type Indexed = {
  readonly follower: Follower;
  readonly reports: IndexerReport[];
  /** Steps until the published head is this block; fails after `patience` steps. Failed steps count. */
  reach(hash: string, patience?: number): Promise<void>;
  /** Looks at the published epoch; the view is good inside the call only. */
  look<Seen>(see: (view: SnapshotView) => Seen): Seen;
  hash(): string;
  /** Asks the contracts themselves, at a block. */
  readAt(hash: `0x${string}`): PinnedReader;
  /** Resolves when no checkpoint is being written. */
  kept(): Promise<void>;
  close(): Promise<void>;
};

export type IndexedOptions = {
  readonly rpcUrls?: readonly string[];
  readonly startDepthBlocks?: number;
  readonly deployments?: readonly VenueDeployment[];
  /** In the place of the project's. */
  readonly venues?: IndexerVenues;
  /** What USD prices start from; absent: nothing. */
  readonly prices?: PriceSources;
  /** Those of an indexer before, which this one takes over; absent: fresh ones. */
  readonly buffers?: SnapshotBuffers;
  readonly checkpointFile?: string;
  readonly wellKnownTokens?: readonly Address[];
  /** Listed ones, of whose pairs pools are looked for. */
  readonly tokens?: readonly Address[];
  readonly mostLogRanges?: number;
};

export async function openIndexed(devnet: Devnet, options: IndexedOptions = {}): Promise<Indexed> {
  const buffers = options.buffers ?? newBuffers();
  const reports: IndexerReport[] = [];
  // What is believed only when it lasts has lasted by the next step.
  let passed = 0;
  const clock: Clock = { ...SYSTEM_CLOCK, now: () => performance.now() + passed };
  const data = threadData(devnet, buffers, options.rpcUrls);
  const { checkpointFile, wellKnownTokens, tokens, mostLogRanges } = options;
  const { follower, rpc, checkpoints } = openFollower(
    {
      ...data,
      deployments: options.deployments ?? data.deployments,
      ...(options.prices === undefined ? {} : { prices: options.prices }),
      ...(checkpointFile === undefined ? {} : { checkpointFile }),
      ...(wellKnownTokens === undefined ? {} : { wellKnownTokens }),
      ...(tokens === undefined ? {} : { tokens }),
    },
    {
      venues: options.venues ?? (await loadIndexerVenues()),
      writer: new SnapshotWriter(buffers),
      report: (report) => reports.push(report),
      onHead: () => undefined,
      startDepthBlocks: options.startDepthBlocks ?? 8,
      clock,
      ...(mostLogRanges === undefined ? {} : { mostLogRanges }),
    },
  );
  // A reader before it may still hold its row.
  releaseReaderRows(buffers, 1);
  const reader = SnapshotReader.claim(buffers, 1);
  const look = <Seen>(see: (view: SnapshotView) => Seen): Seen => {
    const view = reader.pin();
    if (view === null) throw new Error('nothing is published');
    try {
      return see(view);
    } finally {
      reader.unpin();
    }
  };
  return {
    follower,
    reports,
    look,
    hash: () => look(canonicalHash),
    readAt: (hash) => createPinnedReader(rpc, hash),
    async reach(hash, patience = 5) {
      let last: unknown;
      for (let step = 0; step < patience; step++) {
        await follower.step().catch((error: unknown) => {
          last = error;
        });
        const published = reports.findLast((report) => report.kind === 'published');
        if (published?.block.hash === hash) return;
        passed += LIMITS.indexing.retreatMs;
      }
      throw new Error(`block ${hash} was not reached`, { cause: last });
    },
    kept: async () => await checkpoints?.idle(),
    async close() {
      rpc.close();
      await checkpoints?.close();
      await follower.settled();
    },
  };
}

/** The canonical hash of a snapshot read whole from the chain at its head: no log of any pool was applied to it. */
export async function rebuiltHash(devnet: Devnet, hash: string): Promise<string> {
  const rebuilt = await openIndexed(devnet, { startDepthBlocks: 0 });
  try {
    await rebuilt.reach(hash);
    expect(rebuilt.reports.filter((report) => report.kind === 'logs')).to.have.length(0);
    return rebuilt.hash();
  } finally {
    await rebuilt.close();
  }
}

export function countOf(reports: readonly IndexerReport[], kind: IndexerReport['kind']): number {
  return reports.filter((report) => report.kind === kind).length;
}
