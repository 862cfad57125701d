import fc from 'fast-check';
import { asAddress, asBlockNumber } from '../../../src/units/units.ts';
import type { Ladder, Rung } from '../../../src/venues/ladder/rungs.ts';
import type { MakerState } from '../../../src/venues/prop_amm/state.ts';
import type { VenueSample } from '../venue-sample.ts';

const MAKER = asAddress('0x5979458912f80b96d30d4220af8e2e4925a33320');

/** Prices that fall from rung to rung, by more than a rounding of what a rung gives. */
const ladder = fc
  .record({
    size: fc.bigInt(10n ** 9n, 10n ** 24n),
    price: fc.bigInt(10n ** 6n, 10n ** 12n),
    falls: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 24 }),
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

export const sample: VenueSample<MakerState> = {
  states: fc
    .record({ sell: ladder, buy: ladder, open: fc.constantFrom('both', 'sell', 'buy') })
    .map(({ sell, buy, open }) => ({ maker: MAKER, until: asBlockNumber(101), ladders: [open === 'buy' ? [] : sell, open === 'sell' ? [] : buy] })),
  // Where a price no longer falls by more than a unit of what a rung gives.
  roundingUnits: (_state, _curve, amountIn) => 2 + amountIn * 1e-14,
  excessInput: () => 0n,
};
