import { expect } from 'chai';
import fc from 'fast-check';
import { LIMITS } from '../../src/config/limits.ts';
import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import { Discovery } from '../../src/indexing/discovery.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { fee, follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { idOf, MANAGER, OPENED } from './made-up-singleton.ts';

/** Cases of section A of the faults: what a node does wrong, and what becomes of the chain that is followed. */
type Answers = Pick<ChainReader, 'latest' | 'header' | 'headerAt' | 'logs' | 'logsInRange' | 'readAt'>;

/** The chain's reader, with what a test does to some of its answers. */
function bent(chain: MadeUpChain, bend: (honest: ChainReader) => Partial<Answers>): ChainReader {
  return { ...chain.reader, ...bend(chain.reader) };
}

const down = (): never => {
  throw new RpcError('unavailable', 'HTTP 503');
};

describe('parts of blocks that come late', () => {
  it('do not stop the chain: of blocks whose logs come after the next block all but the newest are published (A3)', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1));
    let late = false;
    const reader = bent(chain, ({ logs }) => ({
      logs: async (header) => {
        if (late && header.hash === chain.head.hash) throw new RpcError('garbage', 'logs of the block are missing');
        return logs(header);
      },
    }));
    const { step, view, of } = follow(chain, { reader, startDepthBlocks: 0 });
    await step();
    late = true;
    chain.grow(moved(10, 2));
    expect(await step().catch(() => 'failed'), 'nothing but the newest').to.equal('failed');
    for (let block = 0; block < 10; block++) {
      const before = chain.head;
      chain.grow(moved(10, 3 + block));
      await step();
      expect(view()).to.deep.equal({ block: before.hash, pools: chain.pricesAt(before.hash) });
    }
    expect(of('reorg')).to.deep.equal([]);
  });

  it('are not asked for again with those that were answered: 500 blocks behind a node that fails one call in fifty cost few calls more (A18)', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1));
    let calls = 0;
    const unsteady = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => (++calls % 50 === 0 ? down() : ask());
    const reader = bent(chain, (honest) => ({
      header: (hash) => unsteady(() => honest.header(hash)),
      headerAt: (number) => unsteady(() => honest.headerAt(number)),
      logs: (header) => unsteady(() => honest.logs(header)),
    }));
    const { step, view } = follow(chain, { reader, startDepthBlocks: 0 });
    await step();
    for (let block = 0; block < 500; block++) chain.grow(moved(10, block));
    calls = 0;
    let steps = 0;
    do {
      steps++;
      await step().catch(() => undefined);
    } while (view().block !== chain.head.hash && steps < 200);
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect(calls).to.be.within(999, 1100);
  });

  it('of a deep reorg are kept too: the walk to the common ancestor goes on where it failed', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let block = 0; block < 70; block++) chain.grow(opened(10, block));
    let calls = 0;
    const reader = bent(chain, (honest) => ({ header: async (hash) => (++calls % 10 === 0 ? down() : honest.header(hash)) }));
    const { step, view, of, rebuilds } = follow(chain, { reader, startDepthBlocks: 68 });
    await step();
    chain.back(64);
    for (let block = 0; block < 65; block++) chain.grow(moved(10, 1000 + block));
    for (let steps = 0; steps < 12 && view().block !== chain.head.hash; steps++) await step().catch(() => undefined);
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect([of('reorg').map(({ depth }) => depth), rebuilds()]).to.deep.equal([[64], 1]);
    expect(calls).to.be.below(75);
  });

  it('of a cold start are kept: pools that were read stay read, and nothing is published before all were asked about', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const ids = Array.from({ length: LIMITS.indexing.poolsPerLoad + 40 }, (_, at) => 10 + 2 * at);
    for (const id of ids) chain.grow(opened(id, id));
    const read: string[] = [];
    let failing = true;
    const reader = bent(chain, ({ readAt }) => ({
      readAt: (hash) => async (calls) => {
        const keys = calls.map(({ data }) => data).filter((data) => data.length === 66);
        if (failing && keys.length > 0 && keys.length < LIMITS.indexing.poolsPerLoad) down();
        read.push(...keys);
        return readAt(hash)(calls);
      },
    }));
    const { step, view, of } = follow(chain, { reader, startDepthBlocks: 0, pools: 256 });
    for (let poll = 0; poll < 3; poll++) expect(await step().catch(() => 'failed')).to.equal('failed');
    expect(of('published')).to.deep.equal([]);
    failing = false;
    await step();
    expect(Object.keys(view().pools)).to.have.length(ids.length);
    const { pools, tokens } = of('waiting').at(-1) ?? {};
    expect([pools, tokens]).to.deep.equal([0, 0]);
    const audited = LIMITS.indexing.auditPoolsInTurn;
    expect(read.length, 'each once, and those that the audit compares').to.equal(ids.length + audited);
  });
});

