import { expect } from 'chai';
import { NO_PRICE_SOURCES } from '../../src/chains/chains.ts';
import { LIMITS } from '../../src/config/limits.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { createPublisher } from '../../src/indexing/publisher.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import { createTokenPrices } from '../../src/market/market.ts';
import { allocateSnapshot, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { type IndexerVenues, loadIndexerVenues } from '../../src/venues/venues.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

const CHANGED = 300;
const BLOCKS = 60;

function header(number: number) {
  return { number, hash: idOf(number + 1), parentHash: idOf(number), timestamp: number as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' as const };
}

function pair(id: number, more: bigint): TrackedPool {
  const address = addressOf(id + 1_000_000);
  const tokens = [addressOf(1 + (id % 5000)), addressOf(6000 + (id % 7))];
  const pool = { key: address, address, hook: null, protocol: 'uniswap_v2', source: 'uniswap_v2', tokens, traits: {} };
  const state = { reserve0: 10n ** 20n + more, reserve1: 10n ** 21n, feePpm: 3000 };
  return { pool, venue: 'uniswap_v2', factory: addressOf(900), state, stale: false, rereading: { kind: 'logs' }, read: null };
}

/** The least time that staging and publishing a block's changes took, ms: what else the machine did only adds to it. */
function leastCost(venues: IndexerVenues, count: number): number {
  const writer = new SnapshotWriter(allocateSnapshot({ ...LIMITS.snapshot, readers: 4 }));
  const publisher = createPublisher(writer, venues, createTokenPrices(NO_PRICE_SOURCES));
  const book = new PoolBook(header(0), 64);
  const commit = (block: number, pools: readonly TrackedPool[]) => book.commit(header(block), new Map(pools.map((tracked) => [tracked.pool.key, tracked])));
  commit(
    1,
    Array.from({ length: count }, (_, id) => pair(id, 0n)),
  );
  book.settle(
    new Map(),
    book.wantedTokens().map((address) => ({ address, decimals: 18, usd: null })),
  );
  publisher.stage(book, book.keys());
  publisher.publish(header(1));
  expect(writer.stats().pools).to.equal(count);
  let least = Number.POSITIVE_INFINITY;
  for (let block = 2; block < 2 + BLOCKS; block++) {
    const changed = Array.from({ length: CHANGED }, (_, at) => pair((block * 977 + at * 31) % count, BigInt(block)));
    commit(block, changed);
    const began = performance.now();
    publisher.stage(
      book,
      changed.map(({ pool }) => pool.key),
    );
    publisher.publish(header(block));
    publisher.labels();
    publisher.poolsByVenue();
    book.countByVenue();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

describe('what it costs to publish a block', () => {
  it(`of ${CHANGED} changed pools goes by those, not by how many there are: of ten times as many it is not ten times as much`, async function test() {
    this.timeout(300_000);
    const venues = await loadIndexerVenues();
    const few = leastCost(venues, 10_000);
    const many = leastCost(venues, 100_000);
    process.stdout.write(
      `      ${few.toFixed(2)} ms of 10,000 pools, ${many.toFixed(2)} ms of 100,000: ${(many / few).toFixed(2)} times (wanted: 1.5, beside the copy of the directory)\n`,
    );
    // Coarse, for machines that others use too.
    expect(many / few).to.be.at.most(6);
  });
});
