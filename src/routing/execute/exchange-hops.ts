import { LIMITS } from '../../config/limits.ts';
import { curveGas, curveOutput } from '../../curves/curves.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import { type Finalist, type Trial, tryHops } from './finalists.ts';
import type { ExactHop, SplitHop } from './resimulate.ts';

/** Part of the trade that gas costs from which a pool may be better by its exact gas alone. */
const GAS_MATTERS = 1e-3;
/** Part of a hop's gas by which the model's is off at most, as a tick or a word of the bitmap is. */
const GAS_OFF = 0.3;

/**
 * Exchanges one pool of a route after the other for another one of its pair, priced exactly, as long as that leaves more net of tolls. The model's gas is off by a tick or a word, and a token that has no reference price is reached by
 * what gives most before gas: where gas is a part of the trade, either may hide the better pool.
 */
export function exchangeHops(trial: Trial, found: Finalist): Finalist {
  if (!(trial.tolls.perGas * found.gas > GAS_MATTERS * worthOf(trial, found)) || found.hops.length > LIMITS.routing.exchangedEdges) return found;
  let best = found;
  let trialsLeft: number = LIMITS.routing.exactExchanges;
  for (let at = 0, unmoved = 0; unmoved < best.hops.length && trial.problem.pace.halted() === null; at++) {
    const index = at % best.hops.length;
    const before = best;
    const hops: readonly SplitHop[] = before.hops;
    for (const { pool, slotIn, slotOut } of rivalsOf(trial, best, index)) {
      if (trialsLeft-- <= 0) return best;
      const { bps } = hops[index] as SplitHop;
      best = tryHops(trial, best, hops.with(index, { pool, slotIn, slotOut, bps }), Number(best.input)) ?? best;
    }
    unmoved = best.net > before.net ? 0 : unmoved + 1;
  }
  return best;
}

/** Base units of the token whose amount is sought. */
function worthOf({ problem }: Trial, { input, output }: Finalist): number {
  return Number(problem.mode === 'sell' ? output : input);
}

/** Pools of a hop's pair that may leave more than its own, as if all of the trade went by it; most promising first. */
function rivalsOf(trial: Trial, route: Finalist, index: number): readonly EdgeModel[] {
  const { market, view, admits } = trial.problem;
  const { pool, slotIn, slotOut, amountIn, amountOut, gas } = route.hops[index] as ExactHop;
  const used = new Set(route.hops.map((hop) => hop.pool));
  const [amount, given, worth] = [Number(amountIn), Number(amountOut), worthOf(trial, route)];
  const toll = trial.tolls.perGas * gas;
  const rivals: { readonly edge: EdgeModel; readonly promise: number }[] = [];
  for (const edge of market.pair(view, pool.tokens[slotIn] as number, pool.tokens[slotOut] as number)?.edges ?? []) {
    // Sorted by it: the others give less still.
    if (worth * ((edge.startPrice * amount) / given - 1) < -toll) break;
    if (used.has(edge.pool) || (admits !== null && !admits(edge.pool)) || market.models.traits(edge.pool).inventory !== undefined) continue;
    const output = curveOutput(edge.curve, amount);
    const promise = worth * (output / given - 1) + toll - trial.tolls.perGas * curveGas(edge.curve, amount);
    if (output > 0 && promise > -GAS_OFF * toll) rivals.push({ edge, promise });
  }
  return rivals
    .sort((a, b) => b.promise - a.promise)
    .slice(0, LIMITS.routing.exchangedPools)
    .map(({ edge }) => edge);
}
