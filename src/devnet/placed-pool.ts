import type { Address } from '../units/units.ts';
import type { PlacedToken } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import type { PoolSpec } from './pool-table.ts';

/** A pool of the table with its tokens in the contract's order. */
export type SortedPool = PoolSpec & { readonly token0: PlacedToken; readonly token1: PlacedToken };

/** A pool that was made, with its address. */
export type PlacedPool = SortedPool & { readonly address: Address };

/** What a pool says now. `price` is token1 per token0 in base units, as a float; reserves where the pool has them. */
export type PoolReading = { readonly price: number; readonly tick: number | null; readonly reserves: readonly [bigint, bigint] | null };

/** Throws DevnetError where a pool names a token that the table has not. */
export function sortPools(pools: readonly PoolSpec[], tokens: readonly PlacedToken[]): readonly SortedPool[] {
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]));
  return pools.map((pool) => {
    const [left, right] = pool.symbols.map((symbol) => bySymbol.get(symbol));
    if (left === undefined || right === undefined) throw new DevnetError(`a pool of the table names an unknown token: ${pool.symbols.join('/')}`);
    return left.address < right.address ? { ...pool, token0: left, token1: right } : { ...pool, token0: right, token1: left };
  });
}

/** The table's price of token0 in token1, in base units of each. Float. */
export function approxTablePrice(token0: PlacedToken, token1: PlacedToken): number {
  return (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals);
}
