import { LIMITS } from '../../config/limits.ts';
import type { SegmentsCurve } from '../../snapshot/snapshot.ts';
import { MAX_UINT128 } from './check-concentrated-state.ts';
import { type ConcentratedState, countAtOrBelow } from './concentrated-state.ts';
import type { ConcentratedGas } from './gas.ts';
import { TICKS_PER_WORD } from './step-table.ts';
import { knownSqrtRatioAtTick, LOG_PRICE_PER_TICK, MAX_SQRT_RATIO, MIN_SQRT_RATIO } from './tick-math.ts';

const Q96 = 2 ** 96;
/**
 * The capacity is shaved by this much, so that float rounding never promises more than the exact swap takes. The exact sums round up at each step,
 * so they are never below the real-valued ones that are added here.
 */
const CAPACITY_SHAVE = 1e-12;

/**
 * The float model of one direction, token0 in (`zeroForOne`) or token1 in; undefined where there is nothing to trade against. One piece for each stretch between
 * initialised ticks, at most LIMITS.venues.curvePieces, nearest first. What has no width, as where the price rests on a tick, or no liquidity takes nothing, but its tick costs gas: the piece
 * behind it comes once more, with no width, for each.
 */
export function concentratedCurve(state: ConcentratedState, zeroForOne: boolean, gas: ConcentratedGas): SegmentsCurve | undefined {
  const columns: number[] = [];
  let totalIn = 0;
  let totalOut = 0;
  for (const run of liquidityRuns(state, zeroForOne)) {
    // Differences are taken between bigints, where they are exact; a quotient of two roundings is good to 1e-15.
    const liquidity = Number(run.liquidity);
    const near = Number(run.near);
    const far = Number(run.far);
    const moved = Number(zeroForOne ? run.near - run.far : run.far - run.near);
    const virtual0 = (liquidity * Q96) / near;
    const virtual1 = (liquidity * near) / Q96;
    const piece0 = ((liquidity * Q96) / far) * (moved / near);
    const piece1 = (liquidity * moved) / Q96;
    for (let piece = 0; piece < run.pieces; piece++) columns.push(totalIn, totalOut, zeroForOne ? virtual0 : virtual1, zeroForOne ? virtual1 : virtual0);
    totalIn += zeroForOne ? piece0 : piece1;
    totalOut += zeroForOne ? piece1 : piece0;
  }
  if (columns.length === 0) return undefined;
  const keep = (1_000_000 - state.feePpm) / 1_000_000;
  const capacity = (totalIn / keep) * (1 - CAPACITY_SHAVE);
  // Words are counted by the length of the way, as if a swap might start anywhere in its first one: right on average, and less than a word off.
  const gasPerLogPrice = gas.wordWalked / (TICKS_PER_WORD * state.tickSpacing * LOG_PRICE_PER_TICK);
  return { kind: 'segments', keep, capacity, gas: gas.swap, gasPerPiece: gas.tickCrossed, gasPerLogPrice, columns: Float64Array.from(columns) };
}

/** `pieces`: one, and one for each tick before it that is not the end of the run before. */
type LiquidityRun = { readonly near: bigint; readonly far: bigint; readonly liquidity: bigint; readonly pieces: number };

/** Stretches of price between initialised ticks with liquidity above zero, nearest first. Ends where the known ticks end. */
function liquidityRuns(state: ConcentratedState, zeroForOne: boolean): readonly LiquidityRun[] {
  const { indices, liquidityNet } = state.ticks;
  const runs: LiquidityRun[] = [];
  let { liquidity } = state;
  let near = state.sqrtPriceX96;
  let pieces = 1;
  let all = 0;
  const above = countAtOrBelow(state.ticks, state.tick);
  for (let i = zeroForOne ? above - 1 : above; i >= 0 && i < indices.length; i += zeroForOne ? -1 : 1) {
    const net = liquidityNet[i] as bigint;
    const far = withinLimits(knownSqrtRatioAtTick(indices[i] as number));
    if (liquidity > 0n && far !== near) {
      runs.push({ near, far, liquidity, pieces });
      all += pieces;
      pieces = 1;
    } else pieces++;
    if (all + pieces > LIMITS.venues.curvePieces) break;
    liquidity += zeroForOne ? -net : net;
    if (liquidity < 0n || liquidity > MAX_UINT128) break;
    near = far;
  }
  return runs;
}

/** Swaps stop one short of the extreme prices. */
function withinLimits(sqrtPriceX96: bigint): bigint {
  if (sqrtPriceX96 <= MIN_SQRT_RATIO) return MIN_SQRT_RATIO + 1n;
  if (sqrtPriceX96 >= MAX_SQRT_RATIO) return MAX_SQRT_RATIO - 1n;
  return sqrtPriceX96;
}
