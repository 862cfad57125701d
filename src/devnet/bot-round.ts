import { encodeFunctionData, type Hex } from 'viem';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { NEVER, SWAP_ROUTER_ABI, V2_ROUTER_ABI } from './abi.ts';
import { planLiquidity } from './bot-liquidity.ts';
import type { PlacedToken, VenueContracts } from './deploy-contracts.ts';
import { approxTablePrice, type PlacedPool } from './make-pools.ts';
import type { NodeRpc } from './node-rpc.ts';
import { readPool } from './pool-reading.ts';
import { approxSqrtPriceX96 } from './positions.ts';
import { createRandom, type Random } from './random.ts';
import { approxBaseUnits } from './token-table.ts';

export type BotTransaction = { readonly from: Address; readonly to: Address; readonly data: Hex };

/** What the bots trade on. */
export type BotMarket = {
  readonly tokens: readonly PlacedToken[];
  /** Pools that hold liquidity. */
  readonly pools: readonly PlacedPool[];
  readonly venues: VenueContracts;
  readonly trader: Address;
  readonly provider: Address;
};

/** A market with the bots' own memory: their dice, and where they want each token's price now, over the table's. */
export type LiveMarket = BotMarket & { readonly random: Random; readonly sway: Map<Address, number> };

const LIQUIDITY_CHANCE = 0.6;
/** Pull of a token's wanted price back to the table, per round. */
const REVERSION = 0.02;
/** Step of the wanted price per round, as a share of its largest sway. */
const STEP = 0.15;
/** A swap aims at the wanted price give or take this share of the pool's fee, and a little. */
const AIM_OF_FEE = 0.6;
const AIM = 0.0005;
/** Most that one swap spends. */
const SWAP_USD = 2_000_000;
/** Price moves below this are not worth a transaction. */
const SMALLEST_MOVE = 1e-5;

export function createBotMarket(market: BotMarket, seed: number): LiveMarket {
  return { ...market, random: createRandom(seed ^ 0xb075), sway: new Map(market.tokens.map((token) => [token.address, 0])) };
}

/** The transactions of one block: swaps that pull random pools to the wanted prices, and now and then a change of liquidity. */
export async function planRound(rpc: NodeRpc, market: LiveMarket): Promise<readonly BotTransaction[]> {
  stepSway(market);
  const chosen = new Set<PlacedPool>();
  for (let pick = 0; pick < LIMITS.devnet.bots.swapsPerRound; pick++) chosen.add(pickPool(market));
  const pools = [...chosen];
  const readings = await Promise.all(pools.map((pool) => readPool(rpc, pool)));
  const swaps = pools.flatMap((pool, index) => {
    const price = readings[index]?.price;
    return price === undefined ? [] : planSwap(market, pool, price, readings[index]?.reserves ?? null);
  });
  const liquidity = market.random.unit() < LIQUIDITY_CHANCE ? await planLiquidity(rpc, market) : [];
  return [...swaps, ...liquidity];
}

export function pickPool(market: LiveMarket): PlacedPool {
  const pool = market.pools[market.random.below(market.pools.length)];
  if (pool === undefined) throw new RangeError('the bots have no pools');
  return pool;
}

/** A mean-reverting walk inside each token's band: prices wander for hours without running away. */
function stepSway(market: LiveMarket): void {
  for (const token of market.tokens) {
    const now = market.sway.get(token.address) ?? 0;
    const next = now * (1 - REVERSION) + market.random.between(-1, 1) * STEP * token.sway;
    market.sway.set(token.address, Math.max(-token.sway, Math.min(token.sway, next)));
  }
}

function planSwap(market: LiveMarket, pool: PlacedPool, price: number, reserves: readonly [bigint, bigint] | null): readonly BotTransaction[] {
  const { random, sway, trader, venues } = market;
  const wanted = (1 + (sway.get(pool.token0.address) ?? 0)) / (1 + (sway.get(pool.token1.address) ?? 0));
  const aim = 1 + random.between(-1, 1) * ((AIM_OF_FEE * pool.feePpm) / 1e6 + AIM);
  const target = approxTablePrice(pool.token0, pool.token1) * wanted * aim;
  if (Math.abs(target / price - 1) < SMALLEST_MOVE) return [];
  const [tokenIn, tokenOut] = target < price ? [pool.token0, pool.token1] : [pool.token1, pool.token0];
  const largest = approxBaseUnits(tokenIn, SWAP_USD);
  if (reserves !== null) {
    // A constant product moves its price by the square of the growth of the reserve that is paid into.
    const growth = target < price ? Math.sqrt(price / target) : Math.sqrt(target / price);
    const reserveIn = Number(target < price ? reserves[0] : reserves[1]);
    const amount = BigInt(Math.floor((reserveIn * (growth - 1)) / (1 - pool.feePpm / 1e6)));
    if (amount < 1n) return [];
    const router = pool.family === 'uniswap_v2' ? venues.uniswapV2Router : venues.sushiswapV2Router;
    const path = [tokenIn.address, tokenOut.address];
    const args = [amount < largest ? amount : largest, 0n, path, trader, NEVER] as const;
    return [{ from: trader, to: router, data: encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'swapExactTokensForTokens', args }) }];
  }
  // The price limit stops the swap at the target, whatever liquidity is on the way.
  const params = {
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    fee: pool.feePpm,
    recipient: trader,
    deadline: NEVER,
    amountIn: largest,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: approxSqrtPriceX96(target),
  };
  return [{ from: trader, to: venues.swapRouter, data: encodeFunctionData({ abi: SWAP_ROUTER_ABI, functionName: 'exactInputSingle', args: [params] }) }];
}
