import { concentratedGas } from '../concentrated/gas.ts';
import { swapConcentrated } from '../concentrated/swap.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import { swapPool } from './swap-pool.ts';
import { hookOf, type UniswapV4State } from './uniswap-v4-pool.ts';
import { UNISWAP_V4_GAS } from './venue.ts';

/** The manager's accounts are int128, and one settlement pays no more. */
export const MAX_INT128 = (1n << 127n) - 1n;

/** PoolManager.swap with the hook's part. Of the hook's stored state a swap changes nothing that its model knows. */
export const price: PriceFacet<UniswapV4State> = {
  exactIn: (state, slotIn, _slotOut, amountIn) => quote(state, slotIn === 0, 'in', amountIn),
  exactOut: (state, slotIn, _slotOut, amountOut) => quote(state, slotIn === 0, 'out', amountOut),
};

const REVERTS: Quote<UniswapV4State> = { ok: false, reason: 'reverts' };

function quote(state: UniswapV4State, zeroForOne: boolean, exact: 'in' | 'out', amount: bigint): Quote<UniswapV4State> {
  const swapped = swapPool(state, zeroForOne);
  const outcome = swapped === null ? null : swapConcentrated(swapped, zeroForOne, exact, amount);
  if (outcome === null || outcome.kind === 'reverts') return REVERTS;
  const { unfilled, sqrtPriceX96, tick, liquidity, crossed, wordsWalked } = outcome;
  const hook = hookOf(state);
  const taken = hook?.takes === undefined ? 0n : hook.takes(state.parameters, exact === 'in' ? outcome.amountOut : outcome.amountIn, exact);
  if (taken === null) return REVERTS;
  const amountIn = exact === 'in' ? outcome.amountIn : outcome.amountIn + taken;
  const amountOut = exact === 'in' ? outcome.amountOut - taken : outcome.amountOut;
  if (amountIn > MAX_INT128 || outcome.amountOut > MAX_INT128) return REVERTS;
  if (unfilled !== 0n) return { ok: false, reason: 'partial' };
  // The manager would take the input and give nothing: no fill.
  if (amountOut <= 0n) return REVERTS;
  const next = { ...state, pool: { ...plain(state), sqrtPriceX96, tick, liquidity } };
  return { ok: true, amountIn, amountOut, next, gas: concentratedGas(UNISWAP_V4_GAS, crossed, wordsWalked) + (hook?.gas ?? 0) };
}

/** Without what only the indexer knows of it. */
function plain({ pool: { feePpm, tickSpacing, sqrtPriceX96, liquidity, tick, ticks, truncated } }: UniswapV4State) {
  return { feePpm, tickSpacing, sqrtPriceX96, liquidity, tick, ticks, truncated };
}
