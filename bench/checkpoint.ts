// Keeping what an indexer knows, and starting from it: node --import ./scripts/typescript.mjs bench/checkpoint.ts [--json]

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_PRICE_SOURCES } from '../src/chains/chains.ts';
import { LIMITS } from '../src/config/limits.ts';
import type { ChainReader } from '../src/indexing/chain-reader.ts';
import { Checkpoints } from '../src/indexing/checkpoint/checkpoints.ts';
import { SYSTEM_CLOCK } from '../src/indexing/clock.ts';
import { Follower } from '../src/indexing/follower.ts';
import type { ChainHeader } from '../src/indexing/header.ts';
import { PoolBook } from '../src/indexing/pool-book.ts';
import { createPublisher } from '../src/indexing/publisher.ts';
import { createBlockInterpreter } from '../src/indexing/read-block.ts';
import type { IndexerReport } from '../src/indexing/report.ts';
import { createTokenPrices } from '../src/market/market.ts';
import { allocateSnapshot, SnapshotWriter } from '../src/snapshot/snapshot.ts';
import { type IndexerVenues, loadIndexerVenues } from '../src/venues/venues.ts';
import { GAP_BLOCKS, gapBlock, hashOf, sampleAddress, samplePools } from './checkpoint/sample-chain.ts';
import { openReport } from './history/history.ts';

type Figures = {
  readonly pools: number;
  readonly megabytes: number;
  /** Milliseconds: of the whole writing, beside other work; the longest in which the thread did nothing else; the list of what is to be written. */
  readonly writeMs: number;
  readonly longestPartMs: number;
  readonly listMs: number;
  /** From nothing to a published head: the file read, checked and decoded, a gap of blocks filled in, all curves built, published. The node answers at once. */
  readonly startMs: number;
  /** The same in processor time: what of it was waiting for a processor, on a machine that does other things. */
  readonly startCpuMs: number;
  readonly gapBlocks: number;
  readonly gapLogs: number;
};

const IDENTITY = { chainId: 1, configuration: 'bench', firstBlocks: [0], code: 'bench' };
const report = openReport('checkpoint');
const folder = mkdtempSync(path.join(tmpdir(), 'braid-bench-'));
try {
  const venues = await loadIndexerVenues();
  const figures: Figures[] = [];
  for (const pools of [10_000, 100_000]) figures.push(await measure(venues, pools));
  report(figures, () => {
    for (const { pools, megabytes, writeMs, longestPartMs, listMs, startMs, startCpuMs, gapBlocks, gapLogs } of figures) {
      process.stdout.write(
        `${pools} pools: ${megabytes.toFixed(1)} MB, written in ${writeMs.toFixed(0)} ms, of which the thread did nothing else for ${longestPartMs.toFixed(1)} ms at most (listed in ${listMs.toFixed(1)}); ` +
          `from nothing to a published head ${startMs.toFixed(0)} ms (${startCpuMs.toFixed(0)} of processor time), ${gapBlocks} blocks with ${gapLogs} logs filled in\n`,
      );
    }
  });
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(venues: IndexerVenues, pools: number): Promise<Figures> {
  const file = path.join(folder, `${pools}.checkpoint`);
  const reports: IndexerReport[] = [];
  const open = () =>
    new Checkpoints({ file, identity: IDENTITY, report: (said) => reports.push(said), clock: SYSTEM_CLOCK, verdicts: () => [], onVerdicts: () => undefined });
  const book = new PoolBook(gapBlock(0).header, LIMITS.indexing.journalBlocks);
  const tracked = samplePools(pools);
  book.settle(new Map(tracked.map((one) => [one.pool.key, one])), []);
  book.settle(
    new Map(),
    book.wantedTokens().map((address) => ({ address, decimals: 18, usd: null })),
  );
  const listing = performance.now();
  book.stateBelow(LIMITS.indexing.checkpoint.depthBlocks);
  const listMs = performance.now() - listing;
  const keeping = open();
  keeping.published(book);
  await keeping.idle();
  const written = reports.find((said) => said.kind === 'checkpoint-written');
  if (written === undefined) throw new Error(JSON.stringify(reports));
  await nextTurn();
  const started = performance.now();
  const cpu = process.cpuUsage();
  const published = await start(venues, open(), pools);
  const startMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  if (published.block.number !== GAP_BLOCKS || Object.values(published.pools).reduce((sum, count) => sum + count, 0) !== pools) {
    throw new Error(`published ${JSON.stringify(published.pools)} at block ${published.block.number}`);
  }
  const logs = Array.from({ length: GAP_BLOCKS }, (_, at) => gapBlock(at + 1).logs.length).reduce((sum, count) => sum + count, 0);
  const { millis: writeMs, longestPartMs } = written;
  return {
    pools,
    megabytes: statSync(file).size / 1e6,
    writeMs,
    longestPartMs,
    listMs,
    startMs,
    startCpuMs: (user + system) / 1000,
    gapBlocks: GAP_BLOCKS,
    gapLogs: logs,
  };
}

/** A follower that knows nothing but the file and asks a node that has the blocks since. */
async function start(venues: IndexerVenues, checkpoints: Checkpoints, pools: number): Promise<Extract<IndexerReport, { kind: 'published' }>> {
  const writer = new SnapshotWriter(allocateSnapshot({ ...LIMITS.snapshot, readers: 4 }));
  const prices = createTokenPrices(NO_PRICE_SOURCES);
  const deployments = [
    { venue: 'uniswap_v2', family: 'uniswap_v2', factory: sampleAddress(1), fromBlock: 0 },
    { venue: 'uniswap_v3', family: 'uniswap_v3', factory: sampleAddress(2), fromBlock: 0 },
  ];
  const wrappedNative = sampleAddress(3);
  const reports: IndexerReport[] = [];
  const follower = new Follower({
    chainId: 1,
    reader: nodeOf(),
    interpreter: createBlockInterpreter(venues, deployments, { chainId: 1, wrappedNative }),
    venues,
    deployments,
    startDepthBlocks: 8,
    prices,
    publisher: createPublisher(writer, venues, prices),
    snapshotStats: () => writer.stats(),
    wrappedNative,
    report: (said) => reports.push(said),
    random: Math.random,
    checkpoints,
  });
  await follower.step();
  const published = reports.find((said) => said.kind === 'published');
  if (published === undefined) throw new Error(`nothing is published of ${pools} pools: ${JSON.stringify(reports)}`);
  await follower.settled().catch(() => undefined);
  return published;
}

function nodeOf(): ChainReader {
  const header = (hash: string): ChainHeader | null => {
    const at = Array.from({ length: GAP_BLOCKS + 1 }, (_, number) => hashOf(number)).indexOf(hash as `0x${string}`);
    return at < 0 ? null : gapBlock(at).header;
  };
  return {
    latest: async () => gapBlock(GAP_BLOCKS).header,
    latestToTake: async () => ({ head: gapBlock(GAP_BLOCKS).header, take: () => undefined }),
    logsSince: async () => () => null,
    header: async (hash) => header(hash),
    headerAt: async (number) => gapBlock(number).header,
    logs: async ({ number }) => gapBlock(number).logs,
    logsInRange: async () => {
      throw new Error('the factories are not read');
    },
    // The audit asks, after all is published.
    readAt: () => async (calls) => calls.map(() => null),
    anchorAt: () => undefined,
    recheck: () => undefined,
    disown: () => undefined,
    latestFrom: () => 0,
    witnesses: () => [],
  };
}
