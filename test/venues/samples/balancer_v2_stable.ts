import fc from 'fast-check';
import type { StableState } from '../../../src/venues/balancer_v2_stable/state.ts';
import { stableEndPrice, stableRoundingUnits } from '../stable-tolerances.ts';
import type { VenueSample } from '../venue-sample.ts';

const ONE = 10n ** 18n;

const token = fc.record({
  decimals: fc.constantFrom(6, 8, 18, 18),
  /** Whole tokens of a pool within a factor of 16 of each other. */
  tilt: fc.integer({ min: 16, max: 256 }),
  low: fc.bigInt(0n, (1n << 20n) - 1n),
  rate: fc.option(fc.bigInt(9n * 10n ** 17n, 2n * ONE)),
});

export const sample: VenueSample<StableState> = {
  states: fc
    .record({
      tokens: fc.array(token, { minLength: 2, maxLength: 5 }),
      size: fc.integer({ min: 2, max: 30 }),
      amplification: fc.constantFrom(1n, 50n, 200n, 5000n),
      swapFee: fc.constantFrom(10n ** 12n, 4n * 10n ** 14n, 10n ** 17n),
      rule: fc.constantFrom('up' as const, 'down' as const),
    })
    .map(({ tokens, size, amplification, swapFee, rule }) => ({
      balances: tokens.map(({ decimals, tilt, low }) => ((1n << BigInt(size)) * BigInt(tilt) * 10n ** BigInt(decimals)) / 16n + low),
      scales: tokens.map(({ decimals, rate }) => {
        const lift = 10n ** BigInt(18 - decimals);
        return rate === null ? { numerator: lift, denominator: 1n } : { numerator: lift * rate, denominator: ONE };
      }),
      amplification: amplification * 1000n,
      swapFee,
      rule,
    })),
  entry: {
    id: '0x06df3b2bbb68adc8b0e302443692037ed9f91b42000000000000000000000063',
    venue: 'balancer_v2:stable',
    balances: ['62987016291998103940015840', '61515992969774', '64118165731857'],
    swapFee: '50000000000000',
    amp: '1390.0',
    priceRates: ['1000000000000000000', '1000000000000000000', '1000000000000000000'],
  },
  optionalFields: ['id', 'venue', 'priceRates'],
  tokenCount: 3,
  decimals: [18, 6, 6],
  roundingUnits: (_, curve, amountIn) => stableRoundingUnits(curve, amountIn, COARSE),
  excessInput: (_, curve, amountIn) => BigInt(Math.ceil((4 * stableRoundingUnits(curve, amountIn, COARSE)) / stableEndPrice(curve, amountIn) + 8)),
  missedOutput: (_, curve, amountIn) => BigInt(Math.ceil(2 * stableRoundingUnits(curve, amountIn, COARSE))),
};

/** The contract's term c has three digits less than the others. */
const COARSE = 2000;
