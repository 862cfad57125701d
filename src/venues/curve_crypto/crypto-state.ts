import { PoolRefused } from '../venue.ts';
import type { AmplificationAndGamma } from './crypto-maths.ts';
import { areAlike, type CryptoPool } from './crypto-pool.ts';
import { FEE_DENOMINATOR, openPool, unlessReverted } from './exchange.ts';

/**
 * Exact state of a crypto pool. `possible`: what the pool may be, since no view tells whether it is on its way to its average prices: one, or two, which at first differ in that alone. An exchange gives the same in
 * both until they differ in more.
 */
export type CryptoState = { readonly possible: readonly [CryptoPool] | readonly [CryptoPool, CryptoPool] };

/** No token has more. */
export const MAX_BALANCE = (1n << 128n) - 1n;
const MAX_LIMB = (1n << 64n) - 1n;
const MAX_TWO_LIMBS = (1n << 128n) - 1n;

/** Two possibilities, or one where they are the same. */
export function possibilities(one: CryptoPool, other: CryptoPool): CryptoState['possible'] {
  return one === other || (one.adjusting === other.adjusting && areAlike(one, other)) ? [one] : [one, other];
}

/** What the pool may compute with in a block of any time. */
export function endsOf({ from, to, rampEndsAt }: CryptoPool): readonly AmplificationAndGamma[] {
  return rampEndsAt === 0n ? [to] : [from, to];
}

/** Throws PoolRefused where the state is not one of a crypto pool, or can not be routed: for whoever builds a state from outside. */
export function validateState({ possible: [pool] }: CryptoState): void {
  const { balances, precisions, priceScale, priceOracle, lastPrices, midFee, outFee, shares, invariant, averageHalfTime, claim } = pool;
  if (balances.length !== (claim === null ? 3 : 2)) throw new PoolRefused('not-routable', `a pool of ${balances.length} coins`);
  if (claim !== null && (claim.held.length !== balances.length || claim.share > FEE_DENOMINATOR))
    throw new PoolRefused('malformed', `the admin's share is ${claim.share}`);
  if (midFee > outFee || outFee > FEE_DENOMINATOR) throw new PoolRefused('malformed', `the fees are not in order: ${midFee}, ${outFee}`);
  if (precisions.some((precision) => precision < 1n)) throw new PoolRefused('malformed', 'a coin has more than 18 decimals');
  const single = [
    ...precisions,
    pool.lastPricesAt,
    pool.rampStartsAt,
    pool.rampEndsAt,
    pool.feeGamma,
    pool.allowedExtraProfit,
    pool.adjustmentStep,
    averageHalfTime,
  ];
  const parameters = [pool.from, pool.to].flatMap(({ amplification, gamma }) => [amplification, gamma]);
  if ([...single, ...parameters].some((word) => word > MAX_LIMB)) throw new PoolRefused('malformed', 'a parameter is above 2^64');
  if ([...priceScale, ...priceOracle, ...lastPrices, invariant, shares].some((word) => word > MAX_TWO_LIMBS))
    throw new PoolRefused('malformed', 'a price is above 2^128');
  if (balances.some((balance) => balance > MAX_BALANCE)) throw new PoolRefused('not-routable', 'a balance is above 2^128');
  if ([...balances, ...priceScale, shares, invariant, averageHalfTime, pool.virtualPrice].some((word) => word === 0n))
    throw new PoolRefused('not-routable', 'a balance, a price or a time is zero');
  if (endsOf(pool).some((end) => unlessReverted(() => openPool(pool, end)) === null)) throw new PoolRefused('not-routable', 'the balances have no invariant');
}
