import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';

const SECOND = 1000;

/** A chain in two branches after a common block, and three endpoints, of which the first shows the one and the others the other. */
function split() {
  const chain = new MadeUpChain(REAL_HEIGHT);
  for (let block = 0; block < 6; block++) chain.grow(opened(10, block));
  const followed = follow(chain, { startDepthBlocks: 4 });
  const fork = chain.head;
  chain.grow(moved(10, 100));
  const tips = { lone: chain.head, others: fork };
  chain.back(1);
  chain.grow(moved(10, 200));
  tips.others = chain.head;
  const growOn = (which: 'lone' | 'others', value: number) => {
    tips[which] = chain.growOn(tips[which], moved(10, value));
  };
  const show = (at: number) => {
    chain.shown = tips[at === 0 ? 'lone' : 'others'];
  };
  /** Which endpoints show what, and who is followed. */
  const vote = (others: readonly number[], followedAt = 0, lone: readonly number[] = [0]) => {
    const heads = [...lone.map((endpoint) => [endpoint, tips.lone] as const), ...others.map((endpoint) => [endpoint, tips.others] as const)];
    chain.witnesses = heads.map(([endpoint, { number, hash }]) => ({ endpoint, number, hash }));
    show(followedAt);
  };
  return { ...followed, chain, tips, growOn, vote };
}

describe('a head that one of several endpoints knows alone', () => {
  it('is left once two others have gone on with another branch for a while, and theirs is followed, lower though it is', async () => {
    const { step, clock, vote, growOn, tips, chain, view, ignored } = split();
    vote([1, 2]);
    await step();
    for (let block = 0; block < 5; block++) growOn('lone', 101 + block);
    vote([1, 2]);
    await step();
    expect(view().block, 'followed at first').to.equal(tips.lone.hash);
    clock.advance(LIMITS.indexing.outvotedMs);
    growOn('others', 201);
    vote([1, 2]);
    await step();
    expect([chain.asked.recheck, chain.asked.disown], 'both are asked once more which chain they serve').to.deep.equal([2, undefined]);
    growOn('others', 202);
    vote([1, 2]);
    expect([await step(), chain.asked.recheck, chain.asked.disown]).to.deep.equal([false, 2, 1]);
    expect(ignored('denied-head')).to.equal(1);
    // Left: the next head is of one of the others.
    vote([1, 2], 1, []);
    await step();
    expect(view()).to.deep.equal({ block: tips.others.hash, pools: chain.pricesAt(tips.others.hash) });
  });

  it('is believed while the others only lag, stand still on another branch, are fewer than two, or have as many on this one', async () => {
    const cases: readonly (readonly [string, (parts: ReturnType<typeof split>) => void])[] = [
      ['they stand still', ({ vote }) => vote([1, 2])],
      ['one other', ({ vote, growOn }) => [growOn('others', 300), vote([1])]],
      ['as many', ({ vote, growOn }) => [growOn('others', 300), vote([1, 2], 0, [0, 3])]],
    ];
    for (const [what, happen] of cases) {
      const parts = split();
      const { step, clock, growOn, vote, tips, view, chain } = parts;
      vote([]);
      await step();
      for (let second = 0; second < 20; second++) {
        growOn('lone', 400 + second);
        happen(parts);
        clock.advance(SECOND);
        await step();
      }
      expect([view().block, chain.asked.disown], what).to.deep.equal([tips.lone.hash, undefined]);
    }
  });

  it('is followed on where one of the two others is of another chain, and is left for it once it is asked which it serves', async () => {
    const { step, clock, vote, growOn, tips, view, chain } = split();
    vote([1, 2]);
    await step();
    for (let block = 0; block < 8; block++) growOn('lone', 600 + block);
    for (let second = 0; second < 8; second++) {
      growOn('others', 601 + second);
      vote(chain.asked.recheck === undefined ? [1, 2] : [1]);
      clock.advance(SECOND);
      await step();
    }
    expect([view().block, chain.asked.recheck, chain.asked.disown]).to.deep.equal([tips.lone.hash, 2, undefined]);
  });

  it('is followed on where the two others come over before they went on', async () => {
    const { step, clock, vote, growOn, tips, view, chain } = split();
    vote([1, 2]);
    await step();
    clock.advance(LIMITS.indexing.outvotedMs);
    growOn('lone', 500);
    vote([], 0, [0, 1, 2]);
    await step();
    growOn('others', 501);
    vote([1, 2]);
    await step();
    expect([view().block, chain.asked.disown]).to.deep.equal([tips.lone.hash, undefined]);
  });
});

describe('a chain that was replaced, beside an endpoint that stands still on the old one', () => {
  it('is read anew once nothing has led on for long, though the old tip is shown in between', async () => {
    const old = new MadeUpChain(REAL_HEIGHT);
    const anew = new MadeUpChain(REAL_HEIGHT, 0x20000);
    for (let block = 0; block < 10; block++) {
      old.grow(opened(10, block));
      anew.grow(opened(10, 1000 + block));
    }
    let leadsTo = old;
    const reader = { ...old.reader, latest: () => leadsTo.reader.latest() };
    for (const ask of ['header', 'headerAt', 'logs', 'logsInRange', 'readAt'] as const) {
      Object.assign(reader, { [ask]: (...args: readonly unknown[]) => (leadsTo.reader[ask] as (...args: readonly unknown[]) => unknown)(...args) });
    }
    const { step, clock, view, of } = follow(old, { reader });
    await step();
    const alternate = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        clock.advance(SECOND);
        leadsTo = second % 2 === 0 ? anew : old;
        await step();
      }
    };
    await alternate(20);
    expect([view().block, of('orphaned')], 'it may go on').to.deep.equal([old.head.hash, []]);
    await alternate(25);
    expect(view().block).to.equal(anew.head.hash);
  });
});
