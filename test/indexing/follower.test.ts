import { expect } from 'chai';
import fc from 'fast-check';
import { LIMITS } from '../../src/config/limits.ts';
import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { bent, down } from './bent-reader.ts';
import { fee, follow, moved, opened, REAL_HEIGHT, STRANGER, VENUE } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

/** Selector of latestRoundData(). */
const LATEST_ROUND_DATA = '0xfeaf968c';

describe('following a chain', () => {
  it('at a real height reads blocks one after the other and across gaps, without starting over; what is published is the head’s state', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow();
    const { step, view, of, rebuilds } = follow(chain);
    const expectHead = () => expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    chain.grow(opened(10, 5));
    expect(await step()).to.equal(true);
    expectHead();
    expect(await step(), 'nothing is new').to.equal(false);
    chain.grow(moved(10, 6), opened(12, 1));
    await step();
    expectHead();
    for (let i = 0; i < 2 * LIMITS.indexing.batchBlocks + 3; i++) chain.grow(moved(10, 100 + i));
    await step();
    expectHead();
    expect([rebuilds(), of('reorg'), of('backfilled').map(({ blocks }) => blocks)]).to.deep.equal([1, [], [1, 2 * LIMITS.indexing.batchBlocks + 2]]);
    expect(chain.asked.header, 'the gap is asked for by number, at once').to.equal(undefined);
    expect(of('followed').at(-1)?.pools).to.deep.equal({ [VENUE]: 2 });
    expect(of('published').at(-1)?.block.hash).to.equal(chain.head.hash);
  });

  it('tells how far the node is and how far what is known: each once, where it changes, and the node alone where logs can not be read', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let i = 0; i < 3; i++) chain.grow();
    let areRead = true;
    const reader = bent(chain, (honest) => ({ logs: (header) => (areRead ? honest.logs(header) : down()) }));
    const { step, of } = follow(chain, { reader });
    const told = () => (['head', 'indexed'] as const).map((kind) => of(kind).map(({ block }) => block));
    const first = chain.head.number;
    await step();
    await step();
    expect(told()).to.deep.equal([[first], [first]]);
    chain.grow();
    chain.grow(opened(10, 5));
    await step();
    expect(told()).to.deep.equal([
      [first, first + 2],
      [first, first + 2],
    ]);
    areRead = false;
    chain.grow();
    expect(await step().catch((error: unknown) => error)).to.be.instanceOf(RpcError);
    expect(told()).to.deep.equal([
      [first, first + 2, first + 3],
      [first, first + 2],
    ]);
    areRead = true;
    await step();
    expect(told()).to.deep.equal(Array(2).fill([first, first + 2, first + 3]));
  });

  it('goes back with the chain and forward on its branch, whatever the blocks hold', async () => {
    const log = fc.oneof(
      fc.tuple(fc.constantFrom(10, 12, 14), fc.nat(99)).map(([id, price]) => opened(id, price)),
      fc.tuple(fc.constantFrom(10, 12, 14, 16), fc.nat(99)).map(([id, price]) => moved(id, price)),
      fc.nat(9).map(fee),
    );
    const move = fc.record({ back: fc.constantFrom(0, 0, 1, 2, 4), blocks: fc.array(fc.array(log, { maxLength: 3 }), { minLength: 1, maxLength: 5 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 6 }), async (moves) => {
        const chain = new MadeUpChain(REAL_HEIGHT);
        for (let i = 0; i < 6; i++) chain.grow();
        const { step, view, of, rebuilds, clock } = follow(chain, { startDepthBlocks: 6 });
        await step();
        let depth = 0;
        for (const { back, blocks } of moves) {
          const { number } = chain.head;
          chain.back(back);
          depth += number - chain.head.number;
          for (const logs of blocks) chain.grow(...logs);
          // A branch that is lower than what it replaces has to last.
          for (let poll = 1; poll < LIMITS.indexing.retreatPolls && chain.head.number < number; poll++) {
            await step();
            clock.advance(LIMITS.indexing.retreatMs);
          }
          await step();
          expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
        }
        expect(of('reorg').reduce((sum, report) => sum + report.depth, 0)).to.equal(depth);
        expect(rebuilds()).to.equal(1);
      }),
      { numRuns: FULL_SCALE ? 2000 : 40, seed: SEED },
    );
  });

  it('links in no header of another branch: what an endpoint shows by number from elsewhere is left, and the parents are asked for', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1));
    const { step, view, rebuilds } = follow(chain, { startDepthBlocks: 1 });
    await step();
    for (let i = 0; i < 3; i++) chain.otherBranch.set(chain.grow(moved(10, 50 + i)).number, chain.head);
    chain.back(3);
    for (let i = 0; i < 5; i++) chain.grow(moved(10, 70 + i));
    await step();
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: { [idOf(10)]: { price: 74, fee: 0 } } });
    expect([rebuilds(), chain.asked.header], 'three numbers were another branch’s').to.deep.equal([1, 3]);
  });

  it('asks by hash for no more than what a backend that lags does not show by number', async () => {
    const chain = new MadeUpChain(0);
    chain.grow(opened(10, 1));
    const lacking = new Set<number>();
    const headerAt: ChainReader['headerAt'] = async (number) => (lacking.has(number) ? null : chain.reader.headerAt(number));
    const { step, view } = follow(chain, { startDepthBlocks: 0, fromBlock: 0, reader: { ...chain.reader, headerAt } });
    await step();
    for (let block = 0; block < 200; block++) chain.grow(moved(10, block));
    for (const below of [1, 2, 50]) lacking.add(chain.head.number - below);
    const before = chain.asked.headerAt ?? 0;
    await step();
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect([chain.asked.header, (chain.asked.headerAt ?? 0) - before]).to.deep.equal([3, 196]);
  });

  it('believes a head that went back only when it stays there, and starts over where the two have nothing in common or lie too far apart', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let i = 0; i < 5; i++) chain.grow(opened(10 + 2 * i, i + 1));
    const { retreatMs, retreatPolls, lostMs, lostPolls } = LIMITS.indexing;
    const { step, view, of, rebuilds, clock } = follow(chain, { startDepthBlocks: 4 });
    await step();
    const { head } = chain;
    chain.back(2);
    expect([await step(), view().block]).to.deep.equal([false, head.hash]);
    chain.shown = head;
    expect(await step(), 'it only lagged').to.equal(false);
    chain.shown = null;
    for (let poll = 1; poll < 2 * retreatPolls; poll++) expect([await step(), view().block]).to.deep.equal([false, head.hash]);
    clock.advance(retreatMs);
    expect([await step(), view()]).to.deep.equal([true, { block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) }]);
    expect(of('reorg').map(({ depth }) => depth)).to.deep.equal([2]);
    chain.back(3);
    for (let i = 0; i < 4; i++) chain.grow(opened(20, 7));
    for (let poll = 1; poll < lostPolls; poll++) expect([await step(), rebuilds()]).to.deep.equal([false, 1]);
    clock.advance(lostMs);
    await step();
    expect([rebuilds(), view()], 'below what can be gone back to').to.deep.equal([2, { block: chain.head.hash, pools: { [idOf(20)]: { price: 7, fee: 0 } } }]);
    for (let i = 0; i < LIMITS.indexing.catchUpBlocks; i++) chain.grow();
    await step();
    expect(rebuilds(), 'as far as may be').to.equal(2);
    for (let i = 0; i <= LIMITS.indexing.catchUpBlocks; i++) chain.grow();
    await step();
    expect([rebuilds(), view().block], 'a block more').to.deep.equal([3, chain.head.hash]);
  });

  it('looks for no pool again that it knew, where the chain has gone on further than is followed up, and reads them all', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (const id of [10, 12]) chain.grow(opened(id, id));
    const asked: number[] = [];
    let down = false;
    const reader: ChainReader = {
      ...chain.reader,
      logsInRange: (from, ...rest) => {
        asked.push(from);
        if (down && from > known.number + LIMITS.indexing.logRangeBlocks.first) throw new RpcError('unavailable', 'nobody is there');
        return chain.reader.logsInRange(from, ...rest);
      },
    };
    const { step, view, rebuilds } = follow(chain, { reader });
    await step();
    const known = chain.head;
    asked.length = 0;
    for (let block = 0; block <= LIMITS.indexing.catchUpBlocks; block++) chain.grow(...(block === 9 ? [moved(12, 7), opened(14, 3)] : []));
    down = true;
    await step().catch((error: Error) => expect(error.name).to.equal('RpcError'));
    expect(view().block, 'still down').to.equal(known.hash);
    down = false;
    await step();
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect([Math.min(...asked), rebuilds()]).to.deep.equal([known.number + 1, 3]);
    expect(
      asked.filter((from) => from === known.number + 1),
      'what was found before nobody was there is kept',
    ).to.have.length(2);
  });

  it('finds out where the node left logs out: the pool is absent, and then what the chain says', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1), opened(12, 2));
    const { step, view, of } = follow(chain, { startDepthBlocks: 0 });
    await step();
    expect(of('audit-mismatch')).to.deep.equal([]);
    chain.silent.add(chain.grow(moved(10, 9)).hash);
    await step();
    expect(view().pools[idOf(10)], 'nobody told').to.deep.equal({ price: 1, fee: 0 });
    expect(of('audit-mismatch').map(({ venue, count }) => [venue, count])).to.deep.equal([[VENUE, 1]]);
    chain.grow();
    await step();
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect(of('audit-mismatch')).to.have.length(1);
  });

  it('audits all that a block touched, however many, and a few of the others', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const ids = Array.from({ length: 3 * LIMITS.indexing.auditOthers.perBlock + 8 }, (_, at) => 10 + 2 * at);
    for (const id of ids) chain.grow(opened(id, id));
    const { step, of } = follow(chain, { startDepthBlocks: 0, pools: 32 });
    await step();
    // Nobody told of the fee of all; of the last pools, which are not drawn, something else was told.
    const last = ids.slice(-9);
    chain.silent.add(chain.grow(fee(7)).hash);
    chain.grow(...last.map((id) => moved(id, 1)));
    const silent = of('audit-mismatch').length;
    await step();
    expect([silent, of('audit-mismatch').length]).to.deep.equal([0, last.length + LIMITS.indexing.auditOthers.perBlock]);
  });

  it('publishes a block though its price feeds can not be read, asks for them once a block, and says how many are unread', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const [token, feed] = [addressOf(1), addressOf(77)];
    const feeds = [{ token, feed, maximumAgeSeconds: 60, minimumUsd: 1, maximumUsd: 2 }];
    const { step, view, of } = follow(chain, { startDepthBlocks: 0, priceSources: { feeds, stablecoins: [token], minimumDepthUsd: 1 } });
    const feedsNow = () => of('priced').at(-1)?.pricing.feeds;
    chain.refused.add(LATEST_ROUND_DATA);
    chain.grow(opened(10, 1));
    await step();
    expect([view().block, feedsNow()]).to.deep.equal([chain.head.hash, { used: 0, stale: 0, refused: 0, unread: 1 }]);
    expect(of('log').filter(({ message }) => message.includes('price feeds could not be read')).length).to.equal(1);
    const asked = chain.asked.readAt;
    await step();
    expect(chain.asked.readAt).to.equal(asked);
    // What it answers then is no round.
    chain.refused.clear();
    chain.grow();
    await step();
    expect(feedsNow()).to.deep.equal({ used: 0, stale: 0, refused: 1, unread: 0 });
    expect(of('priced').at(-1)?.pricing).to.deep.include({ priced: 1, stablecoins: { held: 1, lost: 0 } });
  });

  it('forgets nothing for a bug in reading price feeds: it is said and counted, and blocks are published', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const feeds = [{ token: addressOf(1), feed: addressOf(77), maximumAgeSeconds: 60, minimumUsd: 1, maximumUsd: 2 }];
    const readAt: ChainReader['readAt'] = (hash) => async (calls) => {
      if (calls.some(({ data }) => data === LATEST_ROUND_DATA)) throw new TypeError('a bug of ours');
      return chain.reader.readAt(hash)(calls);
    };
    const reader = { ...chain.reader, readAt };
    const { step, view, of, ignored, rebuilds } = follow(chain, { startDepthBlocks: 0, reader, priceSources: { feeds, stablecoins: [], minimumDepthUsd: 1 } });
    for (let block = 1; block <= 3; block++) {
      chain.grow(opened(10, block));
      await step();
      expect([view().block, ignored('unread-feeds')]).to.deep.equal([chain.head.hash, block]);
    }
    expect(rebuilds()).to.equal(1);
    expect(of('log').filter(({ level, message }) => level === 'error' && message.includes('a bug of ours'))).to.have.length(3);
  });

  it('asks about a pool that the node refuses to be asked about now and then, however fast blocks come, and about what is new at once', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (const id of [10, 12]) chain.grow(opened(id, 1));
    const { step, view, clock } = follow(chain, { startDepthBlocks: 0 });
    await step();
    const distrust = async (id: number) => {
      chain.silent.add(chain.grow(moved(id, 7)).hash);
      await step();
    };
    await distrust(10);
    chain.refused.add(idOf(10));
    /** Blocks of a quarter of a second; what was asked at contracts, but for the audits of these blocks. */
    const blocks = async (count: number) => {
      const before = chain.asked.readAt ?? 0;
      for (let block = 0; block < count; block++) {
        chain.grow();
        clock.advance(250);
        await step();
      }
      return (chain.asked.readAt ?? 0) - before - count;
    };
    await blocks(1);
    expect(await blocks(40), 'after 1, 3 and 7 seconds').to.equal(3);
    await distrust(12);
    await blocks(1);
    expect(view().pools, 'read with its block').to.deep.equal({ [idOf(12)]: { price: 7, fee: 0 } });
    chain.refused.clear();
    clock.advance(LIMITS.indexing.askAgainMs.longest);
    await step();
    expect(view().pools).to.deep.equal(chain.pricesAt(chain.head.hash));
  });

  it('asks price feeds of the next block beside its logs, not after them', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const feeds = [{ token: addressOf(1), feed: addressOf(77), maximumAgeSeconds: 60, minimumUsd: 1, maximumUsd: 2 }];
    const asked: string[] = [];
    const reader: ChainReader = {
      ...chain.reader,
      readAt: (hash) => async (calls) => {
        if (calls.some(({ data }) => data === LATEST_ROUND_DATA)) asked.push(`feeds of ${hash}`);
        return chain.reader.readAt(hash)(calls);
      },
      logs: async (header) => {
        const logs = await chain.reader.logs(header);
        asked.push(`logs of ${header.hash}`);
        return logs;
      },
    };
    const { step, view, of } = follow(chain, { startDepthBlocks: 0, reader, priceSources: { feeds, stablecoins: [], minimumDepthUsd: 1 } });
    chain.grow(opened(10, 1));
    await step();
    asked.length = 0;
    const { hash } = chain.grow(moved(10, 2));
    await step();
    expect([view().block, asked]).to.deep.equal([hash, [`feeds of ${hash}`, `logs of ${hash}`]]);
    expect(of('priced').at(-1)?.pricing.feeds.refused).to.equal(1);
    // Of two blocks the tip's alone, once it is known to be the tip.
    asked.length = 0;
    chain.grow(moved(10, 3));
    const last = chain.grow(moved(10, 4));
    await step();
    expect([view().block, asked.at(-1), asked.length]).to.deep.equal([last.hash, `feeds of ${last.hash}`, 3]);
  });

  it('does not hold a block up for price feeds that are late: what they say goes with a later one', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const feeds = [{ token: addressOf(1), feed: addressOf(77), maximumAgeSeconds: 60, minimumUsd: 1, maximumUsd: 2 }];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const readAt: ChainReader['readAt'] = (hash) => async (calls) => {
      if (calls.some(({ data }) => data === LATEST_ROUND_DATA)) await gate;
      return chain.reader.readAt(hash)(calls);
    };
    const priceSources = { feeds, stablecoins: [], minimumDepthUsd: 1 };
    const { step, view, of } = follow(chain, { startDepthBlocks: 0, reader: { ...chain.reader, readAt }, priceSources });
    for (const price of [1, 2]) {
      chain.grow(opened(10, price));
      await step();
      expect([view().block, of('priced').at(-1)?.pricing.feeds.unread]).to.deep.equal([chain.head.hash, 1]);
    }
    open();
    chain.grow();
    await step();
    expect(of('priced').at(-1)?.pricing.feeds).to.deep.equal({ used: 0, stale: 0, refused: 1, unread: 0 });
  });

  it('publishes the block that a step takes in, also where something is announced for the one before meanwhile', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const feeds = [{ token: addressOf(1), feed: addressOf(77), maximumAgeSeconds: 60, minimumUsd: 1, maximumUsd: 2 }];
    let meanwhile = (): void => undefined;
    const readAt: ChainReader['readAt'] = (hash) => async (calls) => {
      if (calls.some(({ data }) => data === LATEST_ROUND_DATA)) meanwhile();
      return chain.reader.readAt(hash)(calls);
    };
    const priceSources = { feeds, stablecoins: [], minimumDepthUsd: 1 };
    const { follower, step, view } = follow(chain, { startDepthBlocks: 0, reader: { ...chain.reader, readAt }, priceSources });
    chain.grow(opened(10, 1), opened(12, 1));
    await step();
    meanwhile = () => follower.switchOff({ venues: [], pools: [idOf(12)] });
    chain.grow();
    expect(await step()).to.equal(true);
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: { [idOf(10)]: { price: 1, fee: 0 } } });
  });

  it('counts what nobody may say and what the node could not be asked, and asks for that again', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1));
    const { step, view, of, ignored, clock } = follow(chain, { startDepthBlocks: 0 });
    await step();
    expect([ignored('unknown-emitter'), ignored('unanswered')]).to.deep.equal([0, 0]);
    chain.grow(moved(10, 9, STRANGER), moved(99, 9), moved(10, 3));
    await step();
    expect([ignored('unknown-emitter'), view().pools[idOf(10)]?.price]).to.deep.equal([2, 3]);
    expect(of('logs').map(({ venue, count }) => [venue, count])).to.deep.equal([[VENUE, 1]]);
    chain.silent.add(chain.grow(moved(10, 4)).hash);
    await step();
    chain.refused.add(idOf(10));
    chain.grow();
    await step();
    expect([ignored('unanswered'), view().pools], 'distrusted, and not to be read').to.deep.equal([1, {}]);
    chain.refused.clear();
    chain.grow();
    clock.advance(LIMITS.indexing.askAgainMs.first);
    await step();
    expect([ignored('unanswered'), view().pools]).to.deep.equal([1, { [idOf(10)]: { price: 4, fee: 0 } }]);
  });
});
