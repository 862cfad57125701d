import type { TokenPrice } from '../routing/routing.ts';

const SIGNIFICANT_DIGITS = 12;

/** USD value of an amount in base units, to 12 significant digits (decisions S10). null when unpriced or beyond what a float holds. */
export function usdOf(amount: bigint, price: TokenPrice | null): number | null {
  if (price === null) return null;
  const value = Number(((Number(amount) / 10 ** price.decimals) * price.usd).toPrecision(SIGNIFICANT_DIGITS));
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/** The quotient of the two reported values. null when either is unpriced, or the input is worth nothing. */
export function priceImpactOf(amountInUsd: number | null, amountOutUsd: number | null): number | null {
  if (amountInUsd === null || amountOutUsd === null || amountInUsd === 0) return null;
  const ratio = amountOutUsd / amountInUsd;
  return Number.isFinite(ratio) ? ratio : null;
}
