import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { V2_PAIR_ABI, V3_POOL_ABI } from './abi.ts';
import type { PlacedPool } from './make-pools.ts';
import type { NodeRpc } from './node-rpc.ts';

/** What a pool says now. `price` is token1 per token0 in base units, as a float; reserves where the pool has them. */
export type PoolReading = { readonly price: number; readonly tick: number | null; readonly reserves: readonly [bigint, bigint] | null };

/** Reads a pool at the head; undefined when it has no price. */
export async function readPool(rpc: NodeRpc, pool: PlacedPool): Promise<PoolReading | undefined> {
  if (pool.family === 'uniswap_v3') {
    const data = (await rpc.request('eth_call', { to: pool.address, data: encodeFunctionData({ abi: V3_POOL_ABI }) }, 'latest')) as Hex;
    const [sqrtPriceX96, tick] = decodeFunctionResult({ abi: V3_POOL_ABI, functionName: 'slot0', data });
    return sqrtPriceX96 === 0n ? undefined : { price: (Number(sqrtPriceX96) / 2 ** 96) ** 2, tick, reserves: null };
  }
  const data = (await rpc.request('eth_call', { to: pool.address, data: encodeFunctionData({ abi: V2_PAIR_ABI }) }, 'latest')) as Hex;
  const [reserve0, reserve1] = decodeFunctionResult({ abi: V2_PAIR_ABI, functionName: 'getReserves', data });
  return reserve0 === 0n || reserve1 === 0n ? undefined : { price: Number(reserve1) / Number(reserve0), tick: null, reserves: [reserve0, reserve1] };
}
