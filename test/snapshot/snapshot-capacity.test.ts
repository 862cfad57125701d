import { expect } from 'chai';
import {
  allocateSnapshot,
  canonicalHash,
  EDGE_STRIDE,
  type PoolFacts,
  type SnapshotCapacity,
  SnapshotReader,
  type SnapshotView,
  SnapshotWriter,
} from '../../src/snapshot/snapshot.ts';
import { sampleAddress, sampleBlock, samplePool } from './sample-facts.ts';

const CAPACITY: SnapshotCapacity = { arenaBytes: 256 * 1024, pools: 100, tokens: 50, readers: 2, slots: 4 };

function make(capacity: Partial<SnapshotCapacity> = {}): {
  readonly writer: SnapshotWriter;
  look<T>(see: (view: SnapshotView) => T): T;
  readonly reader: SnapshotReader;
} {
  const buffers = allocateSnapshot({ ...CAPACITY, ...capacity });
  const reader = SnapshotReader.claim(buffers, 1);
  const look = <T>(see: (view: SnapshotView) => T): T => {
    const view = reader.pin();
    if (view === null) throw new Error('nothing is published');
    try {
      return see(view);
    } finally {
      reader.unpin();
    }
  };
  return { writer: new SnapshotWriter(buffers), reader, look };
}

/** A pool whose state fills about so many bytes. */
function bulky(index: number, bytes: number, stamp = 1): PoolFacts {
  return { ...samplePool(index, [0, 1], 1), words: new BigUint64Array(bytes / 8).fill(BigInt(stamp)) };
}

