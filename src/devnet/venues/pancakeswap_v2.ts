import { deployWith } from '../deploy-with.ts';
import type { DevnetVenue, Ground, PlacedVenue } from '../devnet-venue.ts';
import { constantProduct } from '../kinds/constant-product.ts';

const FEE_PPM = 2500;

const ROWS: readonly (readonly [pair: string, liquidityUsd: number])[] = [
  ['WETH/USDC', 5_000_000],
  ['WETH/USDT', 2_200_000],
  ['WBTC/WETH', 1_900_000],
  ['BSC-USD/USDT', 1_100_000],
  ['LINK/WETH', 600_000],
];

/** Contracts of our own, by the published formula: PancakeSwap's are not published compiled (decision 91). */
export const devnetVenue: DevnetVenue = {
  title: 'PancakeSwap V2',
  folders: ['uniswap_v2'],
  sources: ['PancakeV2Factory.sol', 'PancakeV2Router.sol'].map((file) => `contracts/devnet/pancake/${file}`),
  pools: (lay) => ROWS.map(([pair, usd]) => lay(pair, FEE_PPM, usd, 'full')),
  place,
};

function place({ script, compiled }: Ground): PlacedVenue {
  const factory = deployWith(script, 'PancakeSwap V2 factory', compiled('PancakeV2Factory'));
  const router = deployWith(script, 'PancakeSwap V2 router', compiled('PancakeV2Router'), factory);
  return { contracts: { pancakeswapV2Factory: factory, pancakeswapV2Router: router }, ...constantProduct('pancakeswap_v2', { factory, router }) };
}
