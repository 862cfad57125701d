import { expect } from 'chai';
import type { PriceSources } from '../../src/chains/chains.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { LiquidityBar, type MinimumLiquidity } from '../../src/indexing/liquidity-bar.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { createPublisher } from '../../src/indexing/publisher.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import { createTokenPrices } from '../../src/market/market.ts';
import { allocateSnapshot, SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { type IndexerVenues, loadIndexerVenues, NOTHING_OFF, type Rereading } from '../../src/venues/venues.ts';
import { sampleBlock } from '../snapshot/sample-facts.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

const [WRAPPED, DOLLAR, THIRD, FOURTH] = [101, 102, 103, 104] as const;
const FEED = { token: addressOf(WRAPPED), feed: addressOf(500), maximumAgeSeconds: 1e9, minimumUsd: 0.001, maximumUsd: 1e6 };

/** A constant product's price has halved when so much of a reserve has come in. */
const SHARE = (Math.SQRT2 - 1) / 0.997;

describe('pools that are too small to be solved with', () => {
  let venues: IndexerVenues;
  before(async () => {
    venues = await loadIndexerVenues();
  });

  type Pair = { readonly id: number; readonly tokens: readonly [number, number]; readonly reserves: readonly [number, number]; readonly reread?: Rereading };

  function tracked({ id, tokens, reserves: [one, other], reread = { kind: 'logs' } }: Pair): TrackedPool {
    const address = addressOf(id);
    const pool = { key: address, address, hook: null, protocol: 'uniswap_v2', source: 'uniswap_v2', tokens: tokens.map(addressOf), traits: {} };
    const state = { reserve0: BigInt(Math.round(one * 1e6)), reserve1: BigInt(Math.round(other * 1e6)), feePpm: 3_000 };
    return { pool, venue: 'uniswap_v2', factory: addressOf(900), state, stale: false, rereading: reread, read: null };
  }

  function open(minimum: Partial<MinimumLiquidity>, sources: Partial<PriceSources> = {}, by: IndexerVenues = venues) {
    const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 64, tokens: 16, slots: 4, readers: 2 });
    const writer = new SnapshotWriter(buffers);
    const reader = SnapshotReader.claim(buffers, 1);
    const prices = createTokenPrices({ feeds: [], stablecoins: [], minimumDepthUsd: 0.001, ...sources });
    const minimumLiquidity = { usd: null, priced: [addressOf(WRAPPED), addressOf(DOLLAR)], tokens: new Map(), ...minimum };
    const publisher = createPublisher(writer, by, prices, { minimumLiquidity });
    const book = new PoolBook(header(0), 8);
    let block = 0;
    book.settle(
      new Map(),
      [WRAPPED, DOLLAR, THIRD, FOURTH].map((id) => ({ address: addressOf(id), decimals: 6, usd: null })),
    );
    /** A block with these pools as they are now, and what readers see of it. */
    const next = (...pairs: readonly Pair[]): readonly number[] => take(new Map(pairs.map((pair) => [addressOf(pair.id) as string, tracked(pair)])));
    /** A block at which a pool was read and is as it was. */
    const reread = (id: number): readonly number[] => {
      const known = book.pool(addressOf(id));
      if (known === undefined) throw new Error(`no pool ${id}`);
      return take(new Map([[known.pool.key, { ...known, state: { ...(known.state as object) } }]]));
    };
    const take = (changed: ReadonlyMap<string, TrackedPool>): readonly number[] => {
      book.commit(header(++block), changed);
      expect(publisher.stage(book, changed.keys())).to.deep.equal([]);
      expect(publisher.publish(sampleBlock(block)).ok).to.equal(true);
      const view = reader.pin();
      if (view === null) throw new Error('nothing is published');
      const seen = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)?.key).filter((key) => key !== undefined);
      reader.unpin();
      expect(publisher.poolsByVenue()).to.deep.equal(seen.length === 0 ? {} : { uniswap_v2: seen.length });
      return seen.map((key) => Number(key)).toSorted((a, b) => a - b);
    };
    /** What the feed of the wrapped native token says from the next block on. */
    const say = (usd: number): void => {
      const round = { roundId: 1n, answer: BigInt(Math.round(usd * 1e8)), startedAt: 1n, updatedAt: 1n, answeredInRound: 1n, decimals: 8n };
      prices.setReadings([{ feed: FEED, round }]);
    };
    return { next, reread, say, publisher };
  }

  function header(number: number): ChainHeader {
    return { number, hash: idOf(number + 1), parentHash: idOf(number), timestamp: (1000 + number) as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' };
  }

  const ofWrapped = (id: number, reserve: number, other = 1e9): Pair => ({ id, tokens: [WRAPPED, THIRD], reserves: [reserve, other] });

  it('are those out of which swaps take less of a token, before the price has halved, than it is judged by: each comes in with the block in which it grows, and leaves with the one in which it shrinks', () => {
    const { next, publisher } = open({ tokens: new Map([[addressOf(WRAPPED), 100 * SHARE]]) });
    expect(next(ofWrapped(1, 99.9), ofWrapped(2, 100.1))).to.deep.equal([2]);
    expect([publisher.tooSmall(), [...publisher.keys()]]).to.deep.equal([1, [addressOf(2), addressOf(1)]]);
    expect(next(ofWrapped(1, 100.1))).to.deep.equal([1, 2]);
    expect(publisher.tooSmall()).to.equal(0);
    expect(next(ofWrapped(2, 50))).to.deep.equal([1]);
    expect(next(ofWrapped(2, 99.9)), 'still').to.deep.equal([1]);
    expect(publisher.tooSmall()).to.equal(1);
    expect(next(ofWrapped(2, 5000))).to.deep.equal([1, 2]);
  });

  it('are none that have enough of one such token, and none that trade none of them, whatever they have of others', () => {
    const { next, publisher } = open({
      tokens: new Map([
        [addressOf(WRAPPED), 10],
        [addressOf(DOLLAR), 1000],
      ]),
    });
    const both = (id: number, wrapped: number, dollar: number): Pair => ({ id, tokens: [WRAPPED, DOLLAR], reserves: [wrapped, dollar] });
    expect(next(both(1, 1, 1), both(2, 100, 1), both(3, 1, 10_000), { id: 4, tokens: [THIRD, FOURTH], reserves: [1, 1] })).to.deep.equal([2, 3, 4]);
    expect(next(both(1, 1, 1e8))).to.deep.equal([1, 2, 3, 4]);
    expect(publisher.tooSmall()).to.equal(0);
  });

  it('go by USD where a token has a price, its own number of tokens where it is listed, and by nothing while it had no price', () => {
    const { next, say } = open({ usd: 100 * SHARE, tokens: new Map([[addressOf(DOLLAR), 1 * SHARE]]) }, { feeds: [FEED] });
    const ofDollar = (id: number, reserve: number): Pair => ({ id, tokens: [THIRD, DOLLAR], reserves: [1e9, reserve] });
    expect(next(ofWrapped(1, 0.01), ofDollar(2, 0.9), ofDollar(3, 1.1))).to.deep.equal([1, 3]);
    say(50);
    expect(next(ofWrapped(4, 1.9), ofWrapped(5, 2.1)), 'also what came before').to.deep.equal([3, 5]);
  });

  it('are judged again when the price by which they are moves by more than a tenth, though nothing happens to them', () => {
    const { next, say, publisher } = open({ usd: 100 * SHARE }, { feeds: [FEED] });
    say(1);
    expect(next(ofWrapped(1, 105), ofWrapped(2, 95), ofWrapped(3, 300))).to.deep.equal([1, 3]);
    say(0.93);
    expect([next(), next()], 'not far').to.deep.equal([
      [1, 3],
      [1, 3],
    ]);
    say(0.5);
    next();
    expect(next()).to.deep.equal([3]);
    expect(publisher.tooSmall()).to.equal(2);
    say(2);
    next();
    expect(next()).to.deep.equal([1, 2, 3]);
    expect(publisher.tooSmall()).to.equal(0);
  });

  it('are not in the first epoch either, where the price follows from pools that come with them', () => {
    const { next } = open({ usd: 100 }, { stablecoins: [addressOf(DOLLAR)] });
    // Two thousand dollars for one: so the pair below holds twenty and its like two thousand.
    const priced: Pair = { id: 1, tokens: [WRAPPED, DOLLAR], reserves: [1000, 2_000_000] };
    expect(next(ofWrapped(2, 0.01), ofWrapped(3, 1), priced)).to.deep.equal([1, 3]);
  });

  it('are judged by no token whose decimals are not known yet, and by it once they are', () => {
    const bar = new LiquidityBar({ usd: null, priced: [], tokens: new Map([[addressOf(THIRD), 5]]) });
    expect([bar.refresh(() => ({ decimals: null, usd: 1 })), bar.isIncomplete]).to.deep.equal([[], true]);
    expect([bar.refresh(() => ({ decimals: 6, usd: null })), bar.isIncomplete]).to.deep.equal([[addressOf(THIRD)], false]);
    expect(bar.refresh(() => ({ decimals: 6, usd: 2 }))).to.deep.equal([]);
  });

  it('keep the bar that they have while the price is gone', () => {
    const sources = { feeds: [{ ...FEED, maximumAgeSeconds: 1001 }] };
    const { next, say, publisher } = open({ usd: 100 * SHARE }, sources);
    say(1);
    expect(next(ofWrapped(1, 95), ofWrapped(2, 105))).to.deep.equal([2]);
    for (let block = 0; block < 4; block++) expect(next(), 'the answer is too old').to.deep.equal([2]);
    expect(publisher.tooSmall()).to.equal(1);
  });

  it('cost no more than packing where they are read in each block and are as they were, and are judged again all the same', () => {
    let asked = 0;
    const real = venues.get('uniswap_v2');
    if (real === undefined) throw new Error('no venue');
    const curves = (state: unknown) => {
      asked += 1;
      return real.state.curves(state);
    };
    const counting = new Map([['uniswap_v2', { ...real, state: { ...real.state, curves } }]]);
    const { next, reread, say } = open({ usd: 100 * SHARE }, { feeds: [FEED] }, counting);
    say(1);
    expect(next({ ...ofWrapped(1, 50), reread: { kind: 'each-block' } })).to.deep.equal([]);
    const before = asked;
    expect([reread(1), reread(1), asked - before]).to.deep.equal([[], [], 0]);
    say(4);
    reread(1);
    expect(reread(1)).to.deep.equal([1]);
  });

  it('are not held up by what is switched off, and come back judged', () => {
    const { next, publisher } = open({ tokens: new Map([[addressOf(WRAPPED), 100 * SHARE]]) });
    expect(next(ofWrapped(1, 99.9), ofWrapped(2, 100.1))).to.deep.equal([2]);
    publisher.switchOff({ venues: ['uniswap_v2'], pools: [] });
    expect(next(ofWrapped(1, 500))).to.deep.equal([]);
    expect(publisher.tooSmall()).to.equal(0);
    expect(publisher.switchOff(NOTHING_OFF).restored).to.have.members([addressOf(1), addressOf(2)]);
    expect(next(ofWrapped(1, 500), ofWrapped(2, 99))).to.deep.equal([1]);
  });
});
