import type { PoolFamily } from '../pool-table.ts';
import { concentrated } from './concentrated.ts';
import { constantProduct } from './constant-product.ts';
import type { DevnetVenue } from './devnet-venue.ts';
import { solidly } from './solidly.ts';

/** What the local chain has pools of. */
export const DEVNET_VENUES: Readonly<Record<PoolFamily, DevnetVenue>> = {
  uniswap_v2: constantProduct('uniswap_v2', ({ uniswapV2Factory, uniswapV2Router }) => ({ factory: uniswapV2Factory, router: uniswapV2Router })),
  sushiswap_v2: constantProduct('sushiswap_v2', ({ sushiswapV2Factory, sushiswapV2Router }) => ({ factory: sushiswapV2Factory, router: sushiswapV2Router })),
  uniswap_v3: concentrated,
  aerodrome: solidly,
};
