import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { Discovery } from '../../src/indexing/discovery.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { bent, down } from './bent-reader.ts';
import { fee, follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { MANAGER, OPENED } from './made-up-singleton.ts';

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

  for (const reason of ['limited', 'foreign-chain', 'block-gone', 'reverted', 'starved', 'closed'] as const) {
    it(`and fails with "${reason}", which says nothing of how much was asked for, is asked for as much again`, async () => {
      const chain = chainOf(100);
      const asked: string[] = [];
      let failing = true;
      const reader = bent(chain, ({ logsInRange }) => ({
        logsInRange: async (from, to, ...rest) => {
          asked.push(`${from} to ${to}`);
          if (failing) throw new RpcError(reason, 'not now');
          return logsInRange(from, to, ...rest);
        },
      }));
      const discovery = new Discovery(filter);
      expect(await discovery.upTo(reader, chain.head).catch((error: RpcError) => error.reason)).to.equal(reason);
      failing = false;
      const before = asked.splice(0);
      expect(await discovery.upTo(reader, chain.head)).to.have.length(100);
      expect(asked).to.deep.equal(before);
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
