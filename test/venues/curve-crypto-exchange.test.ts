import { expect } from 'chai';
import fc from 'fast-check';
import { exchange } from '../../src/venues/curve_crypto/exchange.ts';
import { MOMENT } from '../support/moment.ts';
import { check } from '../support/property.ts';
import { EVEN } from './even-crypto-pool.ts';

const RUNS = 300;

describe('an exchange on a crypto pool of Curve', () => {
  it('gives something for something, touches nothing, and leaves no gain for whoever undoes it', () => {
    const pool = Object.freeze({ ...EVEN });
    const amount = fc.bigInt(10n ** 8n, 300_000n * 10n ** 6n);
    check(
      fc.property(amount, fc.integer({ min: 1, max: 2 }), (amountIn, slotOut) => {
        const there = exchange(pool, 0, slotOut, amountIn, MOMENT);
        if (there === null) throw new Error(`refused ${amountIn}`);
        expect(there.amountOut > 0n).to.equal(true);
        expect(exchange(pool, 0, slotOut, amountIn, MOMENT)).to.deep.equal(there);
        const back = exchange(there.next, slotOut, 0, there.amountOut, MOMENT);
        expect(back === null || back.amountOut < amountIn).to.equal(true);
      }),
      RUNS,
    );
  });

  it('is refused for nothing, for less, between one coin and itself, and with a coin that is not there', () => {
    for (const amountIn of [0n, -1n]) expect(exchange(EVEN, 0, 1, amountIn, MOMENT)).to.equal(null);
    for (const [slotIn, slotOut] of [
      [1, 1],
      [0, 3],
      [3, 0],
      [-1, 0],
    ] as const)
      expect(exchange(EVEN, slotIn, slotOut, 10n ** 9n, MOMENT)).to.equal(null);
  });

  it('is priced or refused, and never thrown at, whatever word a pool says of itself', () => {
    const word = fc.oneof(fc.constantFrom(0n, 1n, (1n << 256n) - 1n, (1n << 128n) - 1n), fc.bigInt(0n, (1n << 256n) - 1n), fc.bigInt(0n, 10n ** 24n));
    const single = fc.constantFrom(
      ...(['invariant', 'feeGamma', 'outFee', 'profit', 'virtualPrice', 'shares', 'averageHalfTime', 'adjustmentStep', 'rampEndsAt', 'lastPricesAt'] as const),
    );
    const list = fc.constantFrom('balances' as const, 'precisions' as const, 'priceScale' as const, 'priceOracle' as const, 'lastPrices' as const);
    check(
      fc.property(single, list, word, word, fc.boolean(), (name, listName, one, other, adjusting) => {
        const hostile = { ...EVEN, adjusting, [name]: one, [listName]: EVEN[listName].with(1, other) };
        for (const [slotIn, slotOut] of [
          [0, 1],
          [1, 2],
          [2, 0],
        ] as const)
          expect(exchange(hostile, slotIn, slotOut, one, MOMENT)).to.satisfy((answer: unknown) => answer === null || typeof answer === 'object');
      }),
      RUNS,
    );
  });
});
