import { mulDiv, multiply } from './checked-integers.ts';
import type { CryptoPool } from './crypto-pool.ts';

const ONE = 10n ** 18n;

/** A balance in 18 decimals of the first coin. Throws Reverted. */
export function worthOf({ precisions, priceScale }: Pick<CryptoPool, 'precisions' | 'priceScale'>, slot: number, balance: bigint): bigint {
  const [price, scaled] = [priceScale[slot - 1], multiply(balance, precisions[slot] ?? 0n)];
  return price === undefined ? scaled : mulDiv(scaled, price, ONE);
}
