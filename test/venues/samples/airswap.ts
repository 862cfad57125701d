import fc from 'fast-check';
import { asAddress, type EpochSeconds } from '../../../src/units/units.ts';
import type { QuotedPair } from '../../../src/venues/airswap/state.ts';
import { fallingLadder } from '../falling-ladder.ts';
import type { VenueSample } from '../venue-sample.ts';

const SIGNER = asAddress('0x51c72848c68a965f66fa7a88855f9f7784502a7f');
/** Later than any moment that the suite prices at. */
const LATE = 4_000_000_000 as EpochSeconds;

const ladder = fallingLadder(12);

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
