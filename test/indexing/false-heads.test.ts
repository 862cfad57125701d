import { expect } from 'chai';
import fc from 'fast-check';
import { LIMITS } from '../../src/config/limits.ts';
import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { down } from './bent-reader.ts';
import { follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { idOf } from './made-up-singleton.ts';

describe('backends behind one address that are not at the same block', () => {
  /** Who answers the next polls. */
  const turns = (most: number) =>
    fc.array(fc.record({ lag: fc.constantFrom(0, 1, 2, 5), polls: fc.integer({ min: 1, max: most }) }), { minLength: 30, maxLength: 40 });
  for (const [what, most] of [
    ['taken at random', 1],
    ['each for two to four polls', 4],
  ] as const) {
    it(`make no reorgs, no steps back and no rebuilds, ${what}`, async () => {
      await fc.assert(
        fc.asyncProperty(turns(most), async (sequence) => {
          const chain = new MadeUpChain(REAL_HEIGHT);
          const headers: ChainHeader[] = [];
          for (let block = 0; block < 20; block++) headers.push(chain.grow(opened(10 + 2 * (block % 3), block)));
          const { step, of, rebuilds, clock } = follow(chain);
          await step();
          let poll = 0;
          for (const { lag, polls } of sequence) {
            for (let i = 0; i < polls; i++) {
              clock.advance(250);
              if (++poll % 4 === 0) headers.push(chain.grow(moved(10, poll)));
              chain.shown = headers.at(-1 - lag) ?? null;
              await step();
            }
          }
          const numbers = of('published').map(({ block }) => block.number);
          expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
          expect([of('reorg'), rebuilds()]).to.deep.equal([[], 1]);
        }),
        { numRuns: FULL_SCALE ? 500 : 20, seed: SEED },
      );
    });
  }

  it('do not make a fresh start begin again, that is above one of them by more than it can go back', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const headers = Array.from({ length: 30 }, () => chain.grow(opened(10, 1)));
    const { step, view, rebuilds, clock } = follow(chain, { startDepthBlocks: 8 });
    await step();
    for (let poll = 0; poll < 40; poll++) {
      clock.advance(250);
      chain.shown = poll % 5 === 4 ? null : (headers.at(-13) ?? null);
      await step();
    }
    expect([rebuilds(), view().block, chain.asked.disown]).to.deep.equal([1, chain.head.hash, undefined]);
  });
});

