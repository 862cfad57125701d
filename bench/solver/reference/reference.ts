// The benchmark's own solver net of gas: slow, from several starts, over pools as wholes, and apart from src/routing. What it finds is a route that executes, so it may lose as well as win.
import type { BenchRequest, BenchSet } from '../bench-set.ts';
import { startStopwatch } from '../stopwatch.ts';
import { createSettler, improve, nameOf, pruned, type Settler } from './local-search.ts';
import type { Problem, Settled } from './problem.ts';
import { type ExactRoute, netOf, runExactly, runPath } from './route.ts';
import type { WholePath } from './single-paths.ts';
import { bestPair, pathStarts, pathsOf, prunedOptimum, unionOfPaths } from './starts.ts';

export type ReferenceOptions = {
  readonly maxHops: number | null;
  /** Base units of the sought token that a unit of gas costs: of the bought one in a sale, of the sold one in a purchase. */
  readonly perGas: number;
  /** Milliseconds of the processor for one search. */
  readonly budget: number;
};

export type ReferenceOutcome = {
  /** The best route found; null: none that executes. */
  readonly route: ExactRoute | null;
  /** What the floats made of it, and its net. */
  readonly settled: Settled | null;
  readonly net: number;
  readonly millis: number;
  /** The time was up before nothing helped any more. */
  readonly cutOff: boolean;
};

/** So many of the best choices by floats are run exactly: the best of them is the answer. */
const FINALISTS = 6;

/** `near`: a choice to start from beside its own, as what a search with fewer hops found. */
export function searchReference(
  set: Pick<BenchSet, 'market' | 'pools'>,
  request: BenchRequest,
  options: ReferenceOptions,
  near: Settled | null = null,
): ReferenceOutcome {
  const watch = startStopwatch();
  const { market, pools } = set;
  const { maxHops, perGas, budget } = options;
  // What else runs on the machine does not make the search worse.
  const expired = (): boolean => watch() > budget;
  const { mode, sell, buy } = request;
  const problem: Problem = { market, mode, sell, buy, amount: Number(request.amount), perGas, maxHops, expired };
  const paths = pathsOf(problem);
  const found = searchAll(problem, paths, near);
  const none = { route: null, settled: null, net: Number.NEGATIVE_INFINITY };
  const best = found.slice(0, FINALISTS).reduce<Pick<ReferenceOutcome, 'route' | 'settled' | 'net'>>((known, settled) => {
    const route = runExactly(problem, settled, pools, request.amount);
    const net = route === null ? Number.NEGATIVE_INFINITY : netOf(problem, route);
    return net > known.net ? { route, settled, net } : known;
  }, none);
  const whole = best.route === null ? bestPath(problem, paths, pools, request.amount) : null;
  if (whole !== null) return { route: whole, settled: null, net: netOf(problem, whole), millis: watch(), cutOff: expired() };
  return { ...best, millis: watch(), cutOff: expired() };
}

function bestPath(problem: Problem, paths: readonly WholePath[], pools: BenchSet['pools'], amount: bigint): ExactRoute | null {
  return paths.reduce<ExactRoute | null>((best, path) => {
    const route = runPath(problem, path, pools, amount, Number(amount));
    return route !== null && (best === null || netOf(problem, route) > netOf(problem, best)) ? route : best;
  }, null);
}

/** Local optima and what they started from, best first. */
function searchAll(problem: Problem, paths: readonly WholePath[], near: Settled | null): readonly Settled[] {
  const settler = createSettler(problem);
  const found = new Map<string, Settled>();
  const passed = new Set<string>();
  const keep = (settled: Settled | null): void => {
    if (settled !== null) found.set(nameOf(settled.choice), settled);
  };
  const climb = (start: Settled | null): void => {
    keep(start);
    if (start !== null && !problem.expired()) keep(improve(problem, settler, start, passed));
  };
  for (const start of startsOf(problem, settler, paths, near)) climb(start);
  return [...found.values()].sort((a, b) => b.net - a.net);
}

function* startsOf(problem: Problem, settler: Settler, paths: readonly WholePath[], near: Settled | null): Generator<Settled | null> {
  const singles = pathStarts(settler, paths);
  if (near !== null) yield settler(near.choice, near.prices);
  // Where few hops do, their paths lead; what any number of hops could add shows in the optimum.
  if (problem.maxHops === null) yield prunedOptimum(problem, settler);
  yield unionOfPaths(problem, settler, paths);
  if (problem.maxHops !== null) yield prunedOptimum(problem, settler);
  yield bestPair(problem, settler, paths);
  // All that go together, pruned backwards.
  const together = singles.reduce<Settled | null>((joint, { choice }) => {
    const more = settler({ edges: [...new Set([...(joint?.choice.edges ?? []), ...choice.edges])], rooms: choice.rooms }, joint?.prices ?? null);
    return more ?? joint;
  }, null);
  yield together === null ? null : pruned(problem, settler, together);
  yield* singles;
}