describe('a block whose logs no node has', () => {
  /** How often the chain is read anew in so many seconds, a block in each. */
  async function followed(lost: (header: ChainHeader, at: number) => boolean, seconds: number, fault = new RpcError('garbage', 'the bloom names more')) {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1));
    const reader = bent(chain, ({ logs }) => ({
      logs: async (header) => {
        if (lost(header, header.number - REAL_HEIGHT)) throw fault;
        return logs(header);
      },
    }));
    const { step, view, rebuilds, clock } = follow(chain, { reader, startDepthBlocks: 0 });
    await step();
    for (let second = 0; second < seconds; second++) {
      chain.grow(moved(10, second));
      clock.advance(1000);
      await step().catch(() => undefined);
    }
    return { isThere: () => expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) }), rebuilds };
  }

  it('stops the chain for a minute, and not for good: it is read anew from above', async () => {
    const { isThere, rebuilds } = await followed((_, at) => at === 5, 90);
    isThere();
    expect(rebuilds()).to.equal(2);
  });

  it('does not have the chain read anew time and again where it is every block, nor where the node does not answer', async () => {
    expect((await followed((_, at) => at > 1, 1000)).rebuilds()).to.be.within(3, 6);
    expect((await followed((_, at) => at > 1, 1000, new RpcError('timeout', 'no answer'))).rebuilds()).to.equal(1);
  });
});

describe('a node that can not be asked about pools', () => {
  const FAULTS: readonly (readonly [string, () => RpcError])[] = [
    ['refuses with an error of its own', () => new RpcError('refused', 'Internal error')],
    ['does not answer in time', () => new RpcError('timeout', 'no answer')],
    ['is away behind its gateway', () => new RpcError('unavailable', 'HTTP 503')],
    ['does not know the block', () => new RpcError('block-gone', 'header not found')],
  ];
  for (const [what, fault] of FAULTS) {
    it(`and ${what} takes no pool away that logs tell of, and those that it has to be asked about are back when it answers, without a trade`, async () => {
      const chain = new MadeUpChain(REAL_HEIGHT);
      for (const id of [10, 12, 14]) chain.grow(opened(id, id));
      let failing = false;
      const reader = bent(chain, ({ readAt }) => ({
        readAt: (hash) => async (calls) => {
          if (failing) throw fault();
          return readAt(hash)(calls);
        },
      }));
      const { step, view, of, clock } = follow(chain, { reader, startDepthBlocks: 0 });
      await step();
      // Found by the audit, so it has to be read, and can not be.
      chain.silent.add(chain.grow(moved(10, 99)).hash);
      await step();
      failing = true;
      for (let block = 0; block < 5; block++) {
        chain.grow(moved(12, 50 + block));
        await step();
        expect(Object.keys(view().pools).map(Number)).to.deep.equal([12, 14]);
        expect(of('waiting').at(-1)).to.include({ pools: 1, tokens: 0, announcements: 0 });
      }
      failing = false;
      clock.advance(LIMITS.indexing.askAgainMs);
      expect(await step(), 'the head is the same').to.equal(true);
      expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
      expect(of('waiting').at(-1)).to.include({ pools: 0 });
    });
  }
});

