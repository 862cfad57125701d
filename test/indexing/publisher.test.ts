import { expect } from 'chai';
import { NO_PRICE_SOURCES } from '../../src/chains/chains.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { createPublisher } from '../../src/indexing/publisher.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import { createTokenPrices } from '../../src/market/market.ts';
import { allocateSnapshot, type SnapshotCapacity, SnapshotReader, type SnapshotView, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import type { BlockNumber, EpochSeconds } from '../../src/units/units.ts';
import { type IndexerVenues, loadIndexerVenues, loadStreamVenues, NOTHING_OFF, type StreamedPool } from '../../src/venues/venues.ts';
import { sampleBlock } from '../snapshot/sample-facts.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

const CAPACITY: SnapshotCapacity = { arenaBytes: 2 ** 20, pools: 8, tokens: 8, slots: 4, readers: 2 };
const PAIR = { reserve0: 10n ** 20n, reserve1: 10n ** 21n, feePpm: 3_000 };

function header(number: number): ChainHeader {
  return { number, hash: idOf(number + 1), parentHash: idOf(number), timestamp: number as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' };
}

function pair(id: number, change: { readonly source?: string; readonly state?: unknown; readonly stale?: boolean; readonly venue?: string } = {}): TrackedPool {
  const { source = 'uniswap_v2', state = PAIR, stale = false, venue = 'uniswap_v2' } = change;
  const address = addressOf(id);
  const pool = { key: address, address, hook: null, protocol: source, source, tokens: [addressOf(101), addressOf(102)], traits: {} };
  return { pool, venue, factory: addressOf(900), state, stale, rereading: { kind: 'logs' }, read: null };
}

describe('what the indexer publishes', () => {
  let venues: IndexerVenues;
  before(async () => {
    venues = await loadIndexerVenues();
  });

  /** A book with these pools and the facts of some tokens, beside an empty snapshot. */
  function make(
    pools: readonly TrackedPool[],
    capacity: Partial<SnapshotCapacity> = {},
    knownTokens: readonly number[] = [101, 102],
    by: IndexerVenues = venues,
  ) {
    const buffers = allocateSnapshot({ ...CAPACITY, ...capacity });
    const writer = new SnapshotWriter(buffers);
    const reader = SnapshotReader.claim(buffers, 1);
    const publisher = createPublisher(writer, by, createTokenPrices(NO_PRICE_SOURCES));
    const book = new PoolBook(header(0), 8);
    let block = 0;
    const commit = (changed: readonly TrackedPool[]) => book.commit(header(++block), new Map(changed.map((tracked) => [tracked.pool.key, tracked])));
    commit(pools);
    book.settle(
      new Map(),
      knownTokens.map((id) => ({ address: addressOf(id), decimals: id - 95, usd: null })),
    );
    /** Keys that a reader sees after a publish. */
    const seen = <Result>(look: (view: SnapshotView) => Result): Result => {
      expect(publisher.publish(sampleBlock(block)).ok).to.equal(true);
      const view = reader.pin();
      if (view === null) throw new Error('nothing is published');
      const result = look(view);
      reader.unpin();
      return result;
    };
    const keys = () => seen((view) => Array.from({ length: view.poolCount }, (_, id) => view.pool(id)?.key).filter((key) => key !== undefined));
    return { publisher, writer, book, commit, keys, seen, venues };
  }
  const all = [1, 2, 3].map((id) => pair(id, { source: id === 3 ? 'uniswap_v2:fork' : 'uniswap_v2' }));
  const keysOf = (...ids: readonly number[]) => ids.map(addressOf);

  it('are pools as the book has them, with the facts of their tokens', () => {
    const { publisher, book, commit, keys, seen } = make(all);
    expect(publisher.stage(book, keysOf(1, 2, 3))).to.deep.equal([]);
    expect(keys()).to.deep.equal(keysOf(1, 2, 3));
    expect([publisher.labels(), publisher.poolsByVenue(), [...publisher.keys()]]).to.deep.equal([
      ['uniswap_v2', 'uniswap_v2:fork'],
      { uniswap_v2: 3 },
      keysOf(1, 2, 3),
    ]);
    expect(seen((view) => [101, 102].map((id) => view.token(view.tokenId(addressOf(id))).decimals))).to.deep.equal([6, 7]);
    commit([pair(2, { state: { ...PAIR, reserve0: 5n } })]);
    publisher.stage(book, keysOf(2));
    expect(seen((view) => view.pool(1)?.words[0])).to.equal(5n);
  });

  it('are not pools that are unknown, stale, without a state, of no venue here, without facts of a token, or not routable; that is no refusal', () => {
    const gone = [pair(1, { stale: true }), pair(2, { state: null }), pair(3, { venue: 'nobody' }), pair(4, { state: { ...PAIR, reserve0: 0n } }), pair(5)];
    const { publisher, book, keys, commit } = make(gone);
    expect(publisher.stage(book, keysOf(1, 2, 3, 4, 5, 6))).to.deep.equal([]);
    expect(keys()).to.deep.equal(keysOf(5));
    commit([pair(5, { state: null })]);
    publisher.stage(book, keysOf(5));
    expect([keys(), publisher.labels(), publisher.poolsByVenue()]).to.deep.equal([[], [], {}]);
    const tokenless = make([pair(1)], {}, [101]);
    expect(tokenless.publisher.stage(tokenless.book, keysOf(1))).to.deep.equal([]);
    expect(tokenless.keys()).to.deep.equal([]);
  });

  it('never are old: a pool that turns corrupt, or finds no room, is absent, and named with why', () => {
    const { publisher, book, commit, keys } = make(all);
    publisher.stage(book, keysOf(1, 2, 3));
    commit([pair(2, { state: { ...PAIR, reserve1: 2n ** 112n } })]);
    const [corrupt, ...others] = publisher.stage(book, keysOf(2, 3));
    expect([corrupt?.key, corrupt?.reason, others]).to.deep.equal([addressOf(2), 'corrupt-pool', []]);
    expect(corrupt?.message).to.contain('uint112');
    expect(keys()).to.deep.equal(keysOf(1, 3));
    const small = make(all, { pools: 2 });
    expect(small.publisher.stage(small.book, keysOf(1, 2, 3))).to.deep.equal([{ key: addressOf(3), reason: 'arena-full', message: 'too-many-pools' }]);
    expect([small.keys(), [...small.publisher.keys()]]).to.deep.equal([keysOf(1, 2), keysOf(1, 2)]);
  });

  it('come in later where there was no room in memory, as others leave; each is named once', () => {
    const many = Array.from({ length: 200 }, (_, at) => at + 1);
    const { publisher, book, commit, keys } = make(
      many.map((id) => pair(id)),
      { pools: 256, arenaBytes: 2 ** 16 },
    );
    const refused = publisher.stage(book, keysOf(...many)).map(({ key }) => key);
    const placed = keys();
    expect([refused.length, publisher.unplaced()]).to.deep.equal([many.length - placed.length, refused.length]);
    expect(placed.length).to.be.within(2, many.length - 10);
    expect(publisher.stage(book, []), 'no news').to.deep.equal([]);
    // Half of them leave, and of those that wait one.
    const leaving = [...placed.filter((_, at) => at % 2 === 0), refused.at(-1) as (typeof refused)[number]];
    commit(leaving.map((key) => ({ ...(book.pool(key) as TrackedPool), state: null })));
    expect(publisher.stage(book, leaving)).to.deep.equal([]);
    // What a pool took is free a few epochs after it left.
    for (let epoch = 0; epoch < 3 * CAPACITY.slots; epoch++) {
      keys();
      expect(publisher.stage(book, [])).to.deep.equal([]);
    }
    const now = keys();
    expect(now.filter((key) => refused.includes(key)).length, 'more than one an epoch').to.be.greaterThan(3 * CAPACITY.slots);
    expect(now.length + publisher.unplaced()).to.equal(many.length - leaving.length);
    expect(now).to.not.include.members(leaving.slice(-1));
  });

  it('are counted and labelled along with their changes: what nothing changed is not made again', () => {
    const { publisher, book, commit } = make(all);
    publisher.stage(book, keysOf(1, 2, 3));
    const labels = publisher.labels();
    commit([pair(2, { state: { ...PAIR, reserve0: 5n } })]);
    publisher.stage(book, keysOf(2));
    expect(publisher.labels(), 'the same list').to.equal(labels);
    commit([pair(3, { state: null })]);
    publisher.stage(book, keysOf(3));
    expect([publisher.labels(), publisher.poolsByVenue()]).to.deep.equal([['uniswap_v2'], { uniswap_v2: 2 }]);
    commit([pair(1, { source: 'sushiswap_v2' })]);
    publisher.stage(book, keysOf(1));
    expect([publisher.labels(), publisher.poolsByVenue()]).to.deep.equal([['sushiswap_v2', 'uniswap_v2'], { uniswap_v2: 2 }]);
  });

  /** A reserve of which the counting venue has no curve. */
  const PRICELESS = 7n;

  it('asks for no curves of a pool that was read again and is as it was, while it is there', () => {
    let asked = 0;
    const real = venues.get('uniswap_v2');
    if (real === undefined) throw new Error('no venue');
    const counting = {
      ...real,
      state: {
        ...real.state,
        curves: (state: unknown) => {
          asked++;
          return (state as typeof PAIR).reserve0 === PRICELESS ? [] : real.state.curves(state);
        },
      },
    };
    const reread = (change: Parameters<typeof pair>[1] = {}): TrackedPool => ({ ...pair(1, change), pool: pair1, rereading: { kind: 'each-block' } });
    const pair1 = pair(1).pool;
    const { publisher, book, commit, keys } = make([reread()], {}, [101, 102], new Map([['uniswap_v2', counting]]));
    const askedAfter = (change: TrackedPool, there: readonly number[]): number => {
      commit([change]);
      publisher.stage(book, keysOf(1));
      expect(keys()).to.deep.equal(keysOf(...there));
      return asked;
    };
    expect(askedAfter(reread(), [1])).to.equal(1);
    expect(askedAfter(reread({ state: { ...PAIR } }), [1]), 'another object of the same state').to.equal(1);
    expect(askedAfter(reread({ state: { ...PAIR, reserve0: 5n } }), [1])).to.equal(2);
    expect(askedAfter(reread({ stale: true }), [])).to.equal(2);
    expect(askedAfter(reread({ state: { ...PAIR, reserve0: 5n } }), [1]), 'it was gone').to.equal(3);
    publisher.switchOff({ ...NOTHING_OFF, pools: keysOf(1) });
    expect(askedAfter(reread({ state: { ...PAIR, reserve0: 5n } }), [])).to.equal(4);
    publisher.switchOff(NOTHING_OFF);
    expect(askedAfter(reread({ state: { ...PAIR, reserve0: 5n } }), [1]), 'it was switched off').to.equal(5);
    expect(askedAfter({ ...reread({ state: { ...PAIR, reserve0: 5n } }), pool: { ...pair1 } }, [1]), 'described anew').to.equal(6);
    const priceless = () => reread({ state: { ...PAIR, reserve0: PRICELESS } });
    expect(askedAfter(priceless(), [])).to.equal(7);
    expect(askedAfter(priceless(), []), 'without a curve, and as it was').to.equal(7);
    expect(askedAfter(reread(), [1])).to.equal(8);
  });

  it('leaves out what is switched off, and names what is not any more, once', () => {
    const { publisher, book, keys } = make(all);
    publisher.stage(book, keysOf(1, 2));
    expect(publisher.switchOff({ venues: [], pools: keysOf(1) })).to.deep.equal({ removed: 1, restored: [] });
    expect([keys(), publisher.poolsByVenue()]).to.deep.equal([keysOf(2), { uniswap_v2: 1 }]);
    // Found while it is off.
    expect(publisher.stage(book, keysOf(1, 3))).to.deep.equal([]);
    expect(keys()).to.deep.equal(keysOf(2, 3));
    // The family stands for its variants.
    expect(publisher.switchOff({ venues: ['uniswap_v2'], pools: [] })).to.deep.equal({ removed: 2, restored: [] });
    expect([keys(), publisher.labels()]).to.deep.equal([[], []]);
    expect(publisher.switchOff({ venues: ['uniswap_v2:fork'], pools: keysOf(2) })).to.deep.equal({ removed: 0, restored: keysOf(1) });
    publisher.stage(book, keysOf(1));
    expect(publisher.switchOff({ venues: [], pools: [] })).to.deep.equal({ removed: 0, restored: keysOf(2, 3) });
    expect(publisher.switchOff({ venues: [], pools: [] })).to.deep.equal({ removed: 0, restored: [] });
    publisher.stage(book, keysOf(2, 3));
    expect(keys()).to.have.members(keysOf(1, 2, 3));
  });

  it('begins with what an earlier thread left in the snapshot, apart from what is switched off', () => {
    const { publisher, book, writer, keys } = make(all);
    publisher.stage(book, keysOf(1, 2, 3));
    keys();
    const heir = createPublisher(writer, venues, createTokenPrices(NO_PRICE_SOURCES), { switchedOff: { venues: ['uniswap_v2:fork'], pools: [] } });
    expect([[...heir.keys()], heir.labels(), heir.poolsByVenue()]).to.deep.equal([keysOf(1, 2), ['uniswap_v2'], { uniswap_v2: 2 }]);
    expect(keys()).to.deep.equal(keysOf(1, 2));
    expect(heir.switchOff({ venues: [], pools: [] })).to.deep.equal({ removed: 0, restored: keysOf(3) });
  });

  it('have prices with what was found of the tokens by which others are priced, in one epoch; a pool whose price is somebody’s word gives none', () => {
    const buffers = allocateSnapshot(CAPACITY);
    const [writer, reader] = [new SnapshotWriter(buffers), SnapshotReader.claim(buffers, 1)];
    const prices = () => createTokenPrices({ feeds: [], stablecoins: [addressOf(101)], minimumDepthUsd: 1 });
    const its = venues.get('uniswap_v2');
    if (its === undefined) throw new Error('no venue');
    let isWord = false;
    const state = { ...its.state, traits: () => (isWord ? { pricesEnd: { blockNumber: 9 as BlockNumber } } : {}) };
    const publisher = createPublisher(writer, new Map([['uniswap_v2', { ...its, state }]]), prices());
    const book = new PoolBook(header(0), 8);
    const take = (pool: TrackedPool, at: number) => book.commit(header(at), new Map([[pool.pool.key, pool]]));
    take(pair(1), 1);
    book.settle(
      new Map(),
      [101, 102].map((id) => ({ address: addressOf(id), decimals: 18, usd: null })),
    );
    const shown = (by = publisher): readonly (number | null)[] => {
      expect(by.publish(sampleBlock(1)).ok).to.equal(true);
      const view = reader.pin();
      if (view === null) throw new Error('nothing is published');
      const usd = [101, 102].map((id) => view.token(view.tokenId(addressOf(id))).usd);
      reader.unpin();
      return usd;
    };
    publisher.stage(book, keysOf(1));
    const [one, other] = shown();
    expect([one, Math.round((other ?? 0) * 1e6)]).to.deep.equal([1, 100_000]);
    publisher.stageVerdict(addressOf(101), { verdict: { kind: 'gated', reason: 'paused' }, block: 1 });
    expect(shown()).to.deep.equal([1, null]);
    // As whoever takes the snapshot over finds it.
    const heir = createPublisher(writer, new Map([['uniswap_v2', { ...its, state }]]), prices());
    heir.stage(book, keysOf(1));
    expect(shown(heir)).to.deep.equal([1, null]);
    heir.stageVerdict(addressOf(101), { verdict: { kind: 'clean' }, block: 2 });
    expect(shown(heir)).to.deep.equal([one, other]);
    isWord = true;
    take(pair(1, { state: { ...PAIR, reserve0: 10n ** 20n + 1n } }), 2);
    heir.stage(book, keysOf(1));
    expect(shown(heir)).to.deep.equal([1, null]);
  });

  it('a pool of which somebody off the chain tells the tokens’ decimals is there though no other pool of the chain has one of them; without that it is not', async () => {
    const buffers = allocateSnapshot(CAPACITY);
    const reader = SnapshotReader.claim(buffers, 1);
    const publisher = createPublisher(new SnapshotWriter(buffers), venues, createTokenPrices(NO_PRICE_SOURCES), { streams: await loadStreamVenues() });
    const book = new PoolBook(header(0), 8);
    const ladder = [{ amountIn: 10n ** 18n, amountOut: 2n * 10n ** 18n }];
    const pool = { key: 'issued', address: addressOf(40), hook: null, protocol: 'ondo', source: 'ondo', tokens: [addressOf(201), addressOf(202)], traits: {} };
    const publish = (streamed: Partial<StreamedPool<unknown>>) => {
      const state = { until: 4_000_000_000, ladders: [ladder, []] };
      expect(publisher.stageStreamed(book, 'ondo', [{ pool, state, ...streamed }])).to.deep.equal([]);
      expect(publisher.publish(sampleBlock(1)).ok).to.equal(true);
      const view = reader.pin();
      const decimals = [201, 202].map((id) => {
        const token = view?.tokenId(addressOf(id)) ?? -1;
        return token < 0 ? null : view?.token(token).decimals;
      });
      const found = (view?.poolCount ?? 0) > 0 ? (view?.pool(0)?.key ?? null) : null;
      reader.unpin();
      return { found, decimals };
    };
    expect(publish({}).found).to.equal(null);
    expect(publish({ decimals: 18 })).to.deep.equal({ found: 'issued', decimals: [18, 18] });
    expect(publish({ state: null }).found).to.equal(null);
  });
});
