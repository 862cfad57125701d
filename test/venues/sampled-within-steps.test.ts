import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { price as curvePrice } from '../../src/venues/curve/price.ts';
import { state as curve, validateState as validateCurve } from '../../src/venues/curve/state.ts';
import { withinSteps } from '../../src/venues/sampled/newton-steps.ts';
import { price as solidlyPrice } from '../../src/venues/solidly/price.ts';
import { type SolidlyState, validateState as validateSolidly } from '../../src/venues/solidly/solidly-pool.ts';
import { state as solidly } from '../../src/venues/solidly/state.ts';
import { MOMENT } from '../support/moment.ts';

const { sampledSteps, sampledStepsOfPool } = LIMITS.venues;
const ONE = 10n ** 18n;
const COINS = 8;

/** Found by a search over random decimals and reserves for the pool that takes the longest: some 65,000 steps. */
const DEAR_SOLIDLY: SolidlyState = { stable: true, reserves: [6_174_255_029_862_203_983_396_864n, 11_654_099_703_203_979_264n], decimals: [34, 12], feeBps: 5 };

/** As many coins as there may be, one of them poor, and an amplification on its way: 56 directions at both ends. */
const DEAR_CURVE: CurveState = {
  form: 'ng',
  balances: Array.from({ length: COINS }, (_, slot) => (slot === 0 ? 10n ** 10n : 10n ** 26n)),
  scales: Array.from({ length: COINS }, () => ({ numerator: ONE, denominator: ONE })),
  amplification: 100_000_000n,
  ramp: { unit: 1n, from: 10_000_000n, startsAt: 1n, endsAt: 2n },
  fee: 4_000_000n,
  adminFee: 5_000_000_000n,
  offpegFeeMultiplier: 20_000_000_000n,
};

describe('what curves cost of pools that anybody may open', () => {
  it('is bounded for a stable pool of Solidly, which exchanges all the same', () => {
    validateSolidly(DEAR_SOLIDLY);
    const curves = withinSteps(2 * sampledSteps + 2, () => solidly.curves(DEAR_SOLIDLY));
    expect(curves).to.not.equal(null);
    expect(curves?.map(({ slotIn }) => slotIn)).to.deep.equal([1]);
    expect(solidlyPrice.exactIn(DEAR_SOLIDLY, 0, 1, DEAR_SOLIDLY.reserves[0] / 10n, MOMENT).ok).to.equal(true);
  });

  it('takes none from a stable pool of Solidly that is like those in use', () => {
    const pools: readonly SolidlyState[] = [
      { stable: true, reserves: [10n ** 12n, 10n ** 24n], decimals: [6, 18], feeBps: 5 },
      { stable: true, reserves: [10n ** 23n, 10n ** 13n], decimals: [18, 6], feeBps: 5 },
    ];
    for (const pool of pools) expect(solidly.curves(pool)).to.have.length(2);
  });

  it('is bounded for a pool of Curve, whose directions beyond have the highest fee', () => {
    validateCurve(DEAR_CURVE);
    const curves = withinSteps(2 * sampledStepsOfPool + 2000, () => curve.curves(DEAR_CURVE)) ?? [];
    expect(curves).to.have.length(COINS * (COINS - 1));
    expect(new Set(curves.map(({ curve: { kind } }) => kind))).to.deep.equal(new Set(['segments', 'stable']));
    expect(curvePrice.exactIn(DEAR_CURVE, 1, 2, 10n ** 20n, MOMENT).ok).to.equal(true);
  });

  it('leaves a pool of Curve with four coins sampled in every direction', () => {
    const balances = [10n ** 24n, 2n * 10n ** 24n, 3n * 10n ** 24n, 4n * 10n ** 24n];
    const pool = { ...DEAR_CURVE, balances, scales: DEAR_CURVE.scales.slice(0, 4), amplification: 20_000n, ramp: null };
    expect(curve.curves(pool).map(({ curve: { kind } }) => kind)).to.deep.equal(Array(12).fill('segments'));
  });
});
