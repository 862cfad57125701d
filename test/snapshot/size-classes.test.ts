import { expect } from 'chai';
import { classHolding, classServedBy, sizeClasses } from '../../src/snapshot/size-classes.ts';

describe('sizes of blocks', () => {
  const LARGEST = 2_000;
  const sizes = sizeClasses(LARGEST);

  it('are every unit up to 16 and then four steps a doubling, none above the largest', () => {
    expect([...sizeClasses(40)]).to.deep.equal([...Array.from({ length: 16 }, (_, index) => index + 1), 20, 24, 28, 32, 40]);
    expect([...sizeClasses(7)]).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect([...sizeClasses(16)].at(-1)).to.equal(16);
    expect([...sizes]).to.deep.equal([...sizes].sort((a, b) => a - b));
  });

  it('waste less than a fifth', () => {
    for (let units = 1; units <= (sizes.at(-1) ?? 0); units++) {
      const size = sizes[classHolding(sizes, units)] ?? 0;
      expect(size, String(units)).to.be.at.least(units);
      expect((size - units) / size, String(units)).to.be.lessThan(0.2);
    }
  });

  it('hold what is at most as large and serve from what is at least as large, both as closely as can be', () => {
    for (let units = 1; units <= LARGEST; units++) {
      const holding = classHolding(sizes, units);
      expect(holding, String(units)).to.equal([...sizes, Number.POSITIVE_INFINITY].findIndex((size) => size >= units));
      expect(classServedBy(sizes, units), String(units)).to.equal(sizes.findLastIndex((size) => size <= units));
    }
    expect(classHolding(sizes, LARGEST + 1), 'none does').to.equal(sizes.length);
  });
});
