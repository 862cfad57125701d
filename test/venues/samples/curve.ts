import fc from 'fast-check';
import type { CurveState } from '../../../src/venues/curve/curve-state.ts';
import { stableRoundingUnits } from '../stable-tolerances.ts';
import type { VenueSample } from '../venue-sample.ts';

const ONE = 10n ** 18n;

const token = fc.record({
  decimals: fc.constantFrom(6, 8, 18, 18),
  tilt: fc.integer({ min: 16, max: 256 }),
  low: fc.bigInt(0n, (1n << 20n) - 1n),
  rate: fc.option(fc.bigInt(9n * 10n ** 17n, 2n * ONE)),
});

export const sample: VenueSample<CurveState> = {
  // Pools whose fee moves with the balances have sampled curves: sampled-venues.test.ts has such.
  states: fc
    .record({
      form: fc.constantFrom('plain' as const, 'early-ng' as const, 'ng' as const),
      tokens: fc.array(token, { minLength: 2, maxLength: 5 }),
      size: fc.integer({ min: 2, max: 30 }),
      amplification: fc.constantFrom(1n, 50n, 200n, 5000n, 1_000_000n),
      fee: fc.constantFrom(100_000n, 4_000_000n, 1_000_000_000n),
      adminFee: fc.constantFrom(0n, 5_000_000_000n),
    })
    .map(({ form, tokens, size, amplification, fee, adminFee }) => ({
      form,
      balances: tokens.map(({ decimals, tilt, low }) => ((1n << BigInt(size)) * BigInt(tilt) * 10n ** BigInt(decimals)) / 16n + low),
      scales: tokens.map(({ decimals, rate }) => {
        const lift = 10n ** BigInt(18 - decimals);
        return rate === null ? { numerator: lift, denominator: 1n } : { numerator: lift * rate, denominator: ONE };
      }),
      amplification: amplification * 100n,
      ramp: null,
      fee,
      adminFee,
      offpegFeeMultiplier: form !== 'plain' ? 10_000_000_000n : 0n,
    })),
  entry: {
    id: '0xe7a3b38c39f97e977723bd1239c3470702568e7b',
    venue: 'curve',
    balances: ['103902458912250371998101', '96026429950922739854657', '90684626303'],
    amp: '10',
    swapFee: '400000000000000',
    adminFee: '500000000000000000',
    scalingRates: ['1000000000000000000', '1000000000000000000', '1000000'],
    offpegFeeMultiplier: '1000000000000000000',
  },
  optionalFields: ['id', 'venue', 'adminFee', 'scalingRates', 'offpegFeeMultiplier'],
  tokenCount: 3,
  decimals: [18, 18, 6],
  roundingUnits: (_, curve, amountIn) => stableRoundingUnits(curve, amountIn, 2),
  excessInput: () => 0n,
};
