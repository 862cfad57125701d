import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { bent, down } from './bent-reader.ts';
import { fee, follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { idOf } from './made-up-singleton.ts';

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

  it('that can not be done are counted, a bug of ours beside the node’s faults, and said once', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow(opened(10, 1));
    let fault: (() => never) | null = null;
    // Of whom the audit asks is not known to be at fault where it has no block to ask about.
    const reader = bent(chain, ({ readAt }) => ({ readAt: (hash) => (fault === null ? readAt(hash) : fault()) }));
    const { step, of, ignored } = follow(chain, { reader, startDepthBlocks: 0 });
    await step();
    fault = () => {
      throw new TypeError('a bug of ours');
    };
    for (let block = 0; block < 3; block++) {
      chain.grow(moved(10, 2 + block));
      await step();
    }
    expect([ignored('audit-bug'), ignored('unaudited')]).to.deep.equal([3, 0]);
    expect(of('log').filter(({ message }) => message.includes('a bug of ours'))).to.have.length(1);
    fault = down;
    chain.grow(moved(10, 9));
    await step();
    expect([ignored('audit-bug'), ignored('unaudited'), of('audited').at(-1)?.unaudited]).to.deep.equal([3, 1, 4]);
    fault = null;
    chain.grow();
    await step();
    expect(of('audited').at(-1)?.unaudited).to.equal(0);
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
