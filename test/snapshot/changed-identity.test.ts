// A contract may be made anew at its address, and a label is the operator's to change: who holds the next block must see what a pool is now, and who holds the last one what it was.
import { expect } from 'chai';
import { allocateSnapshot, type PoolFacts, SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import { sampleAddress, sampleBlock, samplePool } from './sample-facts.ts';

const BEFORE = samplePool(1, [0, 1], 3);
const CHANGES: Readonly<Record<string, Partial<PoolFacts>>> = {
  address: { address: sampleAddress(7) },
  hook: { hook: sampleAddress(8) },
  'no hook': { hook: null },
  protocol: { protocol: 'family_2' },
  source: { source: 'family_é:other' },
  venue: { venue: 'folder_2' },
  'facts of its leg': { legFacts: { tickSpacing: 9, id: 'poolKey_é' } },
  tokens: { tokens: [2, 1].map(sampleAddress) },
  'the order of its tokens': { tokens: [1, 0].map(sampleAddress) },
};

describe('a pool that is something else in the next block', () => {
  for (const [what, change] of Object.entries(CHANGES)) {
    it(`in ${what}`, () => {
      const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 8, tokens: 8, readers: 2, slots: 4 });
      const writer = new SnapshotWriter(buffers);
      const seenBy = (thread: number) => {
        const view = SnapshotReader.claim(buffers, thread).pin();
        if (view === null) throw new Error('nothing is published');
        return () => {
          const seen = view.pool(0);
          if (seen === undefined) throw new Error('the pool is gone');
          const { address, hook, protocol, source, venue, legFacts, tokens } = seen;
          return { address, hook, protocol, source, venue, legFacts, tokens: [...tokens].map((id) => view.token(id)?.address) };
        };
      };
      const factsOf = ({ address, hook, protocol, source, venue, legFacts, tokens }: PoolFacts) => ({
        address,
        hook,
        protocol,
        source,
        venue,
        legFacts,
        tokens,
      });
      writer.setPool(BEFORE);
      writer.publish(sampleBlock(1));
      const last = seenBy(1);
      const after = { ...BEFORE, ...change };
      writer.setPool(after);
      writer.publish(sampleBlock(2));
      expect(seenBy(2)()).to.deep.equal(factsOf(after));
      expect(last()).to.deep.equal(factsOf(BEFORE));
    });
  }
});
