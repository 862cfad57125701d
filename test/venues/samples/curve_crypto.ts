import fc from 'fast-check';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../../src/venues/curve_crypto/crypto-state.ts';
import { FEE_DENOMINATOR, feeOf, openPool } from '../../../src/venues/curve_crypto/exchange.ts';
import { mathsOf } from '../../../src/venues/curve_crypto/maths-of.ts';
import { evenWorth } from '../../../src/venues/curve_crypto/move-prices.ts';
import { evaluateCurve } from '../../support/evaluate-curve.ts';
import type { VenueSample } from '../venue-sample.ts';

const ONE = 10n ** 18n;
/** Of what a sampled curve promises it is that much below at most: never above but for rounding (sampled-venues.test.ts). */
const SAMPLED = 1.01e-5;

/** Percent of what an even pool has of a coin. */
const part = fc.integer({ min: 60, max: 160 });
/** Such a pool computes to some parts in 10^15 of itself, which is more than a million base units of a coin of 18 decimals: below, it refuses and pays by its rounding. */
const decimals = fc.constantFrom(6, 8);
/** Of each coin, or of each but the first. */
const each = <Value>(value: fc.Arbitrary<Value>, count: number) => fc.array(value, { minLength: count, maxLength: count });

/** What a pool is made of. */
export type DrawnCryptoPool = {
  readonly decimals: readonly number[];
  readonly parts: readonly number[];
  readonly dollars: number;
  /** Of all coins but the first, in the first. */
  readonly prices: readonly number[];
  readonly amplification: bigint;
  readonly gamma: bigint;
  readonly midFee: bigint;
  readonly outFee: bigint;
  readonly known: boolean;
};

export const sample: VenueSample<CryptoState> = {
  // Parameters as those of real pools. A pool with a ramp has the worse of both ends for its curve: curve-crypto-curve.test.ts has such pools.
  states: fc.constantFrom(2, 3).chain((coins) => drawn(coins).map(cryptoStateOf)),
  // The curve keeps the fee of the smallest exchange where a larger one evens the pool out and pays less: sampled-venues.test.ts holds it to never being above.
  roundingUnits({ possible: [pool] }, curve, amountIn) {
    const falls = Number(feeOf(pool, openPool(pool, pool.to).worth) - pool.midFee) / Number(FEE_DENOMINATOR);
    return (SAMPLED + falls) * evaluateCurve(curve, amountIn) + 4 * coarseness(pool);
  },
  excessInput: () => 0n,
  // Each curve of a state is some hundred exchanges.
  runs: 12,
};

function drawn(coins: number): fc.Arbitrary<DrawnCryptoPool> {
  return fc.record({
    decimals: each(decimals, coins),
    parts: each(part, coins),
    dollars: fc.integer({ min: 100_000, max: 10_000_000 }),
    prices: each(fc.integer({ min: 1, max: 60_000 }), coins - 1),
    amplification: fc.constantFrom(270_000n, 1_707_629n, 27_000_000n),
    gamma: fc.constantFrom(11_809_167_828_997n, 10n ** 14n, 10n ** 15n),
    midFee: fc.constantFrom(3_000_000n, 10_000_000n),
    outFee: fc.constantFrom(10_000_000n, 30_000_000n, 45_000_000n),
    known: fc.boolean(),
  });
}

/** The worth of the dearest base unit in the cheapest. */
export function coarseness({ precisions, priceScale }: CryptoPool): number {
  const worth = precisions.map((precision, slot) => (Number(precision) * Number(priceScale[slot - 1] ?? ONE)) / Number(ONE));
  return Math.max(...worth) / Math.min(...worth);
}

/** A pool whose invariant, shares and profit belong to its balances. */
export function cryptoStateOf({ decimals: places, parts, dollars, prices, ...drawn }: DrawnCryptoPool): CryptoState {
  const priceScale = prices.map((price) => BigInt(price) * ONE);
  const precisions = places.map((count) => 10n ** BigInt(18 - count));
  const balances = precisions.map(
    (precision, slot) => (BigInt(dollars * (parts[slot] ?? 0)) * ONE * ONE) / 100n / (priceScale[slot - 1] ?? ONE) / precision + 1n,
  );
  const parameters = { amplification: drawn.amplification, gamma: drawn.gamma };
  const worth = balances.map((balance, slot) => (balance * (precisions[slot] ?? 1n) * (priceScale[slot - 1] ?? ONE)) / ONE);
  const invariant = mathsOf(worth).invariantOf(parameters, worth);
  const even = evenWorth(invariant, priceScale);
  const profit = ONE + ONE / 50n;
  const claim = { share: 5_000_000_000n, profitClaimed: ONE + ONE / 60n, hasReceiver: true, held: balances };
  const pool: CryptoPool = {
    ...{ balances, precisions, priceScale, priceOracle: priceScale.map((price) => price + price / 200n), lastPrices: priceScale, lastPricesAt: 0n },
    ...{ from: parameters, to: parameters, rampStartsAt: 0n, rampEndsAt: 0n, invariant },
    ...{ midFee: drawn.midFee, outFee: drawn.outFee, feeGamma: 500_000_000_000_000n },
    ...{ allowedExtraProfit: 2_000_000_000_000n, adjustmentStep: 490_000_000_000_000n, averageHalfTime: 600n },
    ...{
      profit,
      virtualPrice: (ONE * even) / ((even * 100n) / 101n),
      adjusting: false,
      claim: balances.length === 2 ? claim : null,
      shares: (even * 100n) / 101n,
    },
  };
  return { possible: drawn.known ? [pool] : [pool, { ...pool, adjusting: true }] };
}
