import type { ConcentratedState } from './concentrated-state.ts';
import { amount0Delta, amount0DeltaUp, amount1Delta, amount1DeltaUp, lessFee, priceAfterInput, priceAfterOutput, withFee } from './sqrt-price-math.ts';
import { extendStepTable, type StepTable, startStepTable } from './step-table.ts';
import { tickAtSqrtRatio } from './tick-math.ts';

/** What the contract's swap does, filled or not. `unfilled` is the part of the specified amount that the price limit left over. */
export type SwapOutcome =
  | {
      readonly kind: 'swapped';
      /** With the fee. */
      readonly amountIn: bigint;
      readonly amountOut: bigint;
      readonly unfilled: bigint;
      readonly sqrtPriceX96: bigint;
      readonly tick: number;
      readonly liquidity: bigint;
      /** Initialised ticks crossed. */
      readonly crossed: number;
      /** Words of the tick bitmap walked out of over a border without an initialised tick. */
      readonly wordsWalked: number;
    }
  | { readonly kind: 'reverts' };

/** Amounts are int256 in the contract. */
const MAX_AMOUNT = (1n << 255n) - 1n;
const REVERTS: SwapOutcome = { kind: 'reverts' };

/** Tables by state: states are immutable and live as long as their snapshot record is cached, and so do these. */
const tables = new WeakMap<ConcentratedState, { down: StepTable | null; up: StepTable | null }>();

/**
 * UniswapV3Pool.swap for an exact input (`exact` = 'in') or output. `sqrtPriceLimitX96` null is the extreme that routers pass.
 */
export function swapConcentrated(
  state: ConcentratedState,
  zeroForOne: boolean,
  exact: 'in' | 'out',
  amount: bigint,
  sqrtPriceLimitX96: bigint | null = null,
): SwapOutcome {
  if (amount <= 0n || amount > MAX_AMOUNT) return REVERTS;
  const table = sqrtPriceLimitX96 === null ? tableOf(state, zeroForOne) : startStepTable(state, zeroForOne, sqrtPriceLimitX96);
  const sums = exact === 'in' ? table.totalIn : table.totalOut;
  while ((sums[sums.length - 1] as bigint) < amount) {
    if (extendStepTable(table, state)) continue;
    if (table.end === 'reverts') return REVERTS;
    return atBoundary(table, sums.length - 1, amount - (sums[sums.length - 1] as bigint));
  }
  const boundary = firstAtLeast(sums, amount);
  if (sums[boundary] === amount) return atBoundary(table, boundary, 0n);
  const remaining = amount - (sums[boundary - 1] as bigint);
  return exact === 'in' ? partialInput(state, table, boundary - 1, remaining) : partialOutput(state, table, boundary - 1, remaining);
}

function tableOf(state: ConcentratedState, zeroForOne: boolean): StepTable {
  let known = tables.get(state);
  if (known === undefined) {
    known = { down: null, up: null };
    tables.set(state, known);
  }
  if (zeroForOne) {
    known.down ??= startStepTable(state, true, null);
    return known.down;
  }
  known.up ??= startStepTable(state, false, null);
  return known.up;
}

/** The first boundary whose sum reaches the amount: there the contract's loop ends, also where later steps take nothing. The last one does. */
function firstAtLeast(sums: readonly bigint[], amount: bigint): number {
  let low = 1;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sums[middle] as bigint) >= amount) high = middle;
    else low = middle + 1;
  }
  return low;
}

function atBoundary(table: StepTable, boundary: number, unfilled: bigint): SwapOutcome {
  return {
    kind: 'swapped',
    amountIn: table.totalIn[boundary] as bigint,
    amountOut: table.totalOut[boundary] as bigint,
    unfilled,
    sqrtPriceX96: table.sqrtPriceX96[boundary] as bigint,
    tick: table.tick[boundary] as number,
    liquidity: table.liquidity[boundary] as bigint,
    crossed: table.crossed[boundary] as number,
    wordsWalked: table.wordsWalked[boundary] as number,
  };
}

/** The last step of an exact input: less than the whole step, so the price stays short of its end and everything left is taken. */
function partialInput(state: ConcentratedState, table: StepTable, boundary: number, remaining: bigint): SwapOutcome {
  const start = table.sqrtPriceX96[boundary] as bigint;
  const liquidity = table.liquidity[boundary] as bigint;
  const price = priceAfterInput(start, liquidity, lessFee(remaining, state.feePpm), table.zeroForOne);
  const out = table.zeroForOne ? amount1Delta(price, start, liquidity) : amount0Delta(start, price, liquidity);
  return within(table, boundary, price, (table.totalIn[boundary] as bigint) + remaining, (table.totalOut[boundary] as bigint) + out);
}

/** The last step of an exact output. Rounding may carry the price onto the end of the step, which the contract then crosses. */
function partialOutput(state: ConcentratedState, table: StepTable, boundary: number, remaining: bigint): SwapOutcome {
  const start = table.sqrtPriceX96[boundary] as bigint;
  const liquidity = table.liquidity[boundary] as bigint;
  const price = priceAfterOutput(start, liquidity, remaining, table.zeroForOne);
  const amountOut = (table.totalOut[boundary] as bigint) + remaining;
  if (price === table.sqrtPriceX96[boundary + 1]) {
    const reached = atBoundary(table, boundary + 1, 0n);
    return reached.kind === 'reverts' ? reached : { ...reached, amountOut };
  }
  const taken = table.zeroForOne ? amount0DeltaUp(price, start, liquidity) : amount1DeltaUp(start, price, liquidity);
  return within(table, boundary, price, (table.totalIn[boundary] as bigint) + withFee(taken, state.feePpm), amountOut);
}

function within(table: StepTable, boundary: number, price: bigint, amountIn: bigint, amountOut: bigint): SwapOutcome {
  return {
    kind: 'swapped',
    amountIn,
    amountOut,
    unfilled: 0n,
    sqrtPriceX96: price,
    // The contract leaves the tick alone where the price did not move: it may be one below the price's own tick.
    tick: price === table.sqrtPriceX96[boundary] ? (table.tick[boundary] as number) : tickAtSqrtRatio(price),
    liquidity: table.liquidity[boundary] as bigint,
    crossed: table.crossed[boundary] as number,
    wordsWalked: table.wordsWalked[boundary] as number,
  };
}
