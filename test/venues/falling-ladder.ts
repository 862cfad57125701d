import fc from 'fast-check';
import type { Ladder, Rung } from '../../src/venues/ladder/rungs.ts';

/** Ladders of up to so many rungs whose prices fall from rung to rung, by more than a rounding of what a rung gives. */
export function fallingLadder(mostRungs: number): fc.Arbitrary<Ladder> {
  return fc
    .record({
      size: fc.bigInt(10n ** 9n, 10n ** 24n),
      price: fc.bigInt(10n ** 6n, 10n ** 12n),
      falls: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: mostRungs }),
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
}
