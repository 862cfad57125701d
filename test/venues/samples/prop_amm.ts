import fc from 'fast-check';
import { asAddress, asBlockNumber } from '../../../src/units/units.ts';
import type { MakerState } from '../../../src/venues/prop_amm/state.ts';
import { fallingLadder } from '../falling-ladder.ts';
import type { VenueSample } from '../venue-sample.ts';

const MAKER = asAddress('0x5979458912f80b96d30d4220af8e2e4925a33320');

const ladder = fallingLadder(24);

export const sample: VenueSample<MakerState> = {
  states: fc
    .record({ sell: ladder, buy: ladder, open: fc.constantFrom('both', 'sell', 'buy') })
    .map(({ sell, buy, open }) => ({ maker: MAKER, until: asBlockNumber(101), ladders: [open === 'buy' ? [] : sell, open === 'sell' ? [] : buy] })),
  // Where a price no longer falls by more than a unit of what a rung gives.
  roundingUnits: (_state, _curve, amountIn) => 2 + amountIn * 1e-14,
  excessInput: () => 0n,
};
