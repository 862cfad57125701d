import { MAX_UINT128 } from './check-concentrated-state.ts';
import { type ConcentratedState, countAtOrBelow } from './concentrated-state.ts';
import { amount0Delta, amount0DeltaUp, amount1Delta, amount1DeltaUp, withFee } from './sqrt-price-math.ts';
import { knownSqrtRatioAtTick, MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, tickAtSqrtRatio } from './tick-math.ts';

/**
 * The contract's swap loop in one direction, step by step, as far as any swap has asked for. Boundary k is the pool after k whole steps; entry k of
 * each column describes it. A step ends at the next initialised tick, at the border of the tick-bitmap word (256 · spacing ticks), or at the limit.
 *
 * Why a table equals the loop: the contract takes a whole step when floor(remaining · (10^6 − fee) / 10^6) ≥ amountIn, which holds exactly when
 * remaining ≥ ceil(amountIn · 10^6 / (10^6 − fee)) = amountIn + feeAmount, the step's own total; for exact output when remaining ≥ amountOut.
 * What a whole step takes and gives does not depend on the amount swapped. So a swap makes as many whole steps as the running sums allow, then at
 * most one partial step.
 */
export type StepTable = {
  readonly zeroForOne: boolean;
  readonly sqrtPriceLimitX96: bigint;
  readonly sqrtPriceX96: bigint[];
  readonly tick: number[];
  /** Liquidity of the step that starts at the boundary. */
  readonly liquidity: bigint[];
  /** Sums over the steps before the boundary; input includes the fee. */
  readonly totalIn: bigint[];
  readonly totalOut: bigint[];
  /** Initialised ticks crossed so far. */
  readonly crossed: number[];
  /** Words of the tick bitmap walked out of so far over a border without an initialised tick: the contract makes a step for each, and reads the next. */
  readonly wordsWalked: number[];
  /** Position in the pool's tick table of the next initialised tick in this direction. */
  nextInitialised: number;
  /**
   * Why there is no further step: the price limit, the end of the known ticks, or a step on which the contract reverts. null: not known to end.
   */
  end: 'limit' | 'window' | 'reverts' | null;
};

/** The limits that the venue's routers pass: one inside the range of prices. */
const LOWEST_LIMIT = MIN_SQRT_RATIO + 1n;
const HIGHEST_LIMIT = MAX_SQRT_RATIO - 1n;
/** A word of the tick bitmap holds 2^8 ticks, as TickBitmap.sol lays them out, each `spacing` apart. */
const WORD_BITS = 8;
export const TICKS_PER_WORD = 1 << WORD_BITS;

/** A table at its first boundary, the state itself. */
export function startStepTable(state: ConcentratedState, zeroForOne: boolean, limit: bigint | null): StepTable {
  const sqrtPriceLimitX96 = limit ?? (zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT);
  const inRange = sqrtPriceLimitX96 > MIN_SQRT_RATIO && sqrtPriceLimitX96 < MAX_SQRT_RATIO;
  const ahead = zeroForOne ? sqrtPriceLimitX96 < state.sqrtPriceX96 : sqrtPriceLimitX96 > state.sqrtPriceX96;
  const above = countAtOrBelow(state.ticks, state.tick);
  return {
    zeroForOne,
    sqrtPriceLimitX96,
    sqrtPriceX96: [state.sqrtPriceX96],
    tick: [state.tick],
    liquidity: [state.liquidity],
    totalIn: [0n],
    totalOut: [0n],
    crossed: [0],
    wordsWalked: [0],
    nextInitialised: zeroForOne ? above - 1 : above,
    end: inRange && ahead ? null : 'reverts',
  };
}