describe('backends behind one address that are not at the same block', () => {
  /** Who answers the next polls. */
  const turns = (most: number) =>
    fc.array(fc.record({ lag: fc.constantFrom(0, 1, 2, 5), polls: fc.integer({ min: 1, max: most }) }), { minLength: 30, maxLength: 40 });
  for (const [what, most] of [
    ['taken at random', 1],
    ['each for two to four polls', 4],
  ] as const) {
    it(`make no reorgs, no steps back and no rebuilds, ${what}`, async () => {
      await fc.assert(
        fc.asyncProperty(turns(most), async (sequence) => {
          const chain = new MadeUpChain(REAL_HEIGHT);
          const headers: ChainHeader[] = [];
          for (let block = 0; block < 20; block++) headers.push(chain.grow(opened(10 + 2 * (block % 3), block)));
          const { step, of, rebuilds, clock } = follow(chain);
          await step();
          let poll = 0;
          for (const { lag, polls } of sequence) {
            for (let i = 0; i < polls; i++) {
              clock.advance(250);
              if (++poll % 4 === 0) headers.push(chain.grow(moved(10, poll)));
              chain.shown = headers.at(-1 - lag) ?? null;
              await step();
            }
          }
          const numbers = of('published').map(({ block }) => block.number);
          expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
          expect([of('reorg'), rebuilds()]).to.deep.equal([[], 1]);
        }),
        { numRuns: FULL_SCALE ? 500 : 20, seed: SEED },
      );
    });
  }

  it('do not make a fresh start begin again, that is above one of them by more than it can go back', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const headers = Array.from({ length: 30 }, () => chain.grow(opened(10, 1)));
    const { step, view, rebuilds, clock } = follow(chain, { startDepthBlocks: 8 });
    await step();
    for (let poll = 0; poll < 40; poll++) {
      clock.advance(250);
      chain.shown = poll % 5 === 4 ? null : (headers.at(-13) ?? null);
      await step();
    }
    expect([rebuilds(), view().block, chain.asked.disown]).to.deep.equal([1, chain.head.hash, undefined]);
  });
});

