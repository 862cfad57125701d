import fc from 'fast-check';
import type { SolidlyState } from '../../../src/venues/solidly/solidly-pool.ts';
import { evaluateCurve } from '../../support/evaluate-curve.ts';
import type { VenueSample } from '../venue-sample.ts';

/** Of what a sampled curve promises it is that much below at most: never above but for rounding (sampled-venues.test.ts). */
const SAMPLED = 1.01e-5;

const decimals = fc.constantFrom(6, 8, 18);
/**
 * Whole tokens, in thousandths. Of a few tokens with few decimals the stable pool's own answer breaks its invariant now and then, which the contract then refuses (test/chain/venue-maths-solidly.test.ts has
 * such swaps): a hole that no curve can follow.
 */
const worth = fc.double({ min: 8, max: 12, noNaN: true }).map((digits) => BigInt(Math.floor(10 ** digits)));

export const sample: VenueSample<SolidlyState> = {
  states: fc
    .record({
      stable: fc.boolean(),
      worth,
      tilt: fc.integer({ min: 300, max: 3000 }),
      decimals: fc.tuple(decimals, decimals),
      feeBps: fc.constantFrom(0, 1, 5, 30, 300),
    })
    .map(({ stable, worth: thousandths, tilt, decimals: [first, second], feeBps }) => ({
      stable,
      reserves: [(thousandths * 10n ** BigInt(first)) / 1000n + 1n, (thousandths * BigInt(tilt) * 10n ** BigInt(second)) / 1_000_000n + 1n] as const,
      decimals: [first, second] as const,
      feeBps,
    })),
  roundingUnits({ stable, decimals: [first, second] }, curve, amountIn) {
    const rounding = 2 + 10 ** Math.abs(second - first);
    return stable ? 2 * rounding + SAMPLED * evaluateCurve(curve, amountIn) : rounding;
  },
  excessInput: () => 0n,
};
