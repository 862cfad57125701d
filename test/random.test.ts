import { expect } from 'chai';
import fc from 'fast-check';
import { createRandom } from '../src/random.ts';
import { SEED, seededRandom } from './support/seeded-random.ts';

describe('the seeded source of numbers', () => {
  it('gives the sequence that it always gave: kept states of the devnet, pool sets and figures were drawn by it', () => {
    const draw = (seed: number) => {
      const { word } = createRandom(seed);
      return [word(), word(), word()];
    };
    expect(draw(1)).to.deep.equal([2693262067, 11749833, 2265367787]);
    expect(draw(0xffffffff)).to.deep.equal([3850105811, 813802916, 3073704848]);
    expect(draw(2 ** 32 + 1), 'the lowest 32 bits of the seed count').to.deep.equal(draw(1));
    const named = seededRandom('name', 1);
    expect([named.bits(70), named.logUniform(10n ** 30n)]).to.deep.equal([219080340067196065537n, 5006672315805n]);
  });

  it('stays within what is asked for', () => {
    const bound = fc.integer({ min: 1, max: 2 ** 31 });
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), bound, (seed, min, count) => {
        const random = createRandom(seed);
        expect(random.unit()).to.be.within(0, 1 - 2 ** -32);
        expect(random.word()).to.be.within(0, 2 ** 32 - 1);
        expect(random.below(count))
          .to.satisfy(Number.isInteger)
          .and.be.within(0, count - 1);
        expect(random.integer(min, min + count - 1))
          .to.satisfy(Number.isInteger)
          .and.be.within(min, min + count - 1);
        expect(random.between(min, min + count)).to.be.within(min, min + count);
        expect(random.chance(1)).to.equal(true);
        expect(random.chance(0)).to.equal(false);
        expect(random.pick(['one'])).to.equal('one');
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});
