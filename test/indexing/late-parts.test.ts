import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { bent, down } from './bent-reader.ts';
import { follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';

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
    const audited = LIMITS.indexing.auditOthers.perBlock;
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
      clock.advance(LIMITS.indexing.askAgainMs.first);
      expect(await step(), 'the head is the same').to.equal(true);
      expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
      expect(of('waiting').at(-1)).to.include({ pools: 0 });
    });
  }
});
