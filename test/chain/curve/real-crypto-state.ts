import { geometricMean, invariantOf } from '../../../src/venues/curve_crypto/crypto-maths.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';

const ONE = 10n ** 18n;

/** A pool with the parameters of the recorded one, of so much of each coin in 18 decimals of the first, with the shares and a profit that belong to it. */
export function realCryptoState(precisions: readonly bigint[], worth: bigint, lastPricesAt: bigint, priceScale: readonly [bigint, bigint]): CryptoPool {
  const parameters = { amplification: 1_707_629n, gamma: 11_809_167_828_997n };
  const balances = precisions.map((precision, slot) => (worth * BigInt(100 + slot) * ONE) / 100n / (priceScale[slot - 1] ?? ONE) / precision);
  const invariant = invariantOf(
    parameters,
    balances.map((balance, slot) => (balance * (precisions[slot] ?? 1n) * (priceScale[slot - 1] ?? ONE)) / ONE),
  );
  const even = geometricMean([invariant / 3n, ...priceScale.map((price) => (invariant * ONE) / (3n * price))]);
  const shares = (even * 100n) / 102n;
  return {
    ...{ balances, precisions, priceScale, priceOracle: priceScale.map((price) => price + price / 100n), lastPrices: priceScale, lastPricesAt },
    ...{ from: parameters, to: parameters, rampStartsAt: 0n, rampEndsAt: 0n, invariant },
    ...{ midFee: 3_000_000n, outFee: 30_000_000n, feeGamma: 500_000_000_000_000n },
    ...{ allowedExtraProfit: 2_000_000_000_000n, adjustmentStep: 490_000_000_000_000n, averageHalfTime: 600n },
    ...{ profit: ONE + ONE / 30n, virtualPrice: (ONE * even) / shares, adjusting: false, claim: null, shares },
  };
}
