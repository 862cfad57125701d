import fc from 'fast-check';
import type { WeightedCurve } from '../../../src/snapshot/snapshot.ts';
import { MAX_RATIO, type WeightedState } from '../../../src/venues/balancer_v2_weighted/state.ts';
import type { VenueSample } from '../venue-sample.ts';

const ONE = 10n ** 18n;

const token = fc.record({
  decimals: fc.constantFrom(6, 8, 18, 18),
  whole: fc.integer({ min: 5, max: 40 }).map((bits) => 1n << BigInt(bits)),
  low: fc.bigInt(0n, (1n << 20n) - 1n),
  share: fc.integer({ min: 5, max: 95 }),
});

export const sample: VenueSample<WeightedState> = {
  states: fc
    .record({
      tokens: fc.array(token, { minLength: 2, maxLength: 4 }),
      swapFee: fc.constantFrom(10n ** 12n, 3n * 10n ** 15n, 10n ** 17n),
      powers: fc.constantFrom('logarithm' as const, 'multiplied' as const),
      even: fc.boolean(),
    })
    .map(({ tokens, swapFee, powers, even }) => {
      const shares = tokens.map(({ share }) => BigInt(even ? 1 : share));
      const total = shares.reduce((sum, share) => sum + share, 0n);
      return {
        balances: tokens.map(({ decimals, whole, low }) => whole * 10n ** BigInt(decimals) + low),
        lifts: tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
        weights: shares.map((share) => (share * ONE) / total),
        swapFee,
        powers,
      };
    }),
  entry: {
    id: '0xa6f548df93de924d73be7d25dc02554c6bd66db500020000000000000000000e',
    venue: 'balancer_v2',
    balances: ['228849991019', '30905537480046675245815'],
    weights: ['500000000000000000', '500000000000000000'],
    swapFee: '1000000000000000',
  },
  optionalFields: ['id', 'venue'],
  tokenCount: 2,
  decimals: [8, 18],
  // The contract takes its power to be up to 10^-14 too small, and says so in the output: that share of the whole balance, not of the amount.
  roundingUnits: (state, curve, amountIn) => roundingUnits(weighted(curve), amountIn) + unitIn(state, weighted(curve)),
  excessInput: (state, curve, amountIn) => BigInt(Math.ceil(excess(state, weighted(curve), amountIn))),
  refusesExactOut: (state, slotOut, amountOut) => {
    const lift = state.lifts[slotOut] ?? 1n;
    return amountOut * lift > ((state.balances[slotOut] ?? 0n) * lift * MAX_RATIO) / ONE;
  },
  missedOutput: (state, curve, amountIn) => BigInt(Math.ceil(2 * (roundingUnits(weighted(curve), amountIn) + unitIn(state, weighted(curve))))),
};

const POW_ERROR = 2.2e-14;

function weighted(curve: unknown): WeightedCurve {
  return curve as WeightedCurve;
}

/** The power's error and the base's last digit, both as shares of the output balance, and the final rounding down. */
function roundingUnits({ balanceOut, exponent }: WeightedCurve, _amountIn: number): number {
  return balanceOut * (POW_ERROR + 4e-18 * Math.max(1, exponent)) + 2;
}

/** What one base unit of the input, lost to the fee's rounding, is worth in output. */
function unitIn(_state: WeightedState, { balanceIn, balanceOut, exponent }: WeightedCurve): number {
  return (balanceOut / balanceIn) * exponent;
}

/** The same errors seen from the input's side: both swaps have them, and the price at the end of the swap turns the output's into the input's. */
function excess(state: WeightedState, curve: WeightedCurve, amountIn: number): number {
  const { balanceIn, exponent, keep } = curve;
  const growth = 1 + (amountIn * keep) / balanceIn;
  const inputPerOutput = growth ** (exponent + 1) / unitIn(state, curve) / keep;
  return (balanceIn * growth * (POW_ERROR + 4e-18 / Math.min(1, exponent))) / keep + 2 * inputPerOutput * roundingUnits(curve, amountIn) + 4 / keep;
}
