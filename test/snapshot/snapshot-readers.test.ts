import { expect } from 'chai';
import sinon from 'sinon';
import {
  allocateSnapshot,
  cancelReader,
  canonicalHash,
  headEpoch,
  overduePins,
  type PoolFacts,
  releaseReaderRows,
  SnapshotReader,
  SnapshotWriter,
} from '../../src/snapshot/snapshot.ts';
import { sampleAddress, sampleBlock, samplePool } from './sample-facts.ts';

function make(readers: number, slots: number) {
  const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 50, tokens: 50, readers, slots });
  const writer = new SnapshotWriter(buffers);
  const publish = (block: number) => {
    for (let pool = 0; pool < 10; pool++) writer.setPool(samplePool(pool, [0, pool + 1], block));
    return writer.publish(sampleBlock(block));
  };
  return { buffers, writer, publish };
}

describe('Readers of a snapshot', () => {
  afterEach(() => sinon.restore());

  it('are threads with an id, as many as there are rows', () => {
    const { buffers } = make(2, 4);
    for (const id of [-1, 0.5, Number.NaN]) expect(() => SnapshotReader.claim(buffers, id), String(id)).to.throw(RangeError);
    // The main thread.
    SnapshotReader.claim(buffers, 0);
    let claimed = 1;
    expect(() => {
      for (; claimed <= 2 * 2; claimed++) SnapshotReader.claim(buffers, claimed);
    }).to.throw(/no free reader row/);
    expect(releaseReaderRows(buffers, claimed)).to.equal(0);
    releaseReaderRows(buffers, 0);
    SnapshotReader.claim(buffers, claimed);
  });

  it('see nothing before the first publish', () => {
    const { buffers, writer } = make(1, 3);
    const reader = SnapshotReader.claim(buffers, 1);
    writer.setPool(samplePool(0, [0, 1], 1));
    expect(reader.pin()).to.equal(null);
    expect(headEpoch(buffers)).to.equal(0);
    reader.unpin();
    expect(overduePins(buffers, -1)).to.deep.equal([]);
  });

  it('never make the writer wait or skip, each holding another epoch, with two slots more than readers (B9)', () => {
    const { buffers, writer, publish } = make(5, 7);
    const readers = [1, 2, 3, 4, 5].map((thread) => SnapshotReader.claim(buffers, thread));
    const held = readers.map((reader, index) => {
      publish(index);
      const view = reader.pin();
      if (view === null) throw new Error('nothing is published');
      return { view, hash: canonicalHash(view) };
    });
    expect(new Set(held.map(({ view }) => view.epoch)).size).to.equal(5);
    for (let block = 10; block < 60; block++) expect(publish(block).ok).to.equal(true);
    expect(writer.stats().pinnedSlots).to.equal(5);
    for (const [index, { view, hash }] of held.entries()) {
      expect(view.block.number).to.equal(index);
      expect(canonicalHash(view)).to.equal(hash);
    }
  });

  it('leave a slow one its epoch across 30 blocks, and the others the newest (B8)', () => {
    const { buffers, publish } = make(2, 4);
    const [slow, quick] = [SnapshotReader.claim(buffers, 1), SnapshotReader.claim(buffers, 2)];
    publish(1);
    const view = slow.pin();
    for (let block = 2; block <= 31; block++) {
      publish(block);
      expect(quick.pin()?.block.number).to.equal(block);
      quick.unpin();
    }
    expect(view?.block.number).to.equal(1);
    expect(view?.pool(3)?.words).to.deep.equal(samplePool(3, [0, 4], 1).words);
  });

  it('make a ring that is too short skip publishes, whose changes go with the next', () => {
    const { buffers, writer, publish } = make(2, 2);
    const reader = SnapshotReader.claim(buffers, 1);
    publish(1);
    const old = reader.pin();
    publish(2);
    for (const block of [3, 4]) expect(publish(block)).to.deep.equal({ ok: false, reason: 'slots-pinned' });
    expect(headEpoch(buffers)).to.equal(2);
    expect(old?.pool(0)?.words).to.deep.equal(samplePool(0, [0, 1], 1).words);
    writer.removePool(samplePool(9, [0, 1], 0).key);
    reader.unpin();
    expect(writer.publish(sampleBlock(5))).to.include({ ok: true, changedPools: 10 });
    const view = reader.pin();
    expect(view?.block.number).to.equal(5);
    expect(view?.pool(0)?.words).to.deep.equal(samplePool(0, [0, 1], 4).words);
    expect(view?.pool(9)).to.equal(undefined);
  });

  it('see no change where a pool is staged as it is, and one where a word, a curve or its identity differs', () => {
    const { buffers, writer, publish } = make(1, 4);
    const reader = SnapshotReader.claim(buffers, 1);
    publish(1);
    const pools = Array.from({ length: 10 }, (_, index) => samplePool(index, [0, index + 1], 1));
    const first = reader.pin()?.pool(3);
    reader.unpin();
    for (const pool of pools) writer.setPool(pool);
    expect(writer.publish(sampleBlock(2))).to.include({ ok: true, changedPools: 0 });
    expect(reader.pin()?.pool(3)).to.equal(first);
    reader.unpin();
    const [zero, one, two] = pools as [PoolFacts, PoolFacts, PoolFacts];
    writer.setPool({ ...zero, words: zero.words.map((word, at) => (at === zero.words.length - 1 ? word ^ 1n : word)) });
    writer.setPool({ ...one, source: 'family_é:other' });
    writer.setPool({ ...two, curves: samplePool(2, [0, 3], 2).curves });
    expect(writer.publish(sampleBlock(3))).to.include({ ok: true, changedPools: 3 });
    for (const pool of [zero, one, two]) writer.setPool(pool);
    for (const pool of [zero, one, two]) writer.setPool(pool);
    expect(writer.publish(sampleBlock(4))).to.include({ ok: true, changedPools: 3 });
    writer.removePool(zero.key);
    writer.setPool(zero);
    expect(writer.publish(sampleBlock(5))).to.include({ ok: true, changedPools: 1 });
    expect(reader.pin()?.pool(0)?.words).to.deep.equal(zero.words);
  });

  it('get one object for one state, and another for another', () => {
    const { buffers, writer, publish } = make(1, 4);
    const reader = SnapshotReader.claim(buffers, 1);
    publish(1);
    const first = reader.pin()?.pool(3);
    reader.unpin();
    writer.setPool(samplePool(4, [0, 5], 9));
    writer.publish(sampleBlock(2));
    const view = reader.pin();
    expect(view?.pool(3)).to.equal(first);
    expect(view?.pool(3)?.words).to.equal(first?.words);
    expect(view?.pool(3)?.curve(0, 1)).to.equal(first?.curve(0, 1));
    reader.unpin();
    publish(3);
    expect(reader.pin()?.pool(3)).to.not.equal(first);
  });

  it('are refused what is not theirs: a second pin, a view after its unpin, ids out of range', () => {
    const { buffers, publish } = make(1, 4);
    const reader = SnapshotReader.claim(buffers, 1);
    publish(1);
    const view = reader.pin();
    expect(() => reader.pin()).to.throw('pin already');
    for (const id of [-1, 10, 0.5, Number.NaN]) expect(() => view?.pool(id), `${id}`).to.throw(RangeError);
    for (const id of [-1, 11, 0.5, Number.NaN]) expect(() => view?.edgesFrom(id), `${id}`).to.throw(RangeError);
    expect(view?.pool(0)?.curve(0, 2)).to.equal(undefined);
    reader.unpin();
    expect(() => view?.pool(0)).to.throw('after its unpin');
    expect(() => view?.tokenId(sampleAddress(0))).to.throw('after its unpin');
    reader.unpin();
    expect(() => SnapshotReader.claim(buffers, 2)).to.throw('no free reader row');
  });

  it('hear a cancel that is meant for them, until their next pin', () => {
    const { buffers, publish } = make(2, 4);
    const [one, two] = [SnapshotReader.claim(buffers, 1), SnapshotReader.claim(buffers, 2)];
    publish(1);
    one.pin();
    two.pin();
    cancelReader(buffers, 2);
    expect([one.cancelled(), two.cancelled()]).to.deep.equal([false, true]);
    two.unpin();
    two.pin();
    expect(two.cancelled()).to.equal(false);
  });

  it('are reported with their age when a pin is overdue, and only by release lose it', () => {
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    const { buffers, publish, writer } = make(2, 4);
    const reader = SnapshotReader.claim(buffers, 7);
    publish(1);
    reader.pin();
    clock.tick(3_000);
    expect(overduePins(buffers, 2_999)).to.deep.equal([{ threadId: 7, heldMs: 3_000 }]);
    expect(overduePins(buffers, 3_000)).to.deep.equal([]);
    expect(releaseReaderRows(buffers, 8)).to.equal(0);
    expect(overduePins(buffers, 0)).to.have.length(1);
    expect(releaseReaderRows(buffers, 7)).to.equal(1);
    expect(releaseReaderRows(buffers, 7)).to.equal(0);
    expect(overduePins(buffers, 0)).to.deep.equal([]);
    expect(writer.stats()).to.include({ reclaimedPins: 1, pinnedSlots: 0 });
    const successors = [SnapshotReader.claim(buffers, 8), SnapshotReader.claim(buffers, 9)];
    expect(successors).to.have.length(2);
  });
});
