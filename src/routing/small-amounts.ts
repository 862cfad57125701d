import { LIMITS } from '../config/limits.ts';
import { MAX_WEI } from '../units/units.ts';
import type { Trial } from './finalists.ts';
import { leastInput } from './least-input.ts';
import type { Pace } from './pace.ts';
import type { EdgeModel } from './pool-models.ts';
import type { SplitHop } from './resimulate.ts';
import type { Pair, Subgraph } from './subgraph.ts';
import type { Walk } from './walk.ts';

/**
 * All direct and two-hop routes of a trade whose hops are so small that float can misorder them, ranked exactly: the best edge to each token between is
 * enough, since what a pool gives does not shrink as its input grows. Best first; one route for each token between.
 */
export function rankSmallRoutes(graph: Subgraph, walk: Walk, trial: Trial, pace: Pace): SplitHop[][] {
  const budget = { left: LIMITS.routing.smallEdges };
  const routes: { readonly edges: readonly EdgeModel[]; readonly amount: bigint }[] = [];
  for (const pair of walk.pairs(graph, walk.start)) {
    const first = bestOf(pair, walk, trial, trial.amount, budget, null);
    if (first === null) continue;
    const middle = walk.next(pair);
    if (middle === walk.goal) {
      routes.push({ edges: [first.edge], amount: first.amount });
      continue;
    }
    const last = graph.maxHops < 2 || pace.halted() !== null ? undefined : walk.pairs(graph, middle).find((next) => walk.next(next) === walk.goal);
    if (last === undefined) continue;
    const second = bestOf(last, walk, trial, first.amount, budget, first.edge);
    if (second !== null) routes.push({ edges: [first.edge, second.edge], amount: second.amount });
  }
  routes.sort((a, b) => compareAmounts(walk, a.amount, b.amount));
  return routes.slice(0, LIMITS.routing.finalistPaths).map(({ edges }) => {
    const ordered = walk.mode === 'sell' ? edges : edges.toReversed();
    return ordered.map(({ pool, slotIn, slotOut }) => ({ pool, slotIn, slotOut, bps: 10_000 }));
  });
}

function bestOf(pair: Pair, walk: Walk, trial: Trial, amount: bigint, budget: { left: number }, before: EdgeModel | null) {
  let best: { readonly edge: EdgeModel; readonly amount: bigint } | null = null;
  for (const edge of pair.edges) {
    if (edge.pool === before?.pool) continue;
    if (budget.left-- <= 0) break;
    const carried = carryExactly(edge, walk, trial, amount);
    if (carried === null) continue;
    const order = best === null ? -1 : compareAmounts(walk, carried, best.amount);
    if (order < 0 || (order === 0 && edge.pool.key < (best?.edge.pool.key ?? ''))) best = { edge, amount: carried };
  }
  return best;
}

function carryExactly(edge: EdgeModel, walk: Walk, trial: Trial, amount: bigint): bigint | null {
  const exact = trial.models.exact(edge.pool);
  if (exact === null) return null;
  const quote = (input: bigint) => exact.price.exactIn(exact.state, edge.slotIn, edge.slotOut, input);
  if (walk.mode === 'sell') {
    const given = quote(amount);
    return given.ok && given.amountIn === amount ? given.amountOut : null;
  }
  const guess = walk.carry(edge, Number(amount));
  if (guess < 0) return null;
  const probe = (input: bigint) => {
    const given = quote(input);
    return given.ok ? ({ ok: true, output: given.amountOut } as const) : given;
  };
  return leastInput(probe, amount, BigInt(Math.floor(guess)), MAX_WEI);
}

/** Negative when the first is better. */
function compareAmounts(walk: Walk, a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a > b === (walk.mode === 'sell') ? -1 : 1;
}