describe('another chain under the same address (A6)', () => {
  /** Two chains with the same contracts, and an address that leads to one of them. */
  function twins() {
    const ours = new MadeUpChain(0);
    const theirs = new MadeUpChain(0, 0x20000);
    for (let block = 0; block < 20; block++) {
      ours.grow(opened(10, 1 + block));
      theirs.grow(opened(10, 1000 + block));
    }
    const address = { leadsTo: ours };
    const reader: ChainReader = {
      latest: () => address.leadsTo.reader.latest(),
      header: (hash) => address.leadsTo.reader.header(hash),
      headerAt: (number) => address.leadsTo.reader.headerAt(number),
      logs: (header) => address.leadsTo.reader.logs(header),
      logsInRange: (...args) => address.leadsTo.reader.logsInRange(...args),
      readAt: (hash) => (calls) => address.leadsTo.reader.readAt(hash)(calls),
      anchorAt: (anchor) => ours.reader.anchorAt(anchor),
      recheck: () => ours.reader.recheck(),
      disown: () => ours.reader.disown(),
    };
    return { ours, theirs, address, followed: follow(ours, { reader, fromBlock: 0 }) };
  }

  it('is not believed for a moment: nothing of it is published, whoever shows it is asked again which chain it serves, and the own chain goes on', async () => {
    const { ours, theirs, address, followed } = twins();
    const { step, view, rebuilds, of, clock } = followed;
    await step();
    expect(ours.anchor, 'the block by which it is told').to.equal((await ours.reader.headerAt(0))?.hash);
    for (let time = 1; time <= 5; time++) {
      address.leadsTo = theirs;
      for (let poll = 1; poll < LIMITS.indexing.lostPolls; poll++) {
        theirs.grow(moved(10, 5));
        clock.advance(LIMITS.indexing.lostMs / LIMITS.indexing.lostPolls);
        expect(await step()).to.equal(false);
      }
      expect(ours.asked.disown).to.equal(time * (LIMITS.indexing.lostPolls - 1));
      address.leadsTo = ours;
      ours.grow(moved(10, time));
      await step();
      expect(view()).to.deep.equal({ block: ours.head.hash, pools: ours.pricesAt(ours.head.hash) });
    }
    expect([rebuilds(), of('orphaned')]).to.deep.equal([1, []]);
  });

  it('that showed a head at the start, and was not read, does not lend its first block to tell this chain by', async () => {
    const { ours, theirs, address, followed } = twins();
    const { step, view } = followed;
    Object.assign(theirs.reader, { logsInRange: async () => down() });
    address.leadsTo = theirs;
    expect(await step().catch(() => 'failed')).to.equal('failed');
    expect(ours.anchor).to.equal(null);
    address.leadsTo = ours;
    await step();
    expect([ours.anchor, view().block]).to.deep.equal([(await ours.reader.headerAt(0))?.hash, ours.head.hash]);
  });

  it('with a number far above ours alone is no chain to begin anew from', async () => {
    const { ours, followed } = twins();
    const { step, rebuilds, view } = followed;
    await step();
    ours.shown = { ...ours.head, number: ours.head.number + 10_000_000, hash: idOf(0xabc), parentHash: idOf(0xabd) };
    for (let poll = 0; poll < 5; poll++) expect(await step().catch(() => false)).to.equal(false);
    ours.shown = null;
    ours.grow(moved(10, 3));
    await step();
    expect([rebuilds(), view().block, ours.asked.disown]).to.deep.equal([1, ours.head.hash, 5]);
  });

  it('that stays is a chain replaced deeper than can be undone: what is published counts as orphaned until it is read anew', async () => {
    const { theirs, address, followed } = twins();
    const { step, view, rebuilds, of, clock, reports } = followed;
    await step();
    address.leadsTo = theirs;
    for (let poll = 0; poll < LIMITS.indexing.lostPolls; poll++) {
      clock.advance(LIMITS.indexing.lostMs);
      await step();
    }
    expect([rebuilds(), view()]).to.deep.equal([2, { block: theirs.head.hash, pools: theirs.pricesAt(theirs.head.hash) }]);
    expect(of('orphaned').map(({ orphaned }) => orphaned)).to.deep.equal([true, false]);
    const kinds = reports.map(({ kind }) => kind);
    expect(kinds.indexOf('orphaned'), 'before it is read').to.be.below(kinds.lastIndexOf('published'));
    expect(kinds.lastIndexOf('orphaned'), 'and until it is published').to.be.above(kinds.lastIndexOf('published'));
  });

  it('that goes away again while it is read leaves what was known: it is orphaned no more, and nothing is read anew', async () => {
    const { ours, theirs, address, followed } = twins();
    const { step, view, of, clock } = followed;
    await step();
    const broken = theirs.reader.logsInRange;
    Object.assign(theirs.reader, { logsInRange: async () => down() });
    address.leadsTo = theirs;
    for (let poll = 0; poll < LIMITS.indexing.lostPolls + 3; poll++) {
      clock.advance(LIMITS.indexing.lostMs);
      await step().catch(() => undefined);
    }
    expect(of('orphaned').map(({ orphaned }) => orphaned)).to.deep.equal([true]);
    address.leadsTo = ours;
    await step();
    expect(of('orphaned').map(({ orphaned }) => orphaned)).to.deep.equal([true, false]);
    expect(view().block).to.equal(ours.head.hash);
    Object.assign(theirs.reader, { logsInRange: broken });
  });
});

