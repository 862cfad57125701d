import { expect } from 'chai';
import { NO_PRICE_SOURCES } from '../../src/chains/chains.ts';
import { LIMITS } from '../../src/config/limits.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { createPublisher } from '../../src/indexing/publisher.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import { createTokenPrices } from '../../src/market/market.ts';
import { allocateSnapshot, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import { loadIndexerVenues } from '../../src/venues/venues.ts';
import { residentAtRest } from '../support/resident-at-rest.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

const POOLS = 100_000;
/** One pool in so many is concentrated, with this many initialised ticks: as in the recorded sets of Ethereum. */
const CONCENTRATED_EACH = 6;
const TICKS = 20;
const BLOCKS = 300;
const CHANGED = 300;
/** Of a thread: the book, what is staged, prices and the snapshot. Measured: 492 MiB. */
const MOST_MIB = 1024;

function header(number: number) {
  return { number, hash: idOf(number + 1), parentHash: idOf(number), timestamp: number as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' as const };
}

function poolOf(id: number, version: number): TrackedPool {
  const address = addressOf(id + 1_000_000);
  const tokens = [addressOf(1 + (id % 15_000)), addressOf(20_000 + (id % 7))];
  const concentrated = id % CONCENTRATED_EACH === 0;
  const family = concentrated ? 'uniswap_v3' : 'uniswap_v2';
  const pool = { key: address, address, hook: null, protocol: family, source: family, tokens, traits: {} };
  const state = concentrated ? concentratedState(version) : { reserve0: 10n ** 20n + BigInt(version), reserve1: 10n ** 21n, feePpm: 3000 };
  return { pool, venue: family, factory: addressOf(900), state, stale: false, rereading: { kind: 'logs' }, read: null };
}

function concentratedState(version: number) {
  const half = TICKS / 2;
  const pairs = Array.from({ length: TICKS }, (_, at) => [(at - half) * 60 + (at < half ? 0 : 60), at < half ? 10n ** 15n : -(10n ** 15n)] as const);
  const liquidity = BigInt(half) * 10n ** 15n;
  return { feePpm: 3000, tickSpacing: 60, sqrtPriceX96: 2n ** 96n + BigInt(version), liquidity, tick: 0, ticks: tickTable(pairs), truncated: false };
}

describe('resident memory of an indexer', () => {
  it(`with ${POOLS} pools, followed for ${BLOCKS} blocks, is below ${MOST_MIB} MiB beyond what the process has anyway`, async function test() {
    this.timeout(600_000);
    const venues = await loadIndexerVenues();
    const before = await residentAtRest();
    const writer = new SnapshotWriter(allocateSnapshot({ ...LIMITS.snapshot, readers: 8 }));
    const publisher = createPublisher(writer, venues, createTokenPrices(NO_PRICE_SOURCES));
    const book = new PoolBook(header(0), LIMITS.indexing.journalBlocks);
    const take = (block: number, pools: readonly TrackedPool[]) => {
      book.commit(header(block), new Map(pools.map((tracked) => [tracked.pool.key, tracked])));
      const tokens = book.wantedTokens().map((address) => ({ address, decimals: 18, usd: null }));
      if (tokens.length > 0) book.settle(new Map(), tokens);
      const refusals = publisher.stage(
        book,
        pools.map(({ pool }) => pool.key),
      );
      expect(refusals).to.deep.equal([]);
      expect(publisher.publish(header(block)).ok).to.equal(true);
    };
    take(
      1,
      Array.from({ length: POOLS }, (_, id) => poolOf(id, 0)),
    );
    for (let block = 2; block < 2 + BLOCKS; block++) {
      take(
        block,
        Array.from({ length: CHANGED }, (_, at) => poolOf((block * 977 + at * 331) % POOLS, block)),
      );
    }
    expect(writer.stats().pools).to.equal(POOLS);
    const mebibytes = ((await residentAtRest()) - before) / 2 ** 20;
    process.stdout.write(`      ${Math.round(mebibytes)} MiB: ${((mebibytes * 2 ** 10) / POOLS).toFixed(1)} KiB a pool\n`);
    expect(mebibytes).to.be.below(MOST_MIB);
    // Nothing of it may be gone when it is measured.
    expect([book.tip.number, [...publisher.keys()].length]).to.deep.equal([1 + BLOCKS, POOLS]);
  });
});
