import { type ConcentratedState, tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import type { PoolSpec } from './random-concentrated-pool.ts';

/** What UniswapV3Oracle.sol reads from a pool. */
export type PoolState = {
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  readonly ticks: readonly { readonly tick: number; readonly gross: bigint; readonly net: bigint }[];
};

/** A pool on the chain as Braid's exact state. */
export function stateOf(spec: PoolSpec, chainState: PoolState): ConcentratedState {
  const nets = new Map(chainState.ticks.filter(({ gross }) => gross > 0n).map(({ tick, net }) => [tick, net]));
  const pairs = [...nets].sort(([a], [b]) => a - b);
  const { sqrtPriceX96, tick, liquidity } = chainState;
  return Object.freeze({ feePpm: spec.fee, tickSpacing: spec.tickSpacing, sqrtPriceX96, liquidity, tick, ticks: tickTable(pairs), truncated: false });
}
