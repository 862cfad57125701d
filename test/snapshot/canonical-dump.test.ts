import { expect } from 'chai';
import * as fc from 'fast-check';
import { allocateSnapshot, canonicalDump, canonicalHash, type PoolFacts, SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import { SEED } from '../support/seeded-random.ts';
import { sampleAddress, sampleBlock, samplePool } from './sample-facts.ts';

const STATE: readonly PoolFacts[] = Array.from({ length: 12 }, (_, index) =>
  samplePool(index, index % 4 === 0 ? [index, index + 1, index + 2] : [index + 1, index], index + 3),
);

/** Publishes `facts` in the given order after the given detours, and returns a pinned view. */
function publish(facts: readonly PoolFacts[], history: (writer: SnapshotWriter) => void = () => {}, block = 7) {
  const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 40, tokens: 80, readers: 1, slots: 4 });
  const writer = new SnapshotWriter(buffers);
  history(writer);
  for (const pool of facts) writer.setPool(pool);
  for (const pool of facts) for (const address of pool.tokens) writer.setToken({ address, decimals: 18, usd: null });
  writer.publish(sampleBlock(block));
  const view = SnapshotReader.claim(buffers, 1).pin();
  if (view === null) throw new Error('nothing is published');
  return view;
}

describe('The canonical dump', () => {
  it('is the same bytes for the same state, whatever the order and the history', () => {
    const expected = canonicalDump(publish(STATE));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...STATE], { minLength: STATE.length }),
        fc.array(fc.tuple(fc.nat(20), fc.nat(50), fc.boolean()), { maxLength: 40 }),
        (order, detours) => {
          const dump = canonicalDump(
            publish(order, (writer) => {
              writer.setToken({ address: sampleAddress(77), decimals: 3, usd: 12.5 });
              for (const [index, version, publishes] of detours) {
                writer.setPool(samplePool(index, [40 + (version % 5), 50], version));
                if (publishes) writer.publish(sampleBlock(version));
                if (index >= STATE.length || version % 2 === 0) writer.removePool(samplePool(index, [0, 1], 0).key);
              }
              for (let index = STATE.length; index <= 20; index++) writer.removePool(samplePool(index, [0, 1], 0).key);
            }),
          );
          expect(Buffer.compare(dump, expected)).to.equal(0);
        },
      ),
      { seed: SEED, numRuns: 100 },
    );
  });

  it('is other bytes for any other state', () => {
    const [first, ...rest] = STATE;
    if (first === undefined) throw new Error('no pool');
    const [edge, ...edges] = first.curves;
    if (edge === undefined) throw new Error('no curve');
    const words = first.words.slice();
    words[0] = (words[0] ?? 0n) ^ 1n;
    const changed: readonly PoolFacts[] = [
      { ...first, words },
      { ...first, legFacts: { fee: 1 } },
      { ...first, words: first.words.slice(1) },
      { ...first, curves: edges },
      { ...first, curves: [{ ...edge, curve: { ...edge.curve, gas: edge.curve.gas + 1 } }, ...edges] },
      { ...first, tokens: first.tokens.toReversed() },
      { ...first, source: 'family_é:other' },
      { ...first, hook: sampleAddress(3) },
      { ...first, venue: 'other' },
      { ...first, key: 'other' },
    ];
    const hashes = [STATE, rest, ...changed.map((pool) => [pool, ...rest])].map((facts) => canonicalHash(publish(facts)));
    hashes.push(canonicalHash(publish(STATE, () => {}, 8)));
    expect(new Set(hashes).size).to.equal(hashes.length);
    expect(hashes[0]).to.match(/^[0-9a-f]{64}$/);
  });
});
