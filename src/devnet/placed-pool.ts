import type { Address } from '../units/units.ts';
import type { PlacedToken } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import type { PoolSpec } from './pool-spec.ts';

/** A pool of the table with its tokens in the order of their addresses, which is the contract's. token0 and token1: the two between which it is priced and traded, its first two unless said. */
export type SortedPool = PoolSpec & {
  readonly tokens: readonly [PlacedToken, PlacedToken, ...PlacedToken[]];
  readonly token0: PlacedToken;
  readonly token1: PlacedToken;
};

/** A pool that was made: `key` as the indexer calls it, `address` of the contract that a swap goes to. */
export type PlacedPool = SortedPool & { readonly key: string; readonly address: Address };

/** What a pool says now. `price` is token1 per token0 in base units, as a float; reserves where the pool has them. */
export type PoolReading = { readonly price: number; readonly tick: number | null; readonly reserves: readonly [bigint, bigint] | null };

/** Throws DevnetError where a pool names a token that is not there. */
export function sortPools(pools: readonly PoolSpec[], tokens: readonly PlacedToken[]): readonly SortedPool[] {
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]));
  return pools.map((pool) => {
    const [token0, token1, ...others] = pool.symbols
      .flatMap((symbol) => bySymbol.get(symbol) ?? [])
      .sort((one, other) => (one.address < other.address ? -1 : 1));
    if (token0 === undefined || token1 === undefined || others.length !== pool.symbols.length - 2)
      throw new DevnetError(`a pool of the table names an unknown token: ${pool.symbols.join('/')}`);
    return { ...pool, tokens: [token0, token1, ...others], token0, token1 };
  });
}

/** The same pool between two of its tokens, by their places: the lower one first. */
export function betweenTokens<Pool extends SortedPool>(pool: Pool, one: number, other: number): Pool {
  const [token0, token1] = [pool.tokens[Math.min(one, other)], pool.tokens[Math.max(one, other)]];
  return token0 === undefined || token1 === undefined ? pool : { ...pool, token0, token1 };
}

/** The table's price of token0 in token1, in base units of each. Float. */
export function approxTablePrice(token0: PlacedToken, token1: PlacedToken): number {
  return (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals);
}
