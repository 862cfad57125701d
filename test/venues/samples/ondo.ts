import fc from 'fast-check';
import type { EpochSeconds } from '../../../src/units/units.ts';
import type { QuotedAsset } from '../../../src/venues/ondo/state.ts';
import { fallingLadder } from '../falling-ladder.ts';
import type { VenueSample } from '../venue-sample.ts';

/** Later than any moment that the suite prices at. */
const LATE = 4_000_000_000 as EpochSeconds;

const ladder = fallingLadder(8);

export const sample: VenueSample<QuotedAsset> = {
  states: fc.record({ sell: ladder, buy: ladder, open: fc.constantFrom('both', 'sell', 'buy') }).map(({ sell, buy, open }) => ({
    until: LATE,
    ladders: [open === 'buy' ? [] : sell, open === 'sell' ? [] : buy],
  })),
  // Where a price no longer falls by more than a unit of what a level gives.
  roundingUnits: (_state, _curve, amountIn) => 2 + amountIn * 1e-14,
  excessInput: () => 0n,
};
