import { creationCode } from '../artifacts.ts';
import { deployWith } from '../deploy-with.ts';
import type { DevnetVenue, Ground, PlacedVenue } from '../devnet-venue.ts';
import { constantProduct } from '../kinds/constant-product.ts';
import { UNISWAP_V2_PLACES } from '../kinds/uniswap-places.ts';

const FEE_PPM = 3000;

const ROWS: readonly (readonly [pair: string, liquidityUsd: number])[] = [
  ['WETH/USDC', 12_000_000],
  ['WETH/USDT', 8_000_000],
  ['WETH/DAI', 3_500_000],
  ['WBTC/WETH', 5_000_000],
  ['WBTC/USDC', 300_000],
  ['USDC/USDT', 1_500_000],
  ['USDC/DAI', 600_000],
  ['GUSD/USDC', 90_000],
  ['LINK/WETH', 1_800_000],
  ['LINK/USDC', 120_000],
  ['UNI/WETH', 1_400_000],
  ['AAVE/WETH', 500_000],
  ['MKR/WETH', 700_000],
  ['CRV/WETH', 350_000],
  ['LDO/WETH', 200_000],
  ['PEPE/WETH', 2_200_000],
  ['MUTE/WETH', 45_000],
  ['SEAT/WETH', 60_000],
  ['RPL/WETH', 90_000],
  ['NEAR/USDC', 30_000],
  ['GUSD/DAI', 0],
];

export const devnetVenue: DevnetVenue = {
  title: 'Uniswap V2',
  folders: ['uniswap_v2'],
  pools: (lay, random, tail) => [
    ...ROWS.map(([pair, usd]) => lay(pair, FEE_PPM, usd, 'full')),
    ...tail.map((symbol) => lay(`${symbol}/WETH`, FEE_PPM, random.between(5_000, 400_000), 'full')),
  ],
  place,
};

function place({ script, deployer, wrappedNative }: Ground): PlacedVenue {
  const factory = deployWith(script, 'Uniswap V2 factory', creationCode(UNISWAP_V2_PLACES.factory), deployer);
  const router = deployWith(script, 'Uniswap V2 router', creationCode(UNISWAP_V2_PLACES.router), factory, wrappedNative);
  return { contracts: { uniswapV2Factory: factory, uniswapV2Router: router }, ...constantProduct('uniswap_v2', { factory, router }) };
}
