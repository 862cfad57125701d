import type { GeneratedPool } from './pools.ts';
import type { GeneratedToken } from './tokens.ts';

/** About what the pools hold of a token, in dollars: what bounds the size of a sensible request. */
export function dollarsByToken(tokens: readonly GeneratedToken[], pools: readonly GeneratedPool[]): ReadonlyMap<string, number> {
  const byAddress = new Map(tokens.map((token) => [token.address, token]));
  const held = new Map<string, number>();
  for (const pool of pools) {
    const amounts = Array.isArray(pool.reserves) ? pool.reserves : Array.isArray(pool.balances) ? pool.balances : virtualReserves(pool);
    pool.tokens.forEach((address, slot) => {
      const token = byAddress.get(address);
      const dollars = token === undefined ? 0 : (Number(amounts[slot]) / 10 ** token.decimals) * token.usd;
      held.set(address, (held.get(address) ?? 0) + dollars);
    });
  }
  return held;
}

/** Of a concentrated pool: liquidity within two percent or so of the price. */
function virtualReserves(pool: GeneratedPool): readonly number[] {
  const root = Number(pool.sqrtPriceX96) / 2 ** 96;
  const liquidity = Number(pool.liquidity) / 50;
  return [liquidity / root, liquidity * root];
}