/** Adds the next boundary. false: there is none, and `end` says why. */
export function extendStepTable(table: StepTable, state: ConcentratedState): boolean {
  if (table.end !== null) return false;
  const last = table.sqrtPriceX96.length - 1;
  const start = table.sqrtPriceX96[last] as bigint;
  if (start === table.sqrtPriceLimitX96) return finish(table, 'limit');
  const liquidity = table.liquidity[last] as bigint;
  const initialised = state.ticks.indices[table.nextInitialised];
  if (initialised === undefined && state.truncated) return finish(table, 'window');
  const { zeroForOne } = table;
  const tickNext = nextTick(table.tick[last] as number, state.tickSpacing, zeroForOne, liquidity, initialised);
  const sqrtPriceNextX96 = knownSqrtRatioAtTick(tickNext);
  const limited = zeroForOne ? sqrtPriceNextX96 < table.sqrtPriceLimitX96 : sqrtPriceNextX96 > table.sqrtPriceLimitX96;
  const target = limited ? table.sqrtPriceLimitX96 : sqrtPriceNextX96;

  let liquidityAfter = liquidity;
  let crossed = table.crossed[last] as number;
  let wordsWalked = table.wordsWalked[last] as number;
  if (liquidity === 0n) wordsWalked += wordBorders(table.tick[last] as number, limited ? tickAtSqrtRatio(target) : tickNext, state.tickSpacing, zeroForOne);
  else if (!limited && tickNext !== initialised) wordsWalked++;
  if (!limited && tickNext === initialised) {
    const net = state.ticks.liquidityNet[table.nextInitialised] as bigint;
    liquidityAfter = zeroForOne ? liquidity - net : liquidity + net;
    if (liquidityAfter < 0n || liquidityAfter > MAX_UINT128) return finish(table, 'reverts');
    crossed++;
    table.nextInitialised += zeroForOne ? -1 : 1;
  }
  pushAmounts(table, state.feePpm, start, target, liquidity);
  table.sqrtPriceX96.push(target);
  table.liquidity.push(liquidityAfter);
  table.crossed.push(crossed);
  table.wordsWalked.push(wordsWalked);
  table.tick.push(limited ? tickAtLimit(target, state.tickSpacing, zeroForOne) : zeroForOne ? tickNext - 1 : tickNext);
  return true;
}

function finish(table: StepTable, end: 'limit' | 'window' | 'reverts'): false {
  table.end = end;
  return false;
}

/** Where the contract's next step ends: TickBitmap.nextInitializedTickWithinOneWord, kept within the tick range. */
function nextTick(tick: number, spacing: number, zeroForOne: boolean, liquidity: bigint, initialised: number | undefined): number {
  if (liquidity === 0n) {
    // Without liquidity a step takes and gives nothing, so stopping at word borders changes no amount: go straight on, and count them.
    return initialised ?? (zeroForOne ? MIN_TICK : MAX_TICK);
  }
  const word = wordAhead(tick, spacing, zeroForOne);
  if (zeroForOne) return Math.max(initialised ?? MIN_TICK, (word << WORD_BITS) * spacing, MIN_TICK);
  const border = ((word + 1) << WORD_BITS) * spacing - spacing;
  return Math.min(initialised ?? MAX_TICK, border, MAX_TICK);
}

/** The word of the bitmap in which the contract looks for the next tick: down from the tick itself, up from the one after it. */
function wordAhead(tick: number, spacing: number, zeroForOne: boolean): number {
  const compressed = Math.floor(tick / spacing);
  return (zeroForOne ? compressed : compressed + 1) >> WORD_BITS;
}

/** Borders of words on the way from a tick to another one, at which no initialised tick lies. The last word's own border is none. */
function wordBorders(from: number, to: number, spacing: number, zeroForOne: boolean): number {
  const first = wordAhead(from, spacing, zeroForOne);
  return zeroForOne ? first - wordAhead(to, spacing, true) : wordAhead(to - spacing, spacing, false) - first;
}

/**
 * The tick that the contract stores at the price limit. It counts a word border that it reaches as passed; borders are skipped here where there is
 * no liquidity, so a limit exactly on one has to be recognised.
 */
function tickAtLimit(limit: bigint, spacing: number, zeroForOne: boolean): number {
  const tick = tickAtSqrtRatio(limit);
  const onBorder = zeroForOne && tick % (spacing << WORD_BITS) === 0 && knownSqrtRatioAtTick(tick) === limit;
  return onBorder ? tick - 1 : tick;
}

function pushAmounts(table: StepTable, feePpm: number, start: bigint, target: bigint, liquidity: bigint): void {
  const last = table.totalIn.length - 1;
  const beforeIn = table.totalIn[last] as bigint;
  const beforeOut = table.totalOut[last] as bigint;
  if (liquidity === 0n) {
    table.totalIn.push(beforeIn);
    table.totalOut.push(beforeOut);
    return;
  }
  const amountIn = table.zeroForOne ? amount0DeltaUp(target, start, liquidity) : amount1DeltaUp(start, target, liquidity);
  const amountOut = table.zeroForOne ? amount1Delta(target, start, liquidity) : amount0Delta(start, target, liquidity);
  table.totalIn.push(beforeIn + withFee(amountIn, feePpm));
  table.totalOut.push(beforeOut + amountOut);
}
