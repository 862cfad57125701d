import { expect } from 'chai';
import fc from 'fast-check';
import { bisectFirstBlock } from '../../src/first-blocks/bisect.ts';
import { SEED } from '../support/seeded-random.ts';

describe('the first block of a contract, by halving', () => {
  const heights = fc
    .tuple(fc.integer({ min: 0, max: 500_000_000 }), fc.integer({ min: 0, max: 500_000_000 }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

  it('is the block in which it was made, after at most as many questions as the height has bits', async () => {
    await fc.assert(
      fc.asyncProperty(heights, async ([made, last]) => {
        const asked: number[] = [];
        const found = await bisectFirstBlock(last, async (block) => {
          asked.push(block);
          return block >= made ? 'there' : 'absent';
        });
        expect(found).to.deep.equal({ block: made, exact: true });
        expect(asked.length).to.be.at.most(30);
        expect(new Set(asked).size, 'asked twice').to.equal(asked.length);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it('is never after that block where the states of some time are unknown', async () => {
    await fc.assert(
      fc.asyncProperty(heights, fc.integer({ min: 0, max: 500_000_000 }), async ([made, last], pruned) => {
        const { block, exact } = await bisectFirstBlock(last, async (asked) => (asked < pruned ? 'unknown' : asked >= made ? 'there' : 'absent'));
        expect(block).to.be.at.most(made);
        if (exact) expect(block).to.equal(made);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it('is 0 of what is there since the beginning', async () => {
    expect(await bisectFirstBlock(0, async () => 'absent')).to.deep.equal({ block: 0, exact: true });
    expect(await bisectFirstBlock(1000, async () => 'there')).to.deep.equal({ block: 0, exact: true });
  });

  it('holds for every height up to 20 and every block of it', async () => {
    for (let last = 0; last <= 20; last++) {
      for (let made = 0; made <= last; made++) {
        expect(await bisectFirstBlock(last, async (block) => (block >= made ? 'there' : 'absent'))).to.deep.equal({ block: made, exact: true });
      }
    }
  });
});
