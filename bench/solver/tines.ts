import { existsSync } from 'node:fs';
import { segmentsGas } from '../../src/curves/curves.ts';
import type { SegmentsCurve } from '../../src/snapshot/snapshot.ts';
import type { ConcentratedState } from '../../src/venues/concentrated/concentrated-state.ts';
import type { UniswapV2State } from '../../src/venues/uniswap_v2/state.ts';
import { UNISWAP_V2_GAS } from '../../src/venues/uniswap_v2/venue.ts';
import { UNISWAP_V3_GAS } from '../../src/venues/uniswap_v3/venue.ts';
import type { ExactPool, RouteLeg } from './exact-pools.ts';
import { startStopwatch } from './stopwatch.ts';

// What is used of @sushiswap/tines, by its own declarations.
type RToken = { name: string; symbol: string; address: string; decimals: number; chainId: number };
type RPool = { swapGasCost: number; calcOutByIn(amount: number, direction: boolean, throws?: boolean): { out: number; gasSpent: number } };
type MultiRoute = {
  readonly status: 'Success' | 'NoWay' | 'Partial';
  readonly legs: readonly { readonly poolAddress: string; readonly tokenFrom: RToken; readonly tokenTo: RToken; readonly swapPortion: number }[];
};
type Network = { readonly chainId: number; readonly baseToken: RToken; readonly gasPrice: number };
type Tines = {
  readonly ConstantProductRPool: new (address: string, token0: RToken, token1: RToken, fee: number, reserve0: bigint, reserve1: bigint) => RPool;
  readonly UniV3Pool: new (
    address: string,
    token0: RToken,
    token1: RToken,
    fee: number,
    reserve0: bigint,
    reserve1: bigint,
    tick: number,
    liquidity: bigint,
    sqrtPriceX96: bigint,
    ticks: { index: number; DLiquidity: bigint }[],
  ) => RPool;
  findMultiRouteExactIn(from: RToken, to: RToken, amount: bigint, pools: readonly RPool[], networks: readonly Network[]): MultiRoute;
};

/** Solves by tines: the route's legs with shares of what is left of each token, or why there is none. */
export type TinesSolver = (
  sell: number,
  buy: number,
  amount: bigint,
  gasPriceWei: number,
) => { readonly legs: readonly RouteLeg[] | null; readonly millis: number };

export type TinesInput = {
  readonly pools: Iterable<ExactPool>;
  readonly token: (id: number) => { readonly address: string; readonly decimals: number; readonly symbol: string };
  readonly native: number;
  /** Most output of a pool's direction: what the pool holds of the token. */
  readonly held: (pool: ExactPool, slotOut: number) => bigint;
};

const FOLDER = new URL('./peers/node_modules/@sushiswap/tines/', import.meta.url);
const CHAIN = 1;
const SHARES = 2 ** 48;

export function isTinesInstalled(): boolean {
  return existsSync(FOLDER);
}

/** Builds tines' own pool objects once, as a service would. Its gas per swap is set to Braid's model, so that both weigh the same gas. */
export async function createTines({ pools, token, native, held }: TinesInput): Promise<TinesSolver> {
  const tines: Tines = await import(new URL('dist/index.mjs', FOLDER).href);
  const tokens = new Map<number, RToken>();
  const idByAddress = new Map<string, number>();
  const tokenOf = (id: number): RToken => {
    const known = tokens.get(id);
    if (known !== undefined) return known;
    const { address, decimals, symbol } = token(id);
    const made = { name: symbol, symbol, address, decimals, chainId: CHAIN };
    tokens.set(id, made);
    idByAddress.set(address, id);
    return made;
  };
  class Concentrated extends tines.UniV3Pool {
    /** By slot of the input. */
    readonly curves: (SegmentsCurve | undefined)[] = [];
    override calcOutByIn(amount: number, direction: boolean, throws?: boolean): { out: number; gasSpent: number } {
      const { out } = super.calcOutByIn(amount, direction, throws);
      // Its own count knows ticks and no words, so the curve's stands in; in a direction without liquidity there is none to have.
      const curve = this.curves[direction ? 0 : 1];
      return { out, gasSpent: curve === undefined ? UNISWAP_V3_GAS.swap : segmentsGas(curve, Math.min(amount, curve.capacity)) };
    }
  }
  const poolByKey = new Map<string, ExactPool>();
  const known: RPool[] = [];
  for (const pool of pools) {
    const kind = pool.venue.venue.poolSetKind;
    if (kind !== 'constantProduct' && kind !== 'concentrated') continue;
    const [token0, token1] = [tokenOf(pool.tokens[0] as number), tokenOf(pool.tokens[1] as number)];
    poolByKey.set(pool.key, pool);
    if (kind === 'constantProduct') {
      const { reserve0, reserve1, feePpm } = pool.state as UniswapV2State;
      const made = new tines.ConstantProductRPool(pool.key, token0, token1, feePpm / 1e6, reserve0, reserve1);
      made.swapGasCost = UNISWAP_V2_GAS;
      known.push(made);
    } else {
      const { feePpm, tick, liquidity, sqrtPriceX96 } = pool.state as ConcentratedState;
      const ticks = closedTicks(pool.state as ConcentratedState);
      const made = new Concentrated(pool.key, token0, token1, feePpm / 1e6, held(pool, 0), held(pool, 1), tick, liquidity, sqrtPriceX96, ticks);
      for (const { slotIn, curve } of pool.venue.state.curves(pool.state)) if (curve.kind === 'segments') made.curves[slotIn] = curve;
      known.push(made);
    }
  }
  return (sell, buy, amount, gasPriceWei) => {
    const watch = startStopwatch();
    const network = { chainId: CHAIN, baseToken: tokenOf(native), gasPrice: gasPriceWei };
    const route = tines.findMultiRouteExactIn(tokenOf(sell), tokenOf(buy), amount, known, [network]);
    const millis = watch();
    if (route.status !== 'Success') return { legs: null, millis };
    const legs = route.legs.map(({ poolAddress, tokenFrom, tokenTo, swapPortion }) => {
      const pool = poolByKey.get(poolAddress) as ExactPool;
      const slotIn = pool.tokens.indexOf(idByAddress.get(tokenFrom.address) ?? -1);
      const slotOut = pool.tokens.indexOf(idByAddress.get(tokenTo.address) ?? -1);
      return { pool, slotIn, slotOut, numerator: BigInt(Math.round(swapPortion * SHARES)), denominator: BigInt(SHARES) };
    });
    return { legs, millis };
  };
}

/** Ticks that bring the liquidity to zero at both ends, which tines takes for granted: a window of ticks would go on for ever. */
function closedTicks({ ticks, tick, liquidity }: ConcentratedState): { index: number; DLiquidity: bigint }[] {
  const list = Array.from(ticks.indices, (index, at) => ({ index, DLiquidity: ticks.liquidityNet[at] as bigint }));
  const below = list.filter(({ index }) => index <= tick);
  const above = list.filter(({ index }) => index > tick);
  const first = below[0];
  if (first !== undefined) first.DLiquidity += liquidity - below.reduce((sum, { DLiquidity }) => sum + DLiquidity, 0n);
  const last = above.at(-1);
  if (last !== undefined) last.DLiquidity -= liquidity + above.reduce((sum, { DLiquidity }) => sum + DLiquidity, 0n);
  return list;
}
