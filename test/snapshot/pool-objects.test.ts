// A search tells pools apart by their objects: within a pinned view a pool has to be the same object each time, however many pools there are.
import { expect } from 'chai';
import { allocateSnapshot, SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import { sampleBlock, samplePool } from './sample-facts.ts';

describe('pools of a large snapshot', () => {
  it('are the same objects each time, also where ids are powers of two apart', () => {
    const POOLS = 2 ** 16 + 1;
    const buffers = allocateSnapshot({ arenaBytes: 2 ** 26, pools: POOLS, tokens: 16, readers: 1, slots: 2 });
    const writer = new SnapshotWriter(buffers);
    for (let index = 0; index < POOLS; index++) writer.setPool({ ...samplePool(index, [1, 2], 0), words: new BigUint64Array(0), curves: [] });
    writer.publish(sampleBlock(1));
    const view = SnapshotReader.claim(buffers, 0).pin();
    const first = view?.pool(0);
    expect(first?.key).to.equal(samplePool(0, [1, 2], 0).key);
    for (let id = 1; id < POOLS; id *= 2) expect(view?.pool(id)?.id).to.equal(id);
    expect(view?.pool(0)).to.equal(first);
  });
});
