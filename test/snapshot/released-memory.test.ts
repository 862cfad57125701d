import { expect } from 'chai';
import { layOut } from '../../src/snapshot/layout.ts';
import { allocateSnapshot, SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import { sampleAddress, sampleBlock, samplePool } from './sample-facts.ts';

const CAPACITY = { arenaBytes: 2 ** 20, pools: 16, tokens: 130, slots: 8, readers: 2 };

describe('the memory of a snapshot', () => {
  it('has one record of prices and one of verdicts for 64 tokens, and four bytes in each directory for each pool and token', () => {
    for (const [tokens, records] of [
      [64, 1],
      [65, 2],
      [130, 3],
    ] as const) {
      const { priceRecords, verdictRecords, pricesWord, verdictsWord, edgesWord, poolsWord } = layOut({ ...CAPACITY, tokens });
      expect([priceRecords, verdictsWord - pricesWord]).to.deep.equal([records, records]);
      expect([verdictRecords, edgesWord - verdictsWord, poolsWord - edgesWord]).to.deep.equal([records, records, tokens]);
    }
  });

  it('of pools that are gone is free again, and their tokens have no edges', () => {
    const buffers = allocateSnapshot(CAPACITY);
    const writer = new SnapshotWriter(buffers);
    const reader = SnapshotReader.claim(buffers, 1);
    for (const token of [1, 2, 3]) writer.setToken({ address: sampleAddress(token), decimals: null, usd: null });
    let block = 0;
    const publish = () => expect(writer.publish(sampleBlock(++block)).ok).to.equal(true);
    const edges = () => {
      const view = reader.pin();
      if (view === null) throw new Error('nothing is published');
      const found = [1, 2, 3].map((token) => view.edgesFrom(view.tokenId(sampleAddress(token))).length / 4);
      reader.unpin();
      return found;
    };
    const settled = () => {
      // What is retired is freed once no reader can see it.
      for (let i = 0; i < 3; i++) publish();
      return writer.stats().arenaUsedBytes;
    };
    writer.setPool(samplePool(1, [1, 2], 1));
    const one = settled();
    expect(edges()).to.deep.equal([1, 1, 0]);
    writer.setPool(samplePool(2, [2, 3], 1));
    expect([settled() > one, edges()]).to.deep.equal([true, [1, 2, 1]]);
    writer.removePool(samplePool(2, [2, 3], 1).key);
    const without = settled();
    expect(edges()).to.deep.equal([1, 1, 0]);
    writer.removePool(samplePool(1, [1, 2], 1).key);
    const empty = settled();
    expect(edges()).to.deep.equal([0, 0, 0]);
    for (let round = 0; round < 5; round++) {
      writer.setPool(samplePool(1, [1, 2], 1));
      settled();
      writer.removePool(samplePool(1, [1, 2], 1).key);
      expect(settled()).to.equal(empty);
    }
    expect([empty < without, edges()]).to.deep.equal([true, [0, 0, 0]]);
  });
});
