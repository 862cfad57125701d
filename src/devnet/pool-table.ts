import { createRandom } from './random.ts';
import { TOKEN_TABLE, type TokenSpec } from './token-table.ts';

export type PoolFamily = 'uniswap_v2' | 'sushiswap_v2' | 'uniswap_v3' | 'aerodrome';

/** How a concentrated pool's liquidity lies. 'none': the pool exists and was never given a price. */
export type Shape = 'full' | 'layered' | 'narrow' | 'gaps' | 'ladder' | 'stable' | 'none';

/** A pool to be made. The order of the two symbols says nothing: the contracts sort by address. */
export type PoolSpec = {
  readonly family: PoolFamily;
  readonly symbols: readonly [string, string];
  /** Millionths. */
  readonly feePpm: number;
  /** Value of both sides; 0: the pool exists and holds nothing. */
  readonly liquidityUsd: number;
  readonly shape: Shape;
  /** Starting price over the table's price. */
  readonly skew: number;
};

type Row = readonly [pair: string, feePpm: number, liquidityUsd: number, shape: Shape];

const V2_FEE_PPM = 3000;

/** Two symbols, fee, value, shape. Deep and thin pools of one pair side by side, so that splitting pays. */
const CONCENTRATED: readonly Row[] = [
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

const UNISWAP_V2: readonly (readonly [pair: string, liquidityUsd: number])[] = [
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

const SUSHISWAP_V2: readonly (readonly [pair: string, liquidityUsd: number])[] = [
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

/** Stable: the curve for tokens of one worth. Its first deposit has to be of equal amounts. */
const AERODROME: readonly Row[] = [
  ['WETH/USDC', 3000, 3_000_000, 'full'],
  ['WETH/DAI', 3000, 500_000, 'full'],
  ['WBTC/WETH', 3000, 1_500_000, 'full'],
  ['LINK/WETH', 3000, 300_000, 'full'],
  ['AAVE/USDC', 3000, 90_000, 'full'],
  ['USDC/DAI', 500, 4_000_000, 'stable'],
  ['USDC/BSC-USD', 500, 1_200_000, 'stable'],
  ['GUSD/DAI', 500, 150_000, 'stable'],
];

/** A pool starts off the table by up to this share of its own fee, so that closing the gap is worth little. */
const SKEW_OF_FEE = 1.1;
const LARGEST_SKEW = 0.004;
/** Sizes vary with the seed by up to this factor either way. */
const SIZE_SPREAD = 1.4;

/** The pools of the local chain for a seed. Same seed and tokens, same pools. */
export function poolsFor(seed: number, tokens: readonly TokenSpec[]): readonly PoolSpec[] {
  const random = createRandom(seed);
  const make = (family: PoolFamily, pair: string, feePpm: number, liquidityUsd: number, shape: Shape): PoolSpec => {
    const [left = '', right = ''] = pair.split('/');
    const reach = Math.min((SKEW_OF_FEE * feePpm) / 1e6, LARGEST_SKEW);
    return {
      family,
      symbols: [left, right],
      feePpm,
      liquidityUsd: Math.round(liquidityUsd * SIZE_SPREAD ** random.between(-1, 1)),
      shape,
      skew: 1 + random.between(-reach, reach),
    };
  };
  const tail = tokens.slice(TOKEN_TABLE.length).map((token) => token.symbol);
  return [
    ...CONCENTRATED.map(([pair, feePpm, usd, shape]) => make('uniswap_v3', pair, feePpm, usd, shape)),
    ...UNISWAP_V2.map(([pair, usd]) => make('uniswap_v2', pair, V2_FEE_PPM, usd, 'full')),
    ...SUSHISWAP_V2.map(([pair, usd]) => make('sushiswap_v2', pair, V2_FEE_PPM, usd, 'full')),
    ...tail.flatMap((symbol) => [
      make('uniswap_v3', `${symbol}/WETH`, 3000, random.between(20_000, 900_000), 'layered'),
      make('uniswap_v3', `${symbol}/USDC`, 10000, random.between(5_000, 200_000), 'gaps'),
      make('uniswap_v2', `${symbol}/WETH`, V2_FEE_PPM, random.between(5_000, 400_000), 'full'),
      make('sushiswap_v2', `${symbol}/USDC`, V2_FEE_PPM, random.between(2_000, 90_000), 'full'),
    ]),
    ...AERODROME.map(([pair, feePpm, usd, shape]) => make('aerodrome', pair, feePpm, usd, shape)),
  ];
}