describe('another chain under the same address (A6)', () => {
  /** Two chains with the same contracts, and an address that leads to one of them. */
  function twins() {
    const ours = new MadeUpChain(0);
    const theirs = new MadeUpChain(0, 0x20000);
    for (let block = 0; block < 20; block++) {
      ours.grow(opened(10, 1 + block));
      theirs.grow(opened(10, 1000 + block));
    }
    const address = { leadsTo: ours };
    const reader: ChainReader = {
      latest: () => address.leadsTo.reader.latest(),
      latestToTake: () => address.leadsTo.reader.latestToTake(),
      logsSince: (fromBlock) => address.leadsTo.reader.logsSince(fromBlock),
      header: (hash) => address.leadsTo.reader.header(hash),
      headerAt: (number) => address.leadsTo.reader.headerAt(number),
      logs: (header) => address.leadsTo.reader.logs(header),
      logsInRange: (...args) => address.leadsTo.reader.logsInRange(...args),
      readAt: (hash) => (calls) => address.leadsTo.reader.readAt(hash)(calls),
      anchorAt: (anchor) => ours.reader.anchorAt(anchor),
      recheck: () => ours.reader.recheck(),
      disown: () => ours.reader.disown(),
      latestFrom: () => 0,
      witnesses: () => ours.reader.witnesses(),
    };
    return { ours, theirs, address, followed: follow(ours, { reader, fromBlock: 0 }) };
  }

  it('is not believed for a moment: nothing of it is published, whoever shows it is asked again which chain it serves, and the own chain goes on', async () => {
    const { ours, theirs, address, followed } = twins();
    const { step, view, rebuilds, of, clock } = followed;
    await step();
    expect(ours.anchor, 'the block by which it is told').to.equal((await ours.reader.headerAt(0))?.hash);
    for (let time = 1; time <= 5; time++) {
      address.leadsTo = theirs;
      for (let poll = 1; poll < LIMITS.indexing.lostPolls; poll++) {
        theirs.grow(moved(10, 5));
        clock.advance(LIMITS.indexing.lostMs / LIMITS.indexing.lostPolls);
        expect(await step()).to.equal(false);
      }
      expect(ours.asked.disown).to.equal(time * (LIMITS.indexing.lostPolls - 1));
      address.leadsTo = ours;
      ours.grow(moved(10, time));
      await step();
      expect(view()).to.deep.equal({ block: ours.head.hash, pools: ours.pricesAt(ours.head.hash) });
    }
    expect([rebuilds(), of('orphaned')]).to.deep.equal([1, []]);
  });

  it('that showed a head at the start, and was not read, does not lend its first block to tell this chain by', async () => {
    const { ours, theirs, address, followed } = twins();
    const { step, view } = followed;
    Object.assign(theirs.reader, { logsInRange: async () => down() });
    address.leadsTo = theirs;
    expect(await step().catch(() => 'failed')).to.equal('failed');
    expect(ours.anchor).to.equal(null);
    address.leadsTo = ours;
    await step();
    expect([ours.anchor, view().block]).to.deep.equal([(await ours.reader.headerAt(0))?.hash, ours.head.hash]);
  });

  it('with a number far above ours alone is no chain to begin anew from', async () => {
    const { ours, followed } = twins();
    const { step, rebuilds, view } = followed;
    await step();
    ours.shown = { ...ours.head, number: ours.head.number + 10_000_000, hash: idOf(0xabc), parentHash: idOf(0xabd) };
    for (let poll = 0; poll < 5; poll++) expect(await step().catch(() => false)).to.equal(false);
    ours.shown = null;
    ours.grow(moved(10, 3));
    await step();
    expect([rebuilds(), view().block, ours.asked.disown]).to.deep.equal([1, ours.head.hash, 5]);
  });

  it('that stays is a chain replaced deeper than can be undone: what is published counts as orphaned until it is read anew', async () => {
    const { theirs, address, followed } = twins();
    const { step, view, rebuilds, of, clock, reports } = followed;
    await step();
    address.leadsTo = theirs;
    for (let poll = 0; poll < LIMITS.indexing.lostPolls; poll++) {
      clock.advance(LIMITS.indexing.lostMs);
      await step();
    }
    expect([rebuilds(), view()]).to.deep.equal([2, { block: theirs.head.hash, pools: theirs.pricesAt(theirs.head.hash) }]);
    expect(of('orphaned').map(({ orphaned }) => orphaned)).to.deep.equal([true, false]);
    const kinds = reports.map(({ kind }) => kind);
    expect(kinds.indexOf('orphaned'), 'before it is read').to.be.below(kinds.lastIndexOf('published'));
    expect(kinds.lastIndexOf('orphaned'), 'and until it is published').to.be.above(kinds.lastIndexOf('published'));
  });

  it('that goes away again while it is read leaves what was known: it is orphaned no more, and nothing is read anew', async () => {
    const { ours, theirs, address, followed } = twins();
    const { step, view, of, clock } = followed;
    await step();
    const broken = theirs.reader.logsInRange;
    Object.assign(theirs.reader, { logsInRange: async () => down() });
    address.leadsTo = theirs;
    for (let poll = 0; poll < LIMITS.indexing.lostPolls + 3; poll++) {
      clock.advance(LIMITS.indexing.lostMs);
      await step().catch(() => undefined);
    }
    expect(of('orphaned').map(({ orphaned }) => orphaned)).to.deep.equal([true]);
    address.leadsTo = ours;
    await step();
    expect(of('orphaned').map(({ orphaned }) => orphaned)).to.deep.equal([true, false]);
    expect(view().block).to.equal(ours.head.hash);
    Object.assign(theirs.reader, { logsInRange: broken });
  });
});
