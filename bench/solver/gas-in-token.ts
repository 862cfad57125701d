import type { BenchSet } from './bench-set.ts';

/** Base units of a token that one unit of gas costs; NaN where the set has no price. */
export function gasInToken({ tokens, native }: BenchSet, token: number, gasPriceWei: bigint): number {
  const [nativeToken, paid] = [tokens[native], tokens[token]];
  if (nativeToken === undefined || paid === undefined) return Number.NaN;
  return ((Number(gasPriceWei) / 1e18) * nativeToken.usd * 10 ** paid.decimals) / paid.usd;
}
