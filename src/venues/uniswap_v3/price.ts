import { concentratedGas } from '../concentrated/gas.ts';
import { type SwapOutcome, swapConcentrated } from '../concentrated/swap.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import type { UniswapV3State } from './state.ts';
import { UNISWAP_V3_GAS } from './venue.ts';

export const price: PriceFacet<UniswapV3State> = {
  exactIn: (state, slotIn, _slotOut, amountIn) => asQuote(state, swapConcentrated(state, slotIn === 0, 'in', amountIn)),
  exactOut: (state, slotIn, _slotOut, amountOut) => asQuote(state, swapConcentrated(state, slotIn === 0, 'out', amountOut)),
};

function asQuote(state: UniswapV3State, outcome: SwapOutcome): Quote<UniswapV3State> {
  if (outcome.kind === 'reverts') return { ok: false, reason: 'reverts' };
  if (outcome.unfilled !== 0n) return { ok: false, reason: 'partial' };
  // The pool would take the input and give nothing: no fill.
  if (outcome.amountOut === 0n) return { ok: false, reason: 'reverts' };
  const { amountIn, amountOut, sqrtPriceX96, tick, liquidity, crossed, wordsWalked } = outcome;
  const { feePpm, tickSpacing, ticks, truncated } = state;
  const next: UniswapV3State = { feePpm, tickSpacing, sqrtPriceX96, liquidity, tick, ticks, truncated };
  return { ok: true, amountIn, amountOut, next, gas: concentratedGas(UNISWAP_V3_GAS, crossed, wordsWalked) };
}
