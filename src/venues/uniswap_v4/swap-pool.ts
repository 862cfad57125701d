import type { ConcentratedState } from '../concentrated/concentrated-state.ts';
import { swapFeePpm, type UniswapV4State, WHOLE_FEE } from './uniswap-v4-pool.ts';

/** States are immutable, and what the concentrated mathematics remember of one they find again only by the same object. */
const known = new WeakMap<UniswapV4State, Map<number, ConcentratedState>>();

/** The concentrated pool that a swap in this direction meets: with the fee that it pays in all. null where the fee is the whole input, of which nothing comes out. */
export function swapPool(state: UniswapV4State, zeroForOne: boolean): ConcentratedState | null {
  const feePpm = swapFeePpm(state, zeroForOne);
  if (feePpm >= WHOLE_FEE) return null;
  if (feePpm === state.pool.feePpm) return state.pool;
  let byFee = known.get(state);
  if (byFee === undefined) {
    byFee = new Map();
    known.set(state, byFee);
  }
  let pool = byFee.get(feePpm);
  if (pool === undefined) {
    pool = { ...state.pool, feePpm };
    byFee.set(feePpm, pool);
  }
  return pool;
}
