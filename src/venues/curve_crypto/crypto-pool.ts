import type { AmplificationAndGamma } from './crypto-maths.ts';

/**
 * All that an exchange of a first-generation crypto pool reads and writes. Balances are base units; `precisions` bring each to 18 decimals; prices are of the second coin and those after it in the first, with 18 decimals; fees are
 * shares with ten decimals.
 */
export type CryptoPool = {
  readonly balances: readonly bigint[];
  readonly precisions: readonly bigint[];
  readonly priceScale: readonly bigint[];
  readonly priceOracle: readonly bigint[];
  readonly lastPrices: readonly bigint[];
  /** Seconds, of the chain. */
  readonly lastPricesAt: bigint;
  readonly from: AmplificationAndGamma;
  readonly to: AmplificationAndGamma;
  readonly rampStartsAt: bigint;
  /** 0: nothing moves, and no exchange may lose. 1: a ramp is over and the next exchange says so. */
  readonly rampEndsAt: bigint;
  readonly invariant: bigint;
  readonly midFee: bigint;
  readonly outFee: bigint;
  readonly feeGamma: bigint;
  readonly allowedExtraProfit: bigint;
  readonly adjustmentStep: bigint;
  /** Seconds. */
  readonly averageHalfTime: bigint;
  readonly profit: bigint;
  readonly virtualPrice: bigint;
  /** Whether the pool is still on its way to the average prices. No view tells. */
  readonly adjusting: boolean;
  readonly shares: bigint;
  /** What an exchange may claim for the admin: of pools of two coins. null: of three coins, where no exchange claims. */
  readonly claim: AdminClaim | null;
};

/** What a claim for the admin reads beside the pool. */
export type AdminClaim = {
  /** Of half of the profit, with ten decimals. */
  readonly share: bigint;
  /** The profit of the last claim, with 18 decimals. */
  readonly profitClaimed: bigint;
  /** Whether anybody is named to take it. */
  readonly hasReceiver: boolean;
  /** What the pool really has of each coin, base units: its balances and what was given to it. */
  readonly held: readonly bigint[];
};

/** Whether two pools are the same but for the way to the average prices. The rest of a pool no exchange changes. */
export function areAlike(one: CryptoPool, other: CryptoPool): boolean {
  const others = movedBySwaps(other);
  return movedBySwaps(one).every((word, at) => word === others[at]);
}

function movedBySwaps({
  balances,
  priceScale,
  priceOracle,
  lastPrices,
  lastPricesAt,
  rampEndsAt,
  invariant,
  profit,
  virtualPrice,
  shares,
  claim,
}: CryptoPool): readonly bigint[] {
  const claimed = claim === null ? [] : [claim.profitClaimed, ...claim.held];
  return [...balances, ...priceScale, ...priceOracle, ...lastPrices, lastPricesAt, rampEndsAt, invariant, profit, virtualPrice, shares, ...claimed];
}
