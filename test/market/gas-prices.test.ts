import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { diceOf } from '../../src/market/dice.ts';
import { drawGasPrices } from '../../src/market/gas-prices.ts';
import { check } from '../support/property.ts';

const GWEI = 10n ** 9n;

describe('what measurements pay for gas', () => {
  const dice = diceOf(randomBytes);

  it('is never less than a block asks for, nor more than the reach of tips above it, and never the same range of tips twice', () => {
    check(
      fc.property(fc.option(fc.bigInt(0n, 10n ** 14n)), fc.bigInt(0n, 10n ** 12n), (baseFee, minimum) => {
        const asked = [baseFee ?? 0n, minimum].reduce((most, one) => (one > most ? one : most));
        const reach = [baseFee ?? 0n, 3n * GWEI, 4n * minimum].reduce((most, one) => (one > most ? one : most));
        const tips = drawGasPrices(baseFee, minimum, dice)
          .map((price) => price - asked)
          .sort((one, other) => (one < other ? -1 : 1));
        const [low, middle, high] = tips as [bigint, bigint, bigint];
        expect(low >= 0n && low <= reach / 256n + 1n, `${low}`).to.equal(true);
        expect(middle >= reach / 256n && middle <= reach / 16n + 1n, `${middle}`).to.equal(true);
        expect(high >= reach / 16n && high <= reach + 1n, `${high}`).to.equal(true);
      }),
      200,
    );
  });

  it('may be what the block asks for and nothing more, and is the most in each of the three requests by turns', () => {
    const draws = Array.from({ length: 400 }, () => drawGasPrices(0n, 0n, dice));
    expect(draws.some((prices) => prices.includes(0n))).to.equal(true);
    for (const at of [0, 1, 2] as const) expect(draws.some((prices) => prices.every((price) => price <= prices[at]))).to.equal(true);
  });
});
