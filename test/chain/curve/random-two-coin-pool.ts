import { Reverted } from '../../../src/venues/curve_crypto/checked-integers.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import { geometricMean, invariantOf } from '../../../src/venues/curve_crypto/two-coin-maths.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';

const ONE = 10n ** 18n;
const DAY = 86_400;

/** An exchange to be asked for. */
export type TwoCoinCase = { readonly indexIn: number; readonly indexOut: number; readonly amountIn: bigint };

/** A pool of two coins, mostly such as one comes into by itself: an invariant, a worth of shares and a profit that belong to the balances. `now`: of the block, in seconds. */
export function randomTwoCoinPool(random: SeededRandom, now: number): CryptoPool {
  const around = (value: bigint, percent: number) => (value * BigInt(10_000 + random.integer(-percent * 100, percent * 100))) / 10_000n;
  const size = 10n ** 19n + random.logUniform(10n ** BigInt(random.pick([22, 26, 32])));
  const skew = random.pick([5, 30, 98]);
  const price = 10n ** 6n + random.logUniform(10n ** BigInt(random.pick([19, 24, 29])));
  const precisions = random.pick<readonly bigint[]>([
    [1n, 1n],
    [10n ** 12n, 1n],
    [1n, 10n ** 10n],
  ]);
  const balances = precisions.map((precision, slot) => (around(size, skew) * (slot === 0 ? 1n : ONE)) / (slot === 0 ? 1n : price) / precision + 1n);
  const parameters = () => ({
    amplification: random.pick([4_000n, 400_000n, 400_000n, 20_000_000n, 4_000_000_000n, 3_999n]),
    gamma: random.pick([10n ** 10n, 145_000_000_000_000n, 145_000_000_000_000n, 10n ** 15n, 2n * 10n ** 16n, 2n * 10n ** 16n + 1n]),
  });
  const to = parameters();
  const worth = [(balances[0] ?? 0n) * (precisions[0] ?? 1n), ((balances[1] ?? 0n) * (precisions[1] ?? 1n) * price) / ONE];
  const invariant = settled(() => invariantOf(to, worth)) ?? 2n * size;
  const even = settled(() => geometricMean([invariant / 2n, (invariant * ONE) / (2n * price)])) ?? size;
  const shares = (even * ONE) / around(ONE + ONE / 10n, random.pick([0, 5, 15])) + 1n;
  const virtualPrice = (ONE * even) / shares;
  const profit = 2n * virtualPrice - ONE + random.pick([0n, 1n, -(10n ** 15n), 10n ** 15n, -(10n ** 17n)]);
  return {
    ...{ balances, precisions, priceScale: [price], priceOracle: [around(price, random.pick([0, 1, 20]))] },
    ...{ lastPrices: [around(price, random.pick([0, 1, 20]))], lastPricesAt: BigInt(now - random.pick([-100, 0, 1, 60, 600, 7 * DAY])) },
    ...{ from: parameters(), to, rampStartsAt: BigInt(now - random.integer(0, 3 * DAY)) },
    rampEndsAt: random.pick([0n, 0n, 0n, 1n, BigInt(now - 5), BigInt(now + random.integer(100, 3 * DAY))]),
    invariant: random.chance(0.9) ? invariant : around(invariant, 1),
    midFee: random.pick([500_000n, 26_000_000n, 10_000_000_000n]),
    outFee: random.pick([30_000_000n, 45_000_000n, 10_000_000_000n]),
    feeGamma: random.pick([1n, 230_000_000_000_000n, ONE]),
    allowedExtraProfit: random.pick([0n, 2_000_000_000_000n, ONE / 100n]),
    adjustmentStep: random.pick([1n, 146_000_000_000_000n, ONE / 50n]),
    averageHalfTime: random.pick([600n, 1n, 604_799n]),
    profit: profit > 0n ? profit : ONE,
    virtualPrice: random.chance(0.9) ? virtualPrice : random.pick([0n, virtualPrice + 1n, virtualPrice + ONE / 1000n]),
    adjusting: random.chance(0.5),
    shares,
    claim: {
      share: random.pick([0n, 5_000_000_000n, 10_000_000_000n]),
      profitClaimed: random.pick([profit > 0n ? profit : ONE, ONE, (99n * profit) / 100n > 0n ? (99n * profit) / 100n : ONE]),
      hasReceiver: random.chance(0.9),
      held: balances.map((balance) => balance + random.pick([0n, 0n, 1n, balance / 1000n, -(balance / 1000n)])),
    },
  };
}

export function randomTwoCoinCase(random: SeededRandom, balances: readonly bigint[]): TwoCoinCase {
  const indexIn = random.integer(0, 1);
  const indexOut = 1 - indexIn;
  if (random.chance(0.05)) return { indexIn, indexOut, amountIn: random.pick([1n, 2n, 100_000n, 100_001n, 1n << 160n, (1n << 254n) - 1n]) };
  return { indexIn, indexOut, amountIn: random.logUniform((balances[indexIn] ?? 0n) * random.pick([1n, 1n, 1000n]) + 1n) };
}

function settled(compute: () => bigint): bigint | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Reverted) return null;
    throw error;
  }
}
