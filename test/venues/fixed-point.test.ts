import { expect } from 'chai';
import fc from 'fast-check';
import { ceilDiv, complement, divDown, divUp, mulDown, mulUp, ONE, powUp } from '../../src/venues/balancer/fixed-point.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe('numbers with 18 decimals', () => {
  it('are rounded the way their names say, by less than one', () => {
    fc.assert(
      fc.property(amount, positive, (a, b) => {
        const [product, quotient] = [a * b, a * ONE];
        expect(mulDown(a, b) * ONE <= product && product < (mulDown(a, b) + 1n) * ONE).to.equal(true);
        expect(mulUp(a, b) * ONE >= product && (mulUp(a, b) - 1n) * ONE < product).to.equal(true);
        expect(divDown(a, b) * b <= quotient && quotient < (divDown(a, b) + 1n) * b).to.equal(true);
        expect(divUp(a, b) * b >= quotient && (divUp(a, b) - 1n) * b < quotient).to.equal(true);
        expect(ceilDiv(a, b) * b >= a && (ceilDiv(a, b) - 1n) * b < a).to.equal(true);
      }),
    );
    expect([complement(0n), complement(1n), complement(ONE - 1n), complement(ONE), complement(ONE + 1n)]).to.deep.equal([ONE, ONE - 1n, 1n, 0n, 0n]);
  });

  // FixedPoint.sol since September 2022: powers of one, two and four are products, each rounded up.
  it('to the power of 1, 2 and 4 are products in newer pools, and never below them in older ones, by less than 2 · 10^-14', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: ONE / 1000n, max: 2n * ONE }), (x) => {
        const square = (x * x + ONE - 1n) / ONE;
        const fourth = (square * square + ONE - 1n) / ONE;
        expect([1n, 2n, 4n].map((y) => powUp(x, y * ONE, 'multiplied'))).to.deep.equal([x, square, fourth]);
        for (const y of [1n, 2n, 4n]) {
          const [exact, unit] = [x ** y, ONE ** (y - 1n)];
          const old = powUp(x, y * ONE, 'logarithm');
          expect(old * unit >= exact, `${x}^${y}`).to.equal(true);
          expect((old - 3n) * unit <= exact + exact / (10n ** 14n / 2n), `${x}^${y}`).to.equal(true);
        }
        expect(powUp(x, 3n * ONE, 'multiplied'), 'three is no product').to.equal(powUp(x, 3n * ONE, 'logarithm'));
        expect(powUp(x, 0n, 'multiplied'), 'nor is nothing').to.equal(powUp(x, 0n, 'logarithm'));
      }),
    );
  });
});