describe('the discovery of pools', () => {
  const COUNT = 75;
  const filter = { fromBlock: REAL_HEIGHT, factories: [MANAGER], topics: [OPENED] };
  function announcing(): MadeUpChain {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let pool = 0; pool < COUNT; pool += 3) chain.grow(...[0, 1, 2].map((at) => opened(10 + 2 * (pool + at), pool)), fee(1));
    return chain;
  }

  it('finds all when the answer to a range is cut off once (A17)', async () => {
    for (let cut = 1; cut <= 5; cut++) {
      const chain = announcing();
      let answers = 0;
      const reader = bent(chain, ({ logsInRange }) => ({
        logsInRange: async (...args) => {
          const logs = await logsInRange(...args);
          return ++answers === cut ? logs.slice(0, 20) : logs;
        },
      }));
      expect(await new Discovery(filter).upTo(reader, chain.head), `the ${cut}. answer`).to.have.length(COUNT);
    }
  });

  it('finds all of a node that never gives more than so many logs, down to more in one block than it gives (A17, A18)', async () => {
    for (const most of [40, 20, 5, 2]) {
      const chain = announcing();
      const reader = bent(chain, ({ logsInRange }) => ({ logsInRange: async (...args) => (await logsInRange(...args)).slice(0, most) }));
      expect(await new Discovery(filter).upTo(reader, chain.head), `${most} at a time`).to.have.length(COUNT);
    }
  });

  it('keeps what it found when the node fails, and finds anew what a reorg has taken', async () => {
    const chain = announcing();
    const early = await chain.reader.headerAt(REAL_HEIGHT + 10);
    if (early === null) throw new Error('no block');
    const asked: number[] = [];
    let failing = false;
    const reader = bent(chain, ({ logsInRange }) => ({
      logsInRange: async (from, ...rest) => {
        asked.push(from);
        return failing ? down() : logsInRange(from, ...rest);
      },
    }));
    const discovery = new Discovery(filter);
    expect(await discovery.upTo(reader, early)).to.have.length(30);
    failing = true;
    expect(await discovery.upTo(reader, chain.head).catch(() => 'failed')).to.equal('failed');
    failing = false;
    asked.length = 0;
    expect(await discovery.upTo(reader, chain.head)).to.have.length(COUNT);
    expect(Math.min(...asked)).to.equal(REAL_HEIGHT + 11);
    chain.back(20);
    for (let block = 0; block < 20; block++) chain.grow(opened(1000 + 2 * block, 1));
    const found = await discovery.upTo(reader, chain.head);
    expect(found.map(({ blockHash }) => blockHash).at(-1)).to.equal(chain.head.hash);
    expect(found).to.have.length(15 + 20);
  });
});

