import { LIMITS } from '../config/limits.ts';
import { createRandom, type Random } from '../random.ts';
import type { Address } from '../units/units.ts';
import type { PlacedToken } from './deploy-contracts.ts';
import type { BotTransaction } from './devnet-venue.ts';
import { type PlacedVenues, readPool, venueOf } from './lay-pools.ts';
import type { NodeRpc } from './node-rpc.ts';
import { approxTablePrice, betweenTokens, type PlacedPool, type PoolReading } from './placed-pool.ts';
import { approxBaseUnits } from './token-table.ts';

/** What the bots trade on. */
export type BotMarket = {
  readonly tokens: readonly PlacedToken[];
  /** Pools that hold liquidity. */
  readonly pools: readonly PlacedPool[];
  readonly venues: PlacedVenues;
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
  const pools = [...chosen].map((pool) => anyTwoTokens(pool, market.random));
  const readings = await Promise.all(pools.map((pool) => readPool(rpc, pool, market.venues)));
  const swaps = pools.flatMap((pool, index) => {
    const reading = readings[index];
    return reading === undefined ? [] : planSwap(market, pool, reading);
  });
  const liquidity = market.random.unit() < LIQUIDITY_CHANCE ? await planLiquidity(rpc, market) : [];
  return [...swaps, ...liquidity, ...planEachRound(market)];
}

function pickPool(market: LiveMarket): PlacedPool {
  const pool = market.pools[market.random.below(market.pools.length)];
  if (pool === undefined) throw new RangeError('the bots have no pools');
  return pool;
}

function anyTwoTokens(pool: PlacedPool, random: Random): PlacedPool {
  const count = pool.tokens.length;
  if (count === 2) return pool;
  const one = random.below(count);
  return betweenTokens(pool, one, (one + 1 + random.below(count - 1)) % count);
}

/** A mean-reverting walk inside each token's band: prices wander for hours without running away. */
function stepSway(market: LiveMarket): void {
  for (const token of market.tokens) {
    const now = market.sway.get(token.address) ?? 0;
    const next = now * (1 - REVERSION) + market.random.between(-1, 1) * STEP * token.sway;
    market.sway.set(token.address, Math.max(-token.sway, Math.min(token.sway, next)));
  }
}

/** What venues send in every round, whatever else is picked. */
function planEachRound(market: LiveMarket): readonly BotTransaction[] {
  return [...market.venues].flatMap(([family, venue]) => {
    const pools = market.pools.filter((pool) => pool.family === family);
    return pools.length === 0 ? [] : (venue.eachRound?.(pools.map((pool) => ({ pool, price: wantedPrice(market, pool) }))) ?? []);
  });
}

function wantedPrice({ sway }: LiveMarket, { token0, token1 }: PlacedPool): number {
  return (approxTablePrice(token0, token1) * (1 + (sway.get(token0.address) ?? 0))) / (1 + (sway.get(token1.address) ?? 0));
}

function planSwap(market: LiveMarket, pool: PlacedPool, reading: PoolReading): readonly BotTransaction[] {
  const { random, trader, venues } = market;
  const aim = 1 + random.between(-1, 1) * ((AIM_OF_FEE * pool.feePpm) / 1e6 + AIM);
  const target = wantedPrice(market, pool) * aim;
  if (Math.abs(target / reading.price - 1) < SMALLEST_MOVE) return [];
  const largest = approxBaseUnits(target < reading.price ? pool.token0 : pool.token1, SWAP_USD);
  return venueOf(venues, pool).swap(pool, reading, { target, largest, trader });
}

/** A change of liquidity in one random pool. */
async function planLiquidity(rpc: NodeRpc, market: LiveMarket): Promise<readonly BotTransaction[]> {
  const pool = pickPool(market);
  const reading = await readPool(rpc, pool, market.venues);
  return reading === undefined ? [] : venueOf(market.venues, pool).changeLiquidity(pool, reading, { rpc, ...market });
}
