import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';

const ONE = 10n ** 18n;

/** Even, of an amplification and a gamma as real pools have, with a profit that pays for a step of its prices. */
export const EVEN: CryptoPool = {
  balances: [3_000_000n * 10n ** 6n, 100n * 10n ** 8n, 1_500n * ONE],
  precisions: [10n ** 12n, 10n ** 10n, 1n],
  priceScale: [30_000n * ONE, 2_000n * ONE],
  priceOracle: [30_100n * ONE, 2_001n * ONE],
  lastPrices: [30_000n * ONE, 2_000n * ONE],
  lastPricesAt: 0n,
  from: { amplification: 1_707_629n, gamma: 11_809_167_828_997n },
  to: { amplification: 1_707_629n, gamma: 11_809_167_828_997n },
  rampStartsAt: 0n,
  rampEndsAt: 0n,
  invariant: 9_000_000n * ONE,
  midFee: 3_000_000n,
  outFee: 30_000_000n,
  feeGamma: 500_000_000_000_000n,
  allowedExtraProfit: 2_000_000_000_000n,
  adjustmentStep: 490_000_000_000_000n,
  averageHalfTime: 600n,
  profit: ONE,
  virtualPrice: ONE,
  adjusting: false,
  claim: null,
  shares: 7_663n * ONE,
};