describe('A snapshot of fixed size', () => {
  it('refuses pools and tokens beyond its counts, and keeps serving those it has', () => {
    const { writer, look } = make({ pools: 3, tokens: 4 });
    for (let index = 0; index < 3; index++) expect(writer.setPool(samplePool(index, [0, 1 + index], index))).to.deep.equal({ ok: true, id: index });
    expect(writer.setPool(samplePool(3, [0, 1], 1))).to.deep.equal({ ok: false, reason: 'too-many-pools' });
    expect(writer.setToken({ address: sampleAddress(9), decimals: 18, usd: 1 })).to.deep.equal({ ok: false, reason: 'too-many-tokens' });
    expect(writer.setToken({ address: sampleAddress(1), decimals: 18, usd: 1 }).ok).to.equal(true);
    writer.publish(sampleBlock(1));
    expect(look((view) => [view.poolCount, view.tokenCount, view.tokenId(sampleAddress(9))])).to.deep.equal([3, 4, -1]);
  });

  it('never runs out of ids for pools that come and go: the id of the one that has been gone for longest is given on, an epoch after it left', () => {
    const { writer, look } = make({ pools: 3, tokens: 4 });
    const put = (index: number) => writer.setPool(samplePool(index, [0, 1 + (index % 3)], index));
    for (let index = 0; index < 3; index++) put(index);
    writer.publish(sampleBlock(1));
    expect(writer.removePool(samplePool(1, [0, 2], 1).key)).to.equal(true);
    expect(put(3), 'readers of the newest epoch still see it').to.deep.equal({ ok: false, reason: 'too-many-pools' });
    writer.publish(sampleBlock(2));
    expect(put(3)).to.deep.equal({ ok: true, id: 1 });
    expect(
      look((view) => [view.poolCount, view.pool(1)]),
      'before the next',
    ).to.deep.equal([3, undefined]);
    expect(put(1), 'its own id is another pool’s').to.deep.equal({ ok: false, reason: 'too-many-pools' });
    writer.publish(sampleBlock(3));
    expect(look((view) => view.pool(1)?.key)).to.equal(samplePool(3, [0, 1], 3).key);
    // Far more pools than ids, one at a time.
    for (let index = 4; index < 200; index++) {
      writer.removePool(samplePool(index - 1, [0, 1], 1).key);
      writer.publish(sampleBlock(2 * index));
      expect(put(index)).to.deep.equal({ ok: true, id: 1 });
      writer.publish(sampleBlock(2 * index + 1));
      expect(look((view) => [0, 1, 2].map((id) => view.pool(id)?.key))).to.deep.equal([0, index, 2].map((pool) => samplePool(pool, [0, 1], 1).key));
    }
    expect(writer.stats().pools).to.equal(3);
  });

  it('gives no id on while the index still leads to the pool that had it', () => {
    const { writer, look } = make({ arenaBytes: 64 * 1024, pools: 20 });
    for (let index = 0; index < 20; index++) expect(writer.setPool(samplePool(index, [0, index + 1], 1)).ok).to.equal(true);
    writer.publish(sampleBlock(1));
    const freeBytes = (): number => writer.stats().arenaCapacityBytes - writer.stats().arenaUsedBytes;
    for (let index = 0; freeBytes() > 300; index++) {
      expect(
        writer.setPool({ ...samplePool(index, [0, index + 1], 2), words: new BigUint64Array(Math.max(0, Math.floor(freeBytes() * 0.1 - 60))) }).ok,
      ).to.equal(true);
    }
    writer.removePool(samplePool(19, [0, 20], 1).key);
    writer.publish(sampleBlock(2));
    const lists19 = (): boolean => look((view) => [...view.edgesFrom(view.tokenId(sampleAddress(0)))].some((id, at) => at % EDGE_STRIDE === 0 && id === 19));
    expect(lists19(), 'no room for the index').to.equal(true);
    expect(writer.setPool(samplePool(30, [0, 1], 1))).to.deep.equal({ ok: false, reason: 'too-many-pools' });
    writer.publish(sampleBlock(3));
    expect(lists19()).to.equal(false);
    for (let index = 0; index < 10; index++) writer.setPool(samplePool(index, [0, index + 1], 3));
    writer.publish(sampleBlock(4));
    expect(writer.setPool(samplePool(30, [0, 1], 1))).to.deep.equal({ ok: true, id: 19 });
  });

  it('makes a pool absent, not stale, when its update is refused', () => {
    const { writer, look } = make({ tokens: 2 });
    writer.setPool(samplePool(0, [0, 1], 1));
    writer.publish(sampleBlock(1));
    expect(writer.setPool(samplePool(0, [0, 5], 2))).to.deep.equal({ ok: false, reason: 'too-many-tokens' });
    expect(look((view) => view.pool(0)?.id)).to.equal(0, 'the refusal is staged too');
    writer.publish(sampleBlock(2));
    expect(look((view) => view.pool(0))).to.equal(undefined);
    expect(look((view) => view.edgesFrom(0).length)).to.equal(0);
    expect(writer.stats().pools).to.equal(0);
    expect(writer.setPool(samplePool(0, [0, 1], 3))).to.deep.equal({ ok: true, id: 0 });
  });

  it('refuses new pools while there still is room for updates of known ones', () => {
    const { writer, look } = make();
    let index = 0;
    while (writer.setPool(bulky(index, 8_000)).ok) index += 1;
    expect(index).to.be.greaterThan(20);
    expect(writer.setPool(bulky(index, 8_000))).to.deep.equal({ ok: false, reason: 'arena-full' });
    writer.publish(sampleBlock(1));
    for (let round = 2; round < 100; round++) {
      expect(writer.setPool(bulky(round % index, 8_000, round)).ok).to.equal(true);
      expect(writer.publish(sampleBlock(round)).ok).to.equal(true);
      expect(look((view) => view.pool(round % index)?.words[0])).to.equal(BigInt(round));
    }
    expect(writer.removePool(bulky(0, 8).key)).to.equal(true);
    expect(writer.removePool(bulky(1, 8).key)).to.equal(true);
    writer.publish(sampleBlock(100));
    expect(writer.setPool(bulky(index, 8_000)).ok).to.equal(true, 'what was freed serves new pools');
  });

  it('joins what small records left behind into room for large ones', () => {
    const { writer } = make();
    let index = 0;
    while (index < 100 && writer.setPool(bulky(index, 2_000)).ok) index += 1;
    writer.publish(sampleBlock(1));
    for (let pool = 0; pool < index; pool++) writer.removePool(bulky(pool, 8).key);
    writer.publish(sampleBlock(2));
    expect(writer.setPool(bulky(0, 150_000)).ok).to.equal(true);
    writer.publish(sampleBlock(3));
    expect(writer.stats().arenaUsedBytes).to.be.lessThan(CAPACITY.arenaBytes);
  });

  it('takes back room that a pin held, without waiting for the next publish', () => {
    const { writer, reader } = make();
    let index = 0;
    while (writer.setPool(bulky(index, 8_000)).ok) index += 1;
    writer.publish(sampleBlock(1));
    reader.pin();
    for (let pool = 0; pool < index; pool++) writer.removePool(bulky(pool, 8).key);
    writer.publish(sampleBlock(2));
    expect(writer.setPool(bulky(0, 100_000))).to.deep.equal({ ok: false, reason: 'arena-full' });
    reader.unpin();
    expect(writer.setPool(bulky(0, 100_000)).ok).to.equal(true);
  });

  it('lets the edge index lag while there is no room for it, and catches up with the next publish', () => {
    const { writer, look } = make({ arenaBytes: 64 * 1024 });
    const poolsFrom = (token: number): readonly number[] =>
      look((view) => [...view.edgesFrom(view.tokenId(sampleAddress(token)))].filter((_, at) => at % EDGE_STRIDE === 0)).toSorted((a, b) => a - b);
    for (let index = 0; index < 20; index++) expect(writer.setPool(samplePool(index, [0, index + 1], 1)).ok).to.equal(true);
    writer.publish(sampleBlock(1));
    const freeBytes = (): number => writer.stats().arenaCapacityBytes - writer.stats().arenaUsedBytes;
    for (let index = 0; freeBytes() > 300; index++) {
      const words = new BigUint64Array(Math.max(0, Math.floor(freeBytes() * 0.1 - 60)));
      expect(
        writer.setPool({ ...samplePool(index, [0, index + 1], 2), words, curves: samplePool(0, [0, 1], 1).curves.map((edge) => ({ ...edge })) }).ok,
      ).to.equal(true);
    }
    expect(writer.removePool(samplePool(19, [0, 20], 1).key)).to.equal(true);
    writer.publish(sampleBlock(2));
    expect(look((view) => view.pool(19))).to.equal(undefined, 'what a lagging edge leads to is absent');
    expect(poolsFrom(0)).to.include(19);
    writer.publish(sampleBlock(3));
    expect(poolsFrom(0)).to.deep.equal(Array.from({ length: 19 }, (_, index) => index));
  });

  it('refuses facts that no venue may give, and is as before', () => {
    const { writer, look } = make();
    writer.setPool(samplePool(0, [0, 1], 1));
    writer.publish(sampleBlock(1));
    const before = [look(canonicalHash), writer.stats().arenaUsedBytes];
    const good = samplePool(0, [0, 1], 2);
    const curve = good.curves[0]?.curve;
    if (curve === undefined) throw new Error('the sample has no curve');
    const wrong: readonly PoolFacts[] = [
      { ...good, key: '' },
      { ...good, key: 'k'.repeat(67) },
      { ...good, tokens: [sampleAddress(0)] },
      { ...good, tokens: [sampleAddress(0), sampleAddress(0)] },
      { ...good, curves: [{ slotIn: 0, slotOut: 2, curve }] },
      { ...good, curves: [{ slotIn: 1, slotOut: 1, curve }] },
      { ...good, curves: [{ slotIn: 0.5, slotOut: 1, curve }] },
      {
        ...good,
        curves: [
          { slotIn: 0, slotOut: 1, curve },
          { slotIn: 0, slotOut: 1, curve },
        ],
      },
    ];
    for (const facts of wrong) expect(() => writer.setPool(facts)).to.throw(TypeError);
    for (const decimals of [-1, 256, 1.5]) expect(() => writer.setToken({ address: sampleAddress(0), decimals, usd: 1 })).to.throw(TypeError);
    for (const usd of [Number.NaN, Number.POSITIVE_INFINITY, -1])
      expect(() => writer.setToken({ address: sampleAddress(0), decimals: 1, usd })).to.throw(TypeError);
    expect(() => writer.publish({ ...sampleBlock(2), hash: '0xzz' })).to.throw(TypeError);
    expect(() => writer.publish({ ...sampleBlock(2), baseFeePerGas: -1n })).to.throw(TypeError);
    expect(() => writer.publish({ ...sampleBlock(2), number: 1.5 })).to.throw(TypeError);
    expect([look(canonicalHash), writer.stats().arenaUsedBytes]).to.deep.equal(before);
  });

  it('takes facts at the ends of what they may be', () => {
    const { writer, look } = make();
    const { curves, ...pool } = samplePool(0, [0, 1], 1);
    const curve = curves[0]?.curve;
    if (curve === undefined) throw new Error('the sample has no curve');
    const both = [
      { slotIn: 0, slotOut: 1, curve },
      { slotIn: 1, slotOut: 0, curve },
    ];
    writer.setPool({ ...pool, key: 'k'.repeat(66), curves: both });
    for (const [index, decimals] of [0, 255, null].entries()) writer.setToken({ address: sampleAddress(index), decimals, usd: index === 0 ? 0 : null });
    writer.publish(sampleBlock(1));
    expect(look((view) => [view.poolCount, view.edgesFrom(0).length, view.edgesFrom(1).length])).to.deep.equal([1, EDGE_STRIDE, EDGE_STRIDE]);
    expect(look((view) => [0, 1, 2].map((id) => [view.token(id).decimals, view.token(id).usd]))).to.deep.equal([
      [0, 0],
      [255, null],
      [null, null],
    ]);
  });

  it('refuses sizes that can not be addressed, and buffers that do not belong together', () => {
    const wrong: readonly Partial<SnapshotCapacity>[] = [
      { arenaBytes: 16 },
      { arenaBytes: 2 ** 34 },
      { pools: 0 },
      { tokens: 1 },
      { readers: 0 },
      { slots: 1 },
      { slots: 2.5 },
    ];
    for (const capacity of wrong) expect(() => allocateSnapshot({ ...CAPACITY, ...capacity }), JSON.stringify(capacity)).to.throw(RangeError);
    const buffers = allocateSnapshot(CAPACITY);
    const other = allocateSnapshot({ ...CAPACITY, pools: 5000 });
    expect(() => new SnapshotWriter({ ...buffers, directories: other.directories })).to.throw('expected');
    expect(() => SnapshotReader.claim({ ...buffers, control: buffers.arena }, 1)).to.throw('not the control buffer');
  });

  it('rewrites the edges of a hub only when a pool comes, goes or changes directions', () => {
    const { writer, look } = make({ arenaBytes: 2 ** 24, pools: 4_000, tokens: 4_000 });
    for (let index = 0; index < 3_000; index++) writer.setPool(samplePool(index, [0, index + 1], 1));
    writer.publish(sampleBlock(1));
    const edges = look((view) => view.edgesFrom(0));
    expect(edges.length).to.equal(3_000 * EDGE_STRIDE);
    for (let index = 0; index < 300; index++) writer.setPool(samplePool(index, [0, index + 1], 2));
    writer.publish(sampleBlock(2));
    expect(look((view) => view.edgesFrom(0))).to.equal(edges, 'a state change leaves the record alone');
    writer.setPool(samplePool(7, [0, 8], 3, [[1, 0]]));
    writer.publish(sampleBlock(3));
    expect(look((view) => view.edgesFrom(0))).to.equal(edges, 'a pool that fills one way is listed both ways');
    writer.setPool(samplePool(7, [0, 8], 4, []));
    writer.publish(sampleBlock(4));
    expect(look((view) => view.edgesFrom(0)).length).to.equal(2_999 * EDGE_STRIDE);
  });
});
