import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { type Address, asAddress } from '../units/units.ts';
import { NEVER, POSITION_MANAGER_ABI, V2_FACTORY_ABI, V2_ROUTER_ABI, V3_FACTORY_ABI } from './abi.ts';
import type { PlacedToken, VenueContracts } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { PoolSpec } from './pool-table.ts';
import { approxSqrtPriceX96, positionsFor, TICK_SPACING, ticksOf } from './positions.ts';
import { approxBaseUnits } from './token-table.ts';
import type { TransactionScript } from './transaction-script.ts';

/** A pool of the table with its tokens in the contract's order and, once made, its address. */
export type PlacedPool = PoolSpec & { readonly token0: PlacedToken; readonly token1: PlacedToken; readonly address: Address };

type SortedPool = Omit<PlacedPool, 'address'>;

/** Adds the transactions that make the pools and fill them, in the order of the table. */
export function makePools(script: TransactionScript, pools: readonly SortedPool[], venues: VenueContracts, owner: Address): void {
  for (const pool of pools) {
    if (pool.family === 'uniswap_v3') makeConcentrated(script, pool, venues, owner);
    else makeConstantProduct(script, pool, venues, owner);
  }
}

export function sortPools(pools: readonly PoolSpec[], tokens: readonly PlacedToken[]): readonly SortedPool[] {
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]));
  return pools.map((pool) => {
    const [left, right] = pool.symbols.map((symbol) => bySymbol.get(symbol));
    if (left === undefined || right === undefined) throw new DevnetError(`a pool of the table names an unknown token: ${pool.symbols.join('/')}`);
    return left.address < right.address ? { ...pool, token0: left, token1: right } : { ...pool, token0: right, token1: left };
  });
}

/** Asks the factories where the pools are. */
export async function locatePools(rpc: NodeRpc, pools: readonly SortedPool[], venues: VenueContracts): Promise<readonly PlacedPool[]> {
  const calls = pools.map((pool) => ({ method: 'eth_call', params: [{ to: factoryOf(pool, venues), data: askFor(pool) }, 'latest'] }));
  const answers = await rpc.batch(calls);
  return answers.map((answer, index) => {
    const pool = pools[index];
    if (!answer.ok || pool === undefined) throw new DevnetError('a factory of the local chain does not answer');
    const address = decodeFunctionResult({ abi: V2_FACTORY_ABI, functionName: 'getPair', data: answer.result as Hex });
    return { ...pool, address: asAddress(address) };
  });
}

/** The table's price of token0 in token1, in base units of each. Float. */
export function approxTablePrice(token0: PlacedToken, token1: PlacedToken): number {
  return (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals);
}

function factoryOf(pool: SortedPool, venues: VenueContracts): Address {
  if (pool.family === 'uniswap_v3') return venues.uniswapV3Factory;
  return pool.family === 'uniswap_v2' ? venues.uniswapV2Factory : venues.sushiswapV2Factory;
}

function askFor(pool: SortedPool): Hex {
  const pair = [pool.token0.address, pool.token1.address] as const;
  if (pool.family === 'uniswap_v3') return encodeFunctionData({ abi: V3_FACTORY_ABI, functionName: 'getPool', args: [...pair, pool.feePpm] });
  return encodeFunctionData({ abi: V2_FACTORY_ABI, functionName: 'getPair', args: pair });
}

function makeConstantProduct(script: TransactionScript, pool: SortedPool, venues: VenueContracts, owner: Address): void {
  const label = `${pool.family} ${pool.symbols.join('/')}`;
  const pair = [pool.token0.address, pool.token1.address] as const;
  if (pool.liquidityUsd === 0) {
    script.call(label, factoryOf(pool, venues), encodeFunctionData({ abi: V2_FACTORY_ABI, functionName: 'createPair', args: pair }));
    return;
  }
  const amount0 = approxBaseUnits(pool.token0, pool.liquidityUsd / 2);
  const amount1 = approxBaseUnits(pool.token1, (pool.liquidityUsd / 2) * pool.skew);
  const router = pool.family === 'uniswap_v2' ? venues.uniswapV2Router : venues.sushiswapV2Router;
  script.call(label, router, encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'addLiquidity', args: [...pair, amount0, amount1, 0n, 0n, owner, NEVER] }));
}

function makeConcentrated(script: TransactionScript, pool: SortedPool, venues: VenueContracts, owner: Address): void {
  const label = `V3 ${pool.symbols.join('/')} ${pool.feePpm}`;
  const pair = [pool.token0.address, pool.token1.address] as const;
  if (pool.shape === 'none') {
    script.call(label, venues.uniswapV3Factory, encodeFunctionData({ abi: V3_FACTORY_ABI, functionName: 'createPool', args: [...pair, pool.feePpm] }));
    return;
  }
  const price = approxTablePrice(pool.token0, pool.token1) * pool.skew;
  const create = encodeFunctionData({
    abi: POSITION_MANAGER_ABI,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [...pair, pool.feePpm, approxSqrtPriceX96(price)],
  });
  script.call(`${label} create`, venues.positionManager, create);
  for (const position of positionsFor(pool.shape, ticksOf(price), TICK_SPACING[pool.feePpm] ?? 1)) {
    const usd = (pool.liquidityUsd / 2) * position.share;
    const data = encodeMint(pool, position.tickLower, position.tickUpper, approxBaseUnits(pool.token0, usd), approxBaseUnits(pool.token1, usd), owner);
    script.call(`${label} ${position.tickLower}…${position.tickUpper}`, venues.positionManager, data);
  }
}

/** The position manager's mint, for the devnet's own positions: no limits, no deadline. */
export function encodeMint(pool: SortedPool, tickLower: number, tickUpper: number, amount0: bigint, amount1: bigint, recipient: Address): Hex {
  const params = {
    token0: pool.token0.address,
    token1: pool.token1.address,
    fee: pool.feePpm,
    tickLower,
    tickUpper,
    amount0Desired: amount0,
    amount1Desired: amount1,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient,
    deadline: NEVER,
  };
  return encodeFunctionData({ abi: POSITION_MANAGER_ABI, functionName: 'mint', args: [params] });
}
