import { MAX_UINT128 } from './check-concentrated-state.ts';
import { type ConcentratedState, countAtOrBelow } from './concentrated-state.ts';

/**
 * The part of a pool around its price whose ticks fit its liquidity, as a window without flow past its ends. For sources that say themselves that their
 * ticks do not add up: near the price they are useful, further out the liquidity would leave its range.
 */
export function consistentWindow(state: ConcentratedState): ConcentratedState {
  const { indices, liquidityNet } = state.ticks;
  const above = countAtOrBelow(state.ticks, state.tick);
  let end = above;
  for (let liquidity = state.liquidity; end < indices.length; end++) {
    liquidity += liquidityNet[end] as bigint;
    if (liquidity < 0n || liquidity > MAX_UINT128) break;
  }
  let start = above;
  for (let liquidity = state.liquidity; start > 0; start--) {
    liquidity -= liquidityNet[start - 1] as bigint;
    if (liquidity < 0n || liquidity > MAX_UINT128) break;
  }
  return { ...state, ticks: { indices: indices.slice(start, end), liquidityNet: liquidityNet.slice(start, end) }, truncated: true };
}