describe('a node that can not answer the whole of a range', () => {
  const filter = { fromBlock: REAL_HEIGHT, factories: [MANAGER], topics: [OPENED] };
  const MOST = 10;
  function chainOf(blocks: number): MadeUpChain {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let block = 0; block < blocks; block++) chain.grow(opened(10 + 2 * block, block + 1));
    return chain;
  }
  function narrow(chain: MadeUpChain, fault: () => RpcError) {
    const asked = { answered: 0, refused: 0 };
    const reader = bent(chain, ({ logsInRange }) => ({
      logsInRange: async (from, to, ...rest) => {
        if (to - from >= MOST) {
          asked.refused++;
          throw fault();
        }
        asked.answered++;
        return logsInRange(from, to, ...rest);
      },
    }));
    return { reader, asked };
  }

  for (const fault of [
    new RpcError('timeout', 'no answer within 5000 ms'),
    new RpcError('refused', 'backend response too large'),
    new RpcError('garbage', 'body above 16777216 bytes'),
    new RpcError('unavailable', 'HTTP 504'),
  ]) {
    it(`and fails with "${fault.message}" is asked for less the next time`, async () => {
      const chain = chainOf(100);
      const { reader } = narrow(chain, () => fault);
      const discovery = new Discovery(filter);
      let found: readonly unknown[] = [];
      for (let time = 0; time < 8 && found.length === 0; time++) found = await discovery.upTo(reader, chain.head).catch(() => []);
      expect(found).to.have.length(100);
    });
  }

  it('and says so is not asked for more again after each answer', async () => {
    const chain = chainOf(600);
    const { reader, asked } = narrow(chain, () => new RpcError('range-too-large', 'limited to a 10 range'));
    expect(await new Discovery(filter).upTo(reader, chain.head)).to.have.length(600);
    expect(asked.refused / asked.answered).to.be.below(0.2);
  });

  it('is asked again for no more than what a lower head or a reorg takes away', async () => {
    const chain = chainOf(60);
    const { reader, asked } = narrow(chain, () => new RpcError('range-too-large', 'limited to a 10 range'));
    const discovery = new Discovery(filter);
    await discovery.upTo(reader, chain.head);
    const lower = await chain.reader.headerAt(chain.head.number - 2);
    if (lower === null) throw new Error('no block');
    asked.answered = 0;
    expect(await discovery.upTo(reader, lower), 'a backend that lags').to.have.length(58);
    chain.back(3);
    for (let block = 0; block < 4; block++) chain.grow(opened(2000 + 2 * block, 1));
    const found = await discovery.upTo(reader, chain.head);
    expect([found.length, found.at(-1)?.blockHash]).to.deep.equal([61, chain.head.hash]);
    expect(asked.answered).to.be.below(20);
  });
});

describe('a cold start that takes longer than nodes keep states', () => {
  it('reads the pools at a block that is there when they are found, and asks for each range once', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let id = 10; id < 20; id += 2) chain.grow(opened(id, id));
    const from: number[] = [];
    const reader = bent(chain, ({ logsInRange, readAt }) => ({
      logsInRange: async (...args) => {
        // More blocks than can be caught up with come while the whole chain is read.
        if (from.length === 0) for (let block = 0; block <= LIMITS.indexing.catchUpBlocks; block++) chain.grow(moved(10, block));
        from.push(args[0]);
        return logsInRange(...args);
      },
      readAt: (hash) => {
        const { number } = chain.branch(hash).at(-1) ?? { number: 0 };
        return async (calls) => {
          if (chain.head.number - number > 128) throw new RpcError('block-gone', 'missing trie node');
          return readAt(hash)(calls);
        };
      },
    }));
    const { step, view, rebuilds } = follow(chain, { reader });
    for (let poll = 0; poll < 3; poll++) await step().catch(() => undefined);
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect([rebuilds(), from.filter((block) => block === REAL_HEIGHT).length], 'whole and in part').to.deep.equal([1, 2]);
  });

  it('keeps what it found until something is published, though the pools can not be read for longer than can be caught up with', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let id = 10; id < 20; id += 2) chain.grow(opened(id, id));
    const from: number[] = [];
    let failing = true;
    const reader = bent(chain, ({ logsInRange, readAt }) => ({
      logsInRange: async (...args) => {
        from.push(args[0]);
        return logsInRange(...args);
      },
      readAt: (hash) => (failing ? async () => down() : readAt(hash)),
    }));
    const { step, view } = follow(chain, { reader });
    expect(await step().catch(() => 'failed')).to.equal('failed');
    for (let block = 0; block <= LIMITS.indexing.catchUpBlocks; block++) chain.grow(moved(10, block));
    failing = false;
    for (let poll = 0; poll < 3; poll++) await step();
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect(from.filter((block) => block === REAL_HEIGHT).length).to.equal(2);
  });
});

