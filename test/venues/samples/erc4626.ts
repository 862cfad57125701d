import fc from 'fast-check';
import type { VaultState } from '../../../src/venues/erc4626/state.ts';
import type { VenueSample } from '../venue-sample.ts';

const MAX = (1n << 128n) - 1n;
const ONE = 10n ** 18n;

const rates = fc.oneof(
  // What a share of 18 decimals is worth, of assets with 18 and with 6 decimals.
  fc.bigInt(ONE, 3n * ONE).map((share) => [ONE, share] as const),
  fc.bigInt(1_000_000n, 3_000_000n).map((share) => [ONE, share] as const),
  // Shares and assets of the whole vault.
  fc.tuple(fc.bigInt(10n ** 9n, 10n ** 28n), fc.bigInt(10n ** 9n, 10n ** 28n)),
);
const limit = fc.oneof(fc.constant(MAX), fc.bigInt(10n ** 6n, 10n ** 27n), fc.constant(0n));

/** What a fee leaves of an amount: of the total, in ten-thousandths; added to what is left; none. */
const kept = fc.oneof(
  fc.constant([1n, 1n] as const),
  fc.bigInt(1n, 2_000n).map((fee) => [10_000n - fee, 10_000n] as const),
  fc.bigInt(1n, 2_000n).map((fee) => [10_000n, 10_000n + fee] as const),
);

export const sample: VenueSample<VaultState> = {
  states: fc
    .record({ rates, keptOfDeposit: kept, keptOfRedemption: kept, limits: fc.tuple(limit, limit) })
    .map(({ rates: [asset, share], keptOfDeposit, keptOfRedemption, limits }) => ({
      deposit: { ratios: [keptOfDeposit, [asset, share]], limit: limits[0] },
      redeem: { ratios: [[share, asset], keptOfRedemption], limit: limits[1] },
    })),
  entry: {
    id: '0xd4fa2d31b7968e448877f69a96de69f5de8cd23e',
    venue: 'erc4626',
    rates: ['1000000000000000000', '1115987637915440452'],
    redeemRates: ['1000000000000000000', '1115987637915440452'],
    depositFeePpm: 100,
    redeemFeePpm: 2500,
    maxDeposit: '5000000000000',
    maxRedeem: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  },
  optionalFields: ['id', 'venue', 'redeemRates', 'depositFeePpm', 'redeemFeePpm', 'maxDeposit', 'maxRedeem'],
  tokenCount: 2,
  // A unit of the assets that the first ratio cuts off may be worth many shares.
  roundingUnits: ({ deposit }) => 2 + Number(deposit.ratios[1][0]) / Number(deposit.ratios[1][1]),
  excessInput: () => 0n,
};
