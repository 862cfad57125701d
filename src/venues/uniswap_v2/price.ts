import type { PriceFacet, Quote } from '../venue.ts';
import { MAX_RESERVE, type UniswapV2State } from './state.ts';
import { UNISWAP_V2_GAS } from './venue.ts';

const MILLION = 1_000_000n;

/**
 * UniswapV2Library followed by UniswapV2Pair.swap. The library's own base (1,000 for Uniswap, 10,000 for PancakeSwap) gives the same quotients as
 * millionths, since base and fee scale together. Its products can not overflow for an amount that the pair takes: the pair's balances are uint112.
 */
export const price: PriceFacet<UniswapV2State> = {
  exactIn(state, slotIn, _slotOut, amountIn) {
    const reserveIn = slotIn === 0 ? state.reserve0 : state.reserve1;
    const reserveOut = slotIn === 0 ? state.reserve1 : state.reserve0;
    if (amountIn <= 0n || reserveIn === 0n) return REVERTS;
    const kept = amountIn * BigInt(1_000_000 - state.feePpm);
    const amountOut = (kept * reserveOut) / (reserveIn * MILLION + kept);
    return swapped(state.feePpm, slotIn, amountIn, amountOut, reserveIn + amountIn, reserveOut - amountOut);
  },

  exactOut(state, slotIn, _slotOut, amountOut) {
    const reserveIn = slotIn === 0 ? state.reserve0 : state.reserve1;
    const left = (slotIn === 0 ? state.reserve1 : state.reserve0) - amountOut;
    if (amountOut <= 0n || reserveIn === 0n || left <= 0n) return REVERTS;
    const amountIn = (reserveIn * amountOut * MILLION) / (left * BigInt(1_000_000 - state.feePpm)) + 1n;
    return swapped(state.feePpm, slotIn, amountIn, amountOut, reserveIn + amountIn, left);
  },
};

const REVERTS: Quote<UniswapV2State> = { ok: false, reason: 'reverts' };

function swapped(feePpm: number, slotIn: number, amountIn: bigint, amountOut: bigint, reserveIn: bigint, reserveOut: bigint): Quote<UniswapV2State> {
  // The pair reverts when nothing comes out, and when a balance no longer fits a uint112.
  if (amountOut === 0n || reserveIn > MAX_RESERVE) return REVERTS;
  const next: UniswapV2State = slotIn === 0 ? { reserve0: reserveIn, reserve1: reserveOut, feePpm } : { reserve0: reserveOut, reserve1: reserveIn, feePpm };
  return { ok: true, amountIn, amountOut, next, gas: UNISWAP_V2_GAS };
}
