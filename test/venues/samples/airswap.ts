import fc from 'fast-check';
import { asAddress, type EpochSeconds } from '../../../src/units/units.ts';
import type { QuotedPair } from '../../../src/venues/airswap/state.ts';
import type { Ladder, Rung } from '../../../src/venues/ladder/rungs.ts';
import type { VenueSample } from '../venue-sample.ts';

const SIGNER = asAddress('0x51c72848c68a965f66fa7a88855f9f7784502a7f');
/** Later than any moment that the suite prices at. */
const LATE = 4_000_000_000 as EpochSeconds;

/** Prices that fall from level to level, by more than a rounding of what a level gives. */
const ladder = fc
  .record({
    size: fc.bigInt(10n ** 9n, 10n ** 24n),
    price: fc.bigInt(10n ** 6n, 10n ** 12n),
    falls: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
  })
  .map(({ size, price, falls }): Ladder => {
    let rung: Rung = { amountIn: 0n, amountOut: 0n };
    let now = price;
    return falls.map((thousandths) => {
      now = (now * BigInt(1000 - thousandths)) / 1000n;
      rung = { amountIn: rung.amountIn + size, amountOut: rung.amountOut + (size * now) / 10n ** 9n };
      return rung;
    });
  });

export const sample: VenueSample<QuotedPair> = {
  states: fc.record({ sell: ladder, buy: ladder, open: fc.constantFrom('both', 'sell', 'buy') }).map(({ sell, buy, open }) => ({
    signer: SIGNER,
    until: LATE,
    ladders: [open === 'buy' ? [] : sell, open === 'sell' ? [] : buy],
    least: [0n, 0n],
  })),
  // Where a price no longer falls by more than a unit of what a level gives.
  roundingUnits: (_state, _curve, amountIn) => 2 + amountIn * 1e-14,
  excessInput: () => 0n,
};
