import { LIMITS } from '../../config/limits.ts';
import { BPS_WHOLE } from '../../units/units.ts';
import { type Finalist, type Trial, tryHops } from './finalists.ts';
import type { SplitHop } from './resimulate.ts';

/** By how many basis points shares are moved. */
const MOVES = [1, -1, 3, -3, 10, -10, 30, -30, 100, -100] as const;

/**
 * Leaves hops out and moves shares as long as that gives more net of tolls: where a hop is of few base units, rounding takes up to one of it, and that is more than a small hop or a basis point brings, which no model without units knows.
 */
export function countUnits(trial: Trial, found: Finalist): Finalist {
  const { unitTrials, fewUnitTrials, exchangedEdges } = LIMITS.routing;
  const small = isSmall(found);
  if (!(small || hasHopOfFewUnits(found)) || found.hops.length > exchangedEdges) return found;
  let trialsLeft: number = small ? unitTrials : fewUnitTrials;
  const isOver = () => trialsLeft-- <= 0 || trial.problem.pace.halted() !== null;
  // In a small trade shares have as much to say as hops, and it is better to move them in between.
  return moveShares(trial, small ? found : leaveOut(trial, found, isOver), isOver);
}

/** Of all hops that one first without which most is left: what is better than before may still take a way with it that is the better one. */
function leaveOut(trial: Trial, found: Finalist, isOver: () => boolean): Finalist {
  let best = found;
  for (let before: Finalist | null = null; before !== best; ) {
    before = best;
    for (const index of before.hops.keys()) {
      if (before.hops.length === 1 || isOver()) return best;
      best = tryHops(trial, best, without(before.hops, index), Number(before.input)) ?? best;
    }
  }
  return best;
}

function moveShares(trial: Trial, found: Finalist, isOver: () => boolean): Finalist {
  let best = found;
  for (let unmoved = 0, at = 0; unmoved < best.hops.length * (MOVES.length + 1) && !isOver(); at++) {
    const hops = variant(best.hops, at);
    const tried = hops === null ? best : (tryHops(trial, best, hops, Number(best.input)) ?? best);
    unmoved = tried.net > best.net ? 0 : unmoved + 1;
    if (unmoved === 0) best = tried;
  }
  return best;
}

/** Every hop of such a trade is of few units. */
function isSmall({ input, output }: Finalist): boolean {
  return input < LIMITS.routing.smallHop || output < LIMITS.routing.smallHop;
}

/** Whether a unit of some hop is a basis point of it, as finely as shares are said. */
function hasHopOfFewUnits({ hops }: Finalist): boolean {
  return hops.some(({ amountIn, amountOut }) => amountIn < LIMITS.routing.fewUnits || amountOut < LIMITS.routing.fewUnits);
}

/** The at-th variant, all of them in turn: without a hop, or with another share of it. */
function variant(hops: readonly SplitHop[], at: number): readonly SplitHop[] | null {
  const index = at % hops.length;
  const hop = hops[index] as SplitHop;
  const move = MOVES[(Math.floor(at / hops.length) % (MOVES.length + 1)) - 1];
  if (move === undefined) return hops.length === 1 ? null : without(hops, index);
  const bps = hop.bps + move;
  return hop.bps < BPS_WHOLE && bps > 0 && bps < BPS_WHOLE ? hops.with(index, { ...hop, bps }) : null;
}

/** The hops without one of them, and without what leads only to it or on from it. The last of a token takes all that is left. */
function without(hops: readonly SplitHop[], index: number): readonly SplitHop[] {
  const [sell, buy] = [tokenIn(hops[0] as SplitHop), tokenOut(hops.at(-1) as SplitHop)];
  let kept = hops.toSpliced(index, 1);
  for (let count = -1; count !== kept.length; ) {
    count = kept.length;
    const [left, entered] = [new Set(kept.map(tokenIn)), new Set(kept.map(tokenOut))];
    kept = kept.filter((hop) => (tokenIn(hop) === sell || entered.has(tokenIn(hop))) && (tokenOut(hop) === buy || left.has(tokenOut(hop))));
  }
  return kept.map((hop, at) => (kept.findLastIndex((other) => tokenIn(other) === tokenIn(hop)) === at ? { ...hop, bps: BPS_WHOLE } : hop));
}

function tokenIn({ pool, slotIn }: SplitHop): number {
  return pool.tokens[slotIn] as number;
}

function tokenOut({ pool, slotOut }: SplitHop): number {
  return pool.tokens[slotOut] as number;
}
