import { type PoolSpec, poolsOfVenue } from '../../../src/devnet/pool-spec.ts';
import { approxSqrtPriceX96, positionsFor, TICK_SPACING, ticksOf } from '../../../src/devnet/positions.ts';
import { approxBaseUnits, TOKEN_TABLE, type TokenSpec } from '../../../src/devnet/token-table.ts';
import { devnetVenue as sushiswapV2 } from '../../../src/devnet/venues/sushiswap_v2.ts';
import { devnetVenue as uniswapV2 } from '../../../src/devnet/venues/uniswap_v2.ts';
import { devnetVenue as uniswapV3 } from '../../../src/devnet/venues/uniswap_v3.ts';
import { sqrtRatioAtTick, tickAtSqrtRatio } from '../../../src/venues/concentrated/tick-math.ts';
import { createRandom } from '../random.ts';
import { type Position, tickFields } from './concentrated.ts';
import type { GeneratedSet } from './generate.ts';
import type { GeneratedPool } from './pools.ts';

/** The wrapped native token of the chain that the pool set names. */
const WRAPPED_NATIVE = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const V2_FEE_BPS = 30;
const Q96 = 1n << 96n;

/** The venues of the local chain whose pools a pool set holds just as the contracts do. */
export const VENUES_OF_SET = { sushiswap_v2: sushiswapV2, uniswap_v2: uniswapV2, uniswap_v3: uniswapV3 };

type Placed = TokenSpec & { readonly address: string };

/**
 * The pools of the local chain at its start, from the tables that it is made from, without a chain: every trade of thin and deep pools that it has. `addresses`: of
 * the tokens by symbol, which decide how a pair is sorted; absent: made up.
 */
export function generateDevnet(seed: number, addresses?: ReadonlyMap<string, string>): GeneratedSet {
  const random = createRandom(seed * 7919);
  const tokens = TOKEN_TABLE.map((token): Placed => {
    const made = token.kind === 'wrapped' ? WRAPPED_NATIVE : `0x${random.hex(40)}`;
    return { ...token, address: addresses?.get(token.symbol) ?? made };
  });
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]));
  const specs = Object.entries(VENUES_OF_SET).flatMap(([family, venue]) => poolsOfVenue(family, venue, seed, []));
  const pools = specs.flatMap((spec): GeneratedPool[] => {
    const [left, right] = spec.symbols.map((symbol) => bySymbol.get(symbol));
    if (left === undefined || right === undefined) throw new TypeError(`no token of ${spec.symbols.join('/')} in the table`);
    // A pool of the table that was never filled gives nothing to trade.
    if (spec.liquidityUsd === 0) return [];
    const [token0, token1] = left.address < right.address ? [left, right] : [right, left];
    const identity = { id: `0x${random.hex(40)}`, tokens: [token0.address, token1.address] };
    return [spec.family === 'uniswap_v3' ? concentrated(identity, spec, token0, token1) : constantProduct(identity, spec, token0, token1)];
  });
  return {
    poolSet: {
      chainId: 1,
      source: `the pools of the local chain, seed ${seed}`,
      gasPriceWei: '5000000000',
      tokens: Object.fromEntries(tokens.map(({ address, symbol, decimals, usd }) => [address, { symbol, decimals, usd }])),
      pools,
    },
    requests: { requests: [] },
  };
}

type Identity = { readonly id: string; readonly tokens: readonly string[] };

function constantProduct(identity: Identity, { family, liquidityUsd, skew }: PoolSpec, token0: Placed, token1: Placed): GeneratedPool {
  const reserves = [approxBaseUnits(token0, liquidityUsd / 2), approxBaseUnits(token1, (liquidityUsd / 2) * skew)];
  return { ...identity, kind: 'constantProduct', venue: family, reserves: reserves.map(String), feeBps: V2_FEE_BPS };
}

function concentrated(identity: Identity, { feePpm, liquidityUsd, shape, skew }: PoolSpec, token0: Placed, token1: Placed): GeneratedPool {
  const price = (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals) * skew;
  const sqrtPriceX96 = approxSqrtPriceX96(price);
  const tick = tickAtSqrtRatio(sqrtPriceX96);
  const tickSpacing = TICK_SPACING[feePpm] ?? 1;
  const positions = positionsFor(shape, ticksOf(price), tickSpacing).map(({ tickLower, tickUpper, share }): Position => {
    const usd = (liquidityUsd / 2) * share;
    const amounts = [approxBaseUnits(token0, usd), approxBaseUnits(token1, usd)] as const;
    return { lower: tickLower, upper: tickUpper, liquidity: liquidityFor(sqrtPriceX96, tickLower, tickUpper, amounts) };
  });
  const state = { feePpm, tickSpacing, sqrtPriceX96: String(sqrtPriceX96), tick, ...tickFields(positions, tick) };
  return { ...identity, kind: 'concentrated', venue: 'uniswap_v3', ...state };
}

/** The most liquidity that two amounts of base units fill over a range at a price, as a position manager mints it: what one side holds up the other goes by. */
function liquidityFor(sqrtPriceX96: bigint, lower: number, upper: number, [amount0, amount1]: readonly [bigint, bigint]): bigint {
  const [low, high] = [sqrtRatioAtTick(lower), sqrtRatioAtTick(upper)];
  const of0 = (from: bigint): bigint => (amount0 * ((from * high) / Q96)) / (high - from);
  const of1 = (to: bigint): bigint => (amount1 * Q96) / (to - low);
  if (sqrtPriceX96 <= low) return of0(low);
  if (sqrtPriceX96 >= high) return of1(high);
  const [first, second] = [of0(sqrtPriceX96), of1(sqrtPriceX96)];
  if (first < second) return first;
  return second;
}
