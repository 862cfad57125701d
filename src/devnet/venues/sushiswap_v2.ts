import { creationCode } from '../artifacts.ts';
import { deployWith } from '../deploy-with.ts';
import type { DevnetVenue, Ground, PlacedVenue } from '../devnet-venue.ts';
import { constantProduct } from '../kinds/constant-product.ts';
import { UNISWAP_V2_PLACES } from '../kinds/uniswap-places.ts';

const FEE_PPM = 3000;

const ROWS: readonly (readonly [pair: string, liquidityUsd: number])[] = [
  ['WETH/USDC', 4_000_000],
  ['WETH/USDT', 1_700_000],
  ['WETH/DAI', 900_000],
  ['WBTC/WETH', 2_800_000],
  ['BSC-USD/USDC', 400_000],
  ['LINK/WETH', 450_000],
  ['AAVE/WETH', 260_000],
  ['MKR/WETH', 150_000],
  ['CRV/WETH', 500_000],
  ['LDO/WETH', 70_000],
  ['PEPE/WETH', 110_000],
  ['MUTE/USDC', 8_000],
  ['RPL/USDC', 20_000],
];

/** A deployment of Uniswap's own contracts, as SushiSwap's are but for their names. */
export const devnetVenue: DevnetVenue = {
  title: 'SushiSwap V2',
  folders: ['uniswap_v2'],
  pools: (lay, random, tail) => [
    ...ROWS.map(([pair, usd]) => lay(pair, FEE_PPM, usd, 'full')),
    ...tail.map((symbol) => lay(`${symbol}/USDC`, FEE_PPM, random.between(2_000, 90_000), 'full')),
  ],
  place,
};

function place({ script, deployer, wrappedNative }: Ground): PlacedVenue {
  const factory = deployWith(script, 'SushiSwap V2 factory', creationCode(UNISWAP_V2_PLACES.factory), deployer);
  const router = deployWith(script, 'SushiSwap V2 router', creationCode(UNISWAP_V2_PLACES.router), factory, wrappedNative);
  return { contracts: { sushiswapV2Factory: factory, sushiswapV2Router: router }, ...constantProduct('sushiswap_v2', { factory, router }) };
}
