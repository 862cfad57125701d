import { encodeFunctionData } from 'viem';
import { ZERO_ADDRESS } from '../../units/units.ts';
import { creationCode } from '../artifacts.ts';
import { deployWith } from '../deploy-with.ts';
import type { DevnetVenue, Ground, PlacedVenue } from '../devnet-venue.ts';
import { concentrated, V3_FACTORY_ABI } from '../kinds/concentrated.ts';
import { UNISWAP_V3_PLACES } from '../kinds/uniswap-places.ts';
import type { PoolRow } from '../pool-spec.ts';

/** Deep and thin pools of one pair side by side, so that splitting pays. */
const ROWS: readonly PoolRow[] = [
  ['WETH/USDC', 100, 400_000, 'narrow'],
  ['WETH/USDC', 500, 24_000_000, 'layered'],
  ['WETH/USDC', 3000, 9_000_000, 'ladder'],
  ['WETH/USDC', 10000, 600_000, 'full'],
  ['WETH/USDT', 500, 11_000_000, 'layered'],
  ['WETH/USDT', 3000, 5_000_000, 'gaps'],
  ['WETH/DAI', 500, 3_000_000, 'narrow'],
  ['WETH/DAI', 3000, 4_000_000, 'layered'],
  ['WBTC/WETH', 500, 16_000_000, 'layered'],
  ['WBTC/WETH', 3000, 12_000_000, 'ladder'],
  ['WBTC/USDC', 500, 900_000, 'gaps'],
  ['WBTC/USDC', 3000, 6_000_000, 'layered'],
  ['WBTC/USDT', 3000, 2_500_000, 'narrow'],
  ['USDC/USDT', 100, 14_000_000, 'stable'],
  ['USDC/USDT', 500, 2_000_000, 'full'],
  ['USDC/DAI', 100, 9_000_000, 'stable'],
  ['USDC/DAI', 500, 700_000, 'narrow'],
  ['DAI/USDT', 100, 1_200_000, 'stable'],
  ['GUSD/USDC', 500, 500_000, 'stable'],
  ['BSC-USD/USDC', 100, 3_000_000, 'stable'],
  ['BSC-USD/USDT', 500, 800_000, 'gaps'],
  ['LINK/WETH', 3000, 7_000_000, 'layered'],
  ['LINK/WETH', 10000, 300_000, 'full'],
  ['LINK/USDC', 3000, 400_000, 'narrow'],
  ['UNI/WETH', 3000, 5_000_000, 'ladder'],
  ['UNI/WETH', 10000, 200_000, 'full'],
  ['UNI/USDC', 3000, 250_000, 'gaps'],
  ['AAVE/WETH', 3000, 3_000_000, 'layered'],
  ['AAVE/USDC', 3000, 150_000, 'narrow'],
  ['MKR/WETH', 3000, 2_000_000, 'layered'],
  ['MKR/DAI', 10000, 120_000, 'full'],
  ['CRV/WETH', 3000, 900_000, 'gaps'],
  ['CRV/WETH', 10000, 80_000, 'full'],
  ['LDO/WETH', 3000, 1_100_000, 'ladder'],
  ['LDO/WETH', 10000, 60_000, 'narrow'],
  ['PEPE/WETH', 3000, 1_500_000, 'layered'],
  ['PEPE/WETH', 10000, 700_000, 'ladder'],
  ['NEAR/WETH', 3000, 300_000, 'layered'],
  ['NEAR/USDC', 10000, 40_000, 'full'],
  ['SEAT/USDC', 10000, 250_000, 'full'],
  ['MUTE/WETH', 10000, 25_000, 'narrow'],
  ['RPL/WETH', 3000, 600_000, 'layered'],
  ['GUSD/DAI', 3000, 0, 'none'],
];

export const devnetVenue: DevnetVenue = {
  title: 'Uniswap V3',
  folders: ['uniswap_v3'],
  pools: (lay, random, tail) => [
    ...ROWS.map((row) => lay(...row)),
    ...tail.flatMap((symbol) => [
      lay(`${symbol}/WETH`, 3000, random.between(20_000, 900_000), 'layered'),
      lay(`${symbol}/USDC`, 10000, random.between(5_000, 200_000), 'gaps'),
    ]),
  ],
  place,
};

function place({ script, wrappedNative }: Ground): PlacedVenue {
  const factory = deployWith(script, 'Uniswap V3 factory', creationCode(UNISWAP_V3_PLACES.factory));
  // The one fee that Uniswap's governance added later; the constructor enables the other three.
  script.call('enable fee 100', factory, encodeFunctionData({ abi: V3_FACTORY_ABI, functionName: 'enableFeeAmount', args: [100, 1] }));
  // The descriptor only draws pictures of positions.
  const positionManager = deployWith(script, 'position manager', creationCode(UNISWAP_V3_PLACES.positionManager), factory, wrappedNative, ZERO_ADDRESS);
  const swapRouter = deployWith(script, 'V3 swap router', creationCode(UNISWAP_V3_PLACES.swapRouter), factory, wrappedNative);
  const quoterV2 = deployWith(script, 'V3 quoter', creationCode(UNISWAP_V3_PLACES.quoterV2), factory, wrappedNative);
  return {
    contracts: { uniswapV3Factory: factory, positionManager, swapRouter, quoterV2 },
    ...concentrated('uniswap_v3', { factory, positionManager, swapRouter }),
  };
}
