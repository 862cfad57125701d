import { expect } from 'chai';
import { SnapshotReader } from '../../src/snapshot/snapshot.ts';
import { follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { idOf } from './made-up-singleton.ts';

describe('a block that finds no free place in the snapshot', () => {
  it('is said to be skipped and not to be published, and is published as soon as there is a place, without another block', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow();
    chain.grow(opened(10, 5));
    const { step, buffers, view, of, ignored } = follow(chain, { slots: 2 });
    const reader = SnapshotReader.claim(buffers, 2);
    expect(await step()).to.equal(true);
    // Who solves with it for long; what comes next takes the other place.
    reader.pin();
    chain.grow(moved(10, 6));
    expect(await step()).to.equal(true);
    const before = { view: view(), published: of('published').length };
    chain.grow(moved(10, 7));
    expect(await step()).to.equal(false);
    expect(view()).to.deep.equal(before.view);
    expect([of('published').length, ignored('skipped-publish')]).to.deep.equal([before.published, 1]);
    expect(await step(), 'still none').to.equal(false);
    reader.unpin();
    expect(await step()).to.equal(true);
    expect([view().block, view().pools[idOf(10)]?.price]).to.deep.equal([chain.head.hash, 7]);
    expect(of('published').at(-1)?.block.number).to.equal(chain.head.number);
    const published = of('published').length;
    expect(await step(), 'once').to.equal(false);
    expect(of('published').length).to.equal(published);
  });
});