describe('audits of what blocks changed (A17)', () => {
  it('are made up for when the node could not be asked, and what waits is told', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const ids = Array.from({ length: 12 }, (_, at) => 10 + 2 * at);
    for (const id of ids) chain.grow(opened(id, id));
    let failing = false;
    const reader = bent(chain, ({ readAt }) => ({ readAt: (hash) => async (calls) => (failing ? down() : readAt(hash)(calls)) }));
    const { step, of, view } = follow(chain, { reader, startDepthBlocks: 0, pools: 32 });
    await step();
    failing = true;
    // The tail of the block is cut: all told moved once, and then again.
    chain.silent.add(chain.grow(fee(9)).hash);
    chain.grow(...ids.map((id) => moved(id, 1)));
    await step();
    expect(of('audited').at(-1)?.unaudited).to.equal(1);
    chain.grow();
    await step();
    expect([of('audited').at(-1)?.unaudited, of('audit-mismatch').length]).to.deep.equal([2, 0]);
    failing = false;
    chain.grow();
    await step();
    expect([of('audited').at(-1)?.unaudited, of('audit-mismatch').length]).to.deep.equal([0, ids.length]);
    await step();
    expect(view().pools).to.deep.equal(chain.pricesAt(chain.head.hash));
  });

  it('reach all other pools beside one that nobody can digest, however often it says something', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (const id of [10, 12, 14]) chain.grow(opened(id, id));
    let broken = false;
    const reader = bent(chain, ({ readAt }) => ({
      readAt: (hash) => async (calls) => {
        const answers = await readAt(hash)(calls);
        // No number: what reads the price throws, which is no fault of the node.
        return answers.map((answer, at) => (broken && calls[at]?.data === idOf(12) ? (Symbol('junk') as unknown as `0x${string}`) : answer));
      },
    }));
    const { step, of } = follow(chain, { reader, startDepthBlocks: 0 });
    await step();
    broken = true;
    chain.silent.add(chain.grow(moved(14, 99)).hash);
    chain.grow(moved(12, 3), moved(10, 4));
    await step();
    expect(of('audit-mismatch').length, 'the one that is broken, and the one of which nothing was told').to.equal(2);
    expect(of('audited').at(-1)).to.include({ unaudited: 0 });
  });

  it('that take long hold up the chain for a moment, and not for longer', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1));
    let release: (() => void) | null = null;
    let hang = false;
    const reader = bent(chain, ({ readAt }) => ({
      readAt: (hash) => async (calls) => {
        if (hang) await new Promise<void>((resolve) => (release = resolve));
        return readAt(hash)(calls);
      },
    }));
    const { follower, view, clock } = follow(chain, { reader, startDepthBlocks: 0 });
    await follower.step();
    await follower.settled();
    hang = true;
    for (let block = 0; block < 6; block++) {
      chain.grow(moved(10, 2 + block));
      const before = clock.now();
      await follower.step();
      expect(clock.now() - before, `block ${block}`).to.equal(block > LIMITS.indexing.auditWithinBlocks ? LIMITS.indexing.auditWaitMs : 0);
      expect(view().block).to.equal(chain.head.hash);
    }
    hang = false;
    (release as (() => void) | null)?.();
    await follower.settled();
  });
});

describe('what a block costs', () => {
  it('goes by what it changed: no publish, and no audit, walks all pools', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const count = 500;
    for (let id = 0; id < count; id++) chain.grow(opened(10 + 2 * id, id));
    const { step, publisher, view } = follow(chain, { startDepthBlocks: 0, pools: 512 });
    await step();
    let walked = 0;
    const { keys } = publisher;
    Object.assign(publisher, {
      keys: () => {
        walked += count;
        return keys();
      },
    });
    const staged: number[] = [];
    const { stage } = publisher;
    Object.assign(publisher, {
      stage: (book: Parameters<typeof stage>[0], changed: Iterable<string>) => {
        const all = [...changed];
        staged.push(all.length);
        return stage(book, all);
      },
    });
    const labels = publisher.labels();
    for (let block = 0; block < 10; block++) {
      chain.grow(moved(10, block), moved(12, block));
      await step();
      expect(publisher.labels()).to.equal(labels);
    }
    expect([walked, staged]).to.deep.equal([0, Array.from({ length: 10 }, () => 2)]);
    expect(view().pools[idOf(12)]?.price).to.equal(9);
  });
});
