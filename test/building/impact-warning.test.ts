import { expect } from 'chai';
import fc from 'fast-check';
import { impactWarning } from '../../src/building/impact-warning.ts';
import { priceImpactOf } from '../../src/quoting/usd.ts';
import { check } from '../support/property.ts';

function warns(amountInUsd: number, amountOutUsd: number): boolean {
  return impactWarning({ amountInUsd, amountOutUsd, priceImpact: priceImpactOf(amountInUsd, amountOutUsd) }).length > 0;
}

describe('HIGH_PRICE_IMPACT: strictly below 0.85', () => {
  it('not at 0.85, of any amount in cents; at the least bit below', () => {
    for (let cents = 1; cents <= 20_000; cents++) {
      const input = cents / 100;
      const output = Number(`${85 * cents}e-4`);
      expect(priceImpactOf(input, output), String(cents)).to.equal(0.85);
      expect(warns(input, output), `${input} to ${output}`).to.equal(false);
      expect(warns(input, Number((output * (1 - 1e-11)).toPrecision(12))), `${input} to less than ${output}`).to.equal(true);
    }
  });

  it('agrees with integers and with the ratio shown, whatever the amounts', () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 12n - 1n });
    const decimal = fc.tuple(digits, fc.integer({ min: -12, max: 12 }));
    const near = fc.tuple(digits, fc.integer({ min: -12, max: 12 }), fc.bigInt({ min: -3n, max: 3n })).map(([input, places, off]) => {
      const output = (85n * input) / 100n + off;
      return [
        [input, places],
        [output > 0n ? output : 1n, places],
      ] as const;
    });
    check(
      fc.property(fc.oneof(fc.tuple(decimal, decimal), near), ([[input, inPlaces], [output, outPlaces]]) => {
        const [amountIn, amountOut] = [Number(`${input}e${inPlaces}`), Number(`${output}e${outPlaces}`)];
        const below = output * 10n ** BigInt(outPlaces + 12) * 100n < 85n * input * 10n ** BigInt(inPlaces + 12);
        expect(warns(amountIn, amountOut)).to.equal(below);
        const shown = priceImpactOf(amountIn, amountOut) ?? Number.NaN;
        expect(shown < 0.85).to.equal(below);
        expect(Math.abs(shown - amountOut / amountIn)).to.be.at.most(shown * 4 * Number.EPSILON + 1e-20);
      }),
      500,
    );
  });

  it('needs both sides, and an input that is worth something', () => {
    expect([priceImpactOf(null, 1), priceImpactOf(1, null), priceImpactOf(0, 1)]).to.deep.equal([null, null, null]);
    expect(warns(0, 0)).to.equal(false);
    expect(warns(1, 0)).to.equal(true);
  });
});
