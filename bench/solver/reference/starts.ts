import { bestRates, descend } from '../../../src/bound/bound.ts';
import { pruned, type Settler, union, wins } from './local-search.ts';
import { NO_ROOMS, type Problem, type Settled } from './problem.ts';
import { taskOf } from './settle.ts';
import { shapeOf } from './shape.ts';
import { type WholePath, wholePaths } from './single-paths.ts';

/** Of the value: what flows is all that is asked of the optimum. */
const ROUGH = 1e-5;
/** Single paths looked at, and those that are starts of their own. */
const MOST_PATHS = 40;
const PATH_STARTS = 6;
/** So many of the best paths are tried in pairs. */
const PAIRED = 8;

/** The best routes without splits, as choices at rest. */
export function pathStarts(settler: Settler, paths: readonly WholePath[]): readonly Settled[] {
  return paths.slice(0, PATH_STARTS).flatMap(({ edges }) => settler({ edges, rooms: NO_ROOMS }, null) ?? []);
}

/** Paths for what a request sells; of a purchase, for about what it will have to. */
export function pathsOf(problem: Problem): readonly WholePath[] {
  const { mode, amount, market, sell, buy } = problem;
  if (mode === 'sell') return wholePaths(problem, amount, MOST_PATHS);
  const rate = bestRates(market, buy)[sell] as number;
  if (!(rate > 0)) return [];
  // Gas is counted in the sold token there.
  return wholePaths({ ...problem, perGas: problem.perGas * rate }, amount / rate, MOST_PATHS);
}

/** The union of single paths: each is added to those before where that is better net of gas. */
export function unionOfPaths(problem: Problem, settler: Settler, paths: readonly WholePath[]): Settled | null {
  let best: Settled | null = null;
  for (const { edges } of paths) {
    if (problem.expired()) break;
    const candidate: Settled | null = best === null ? settler({ edges, rooms: NO_ROOMS }, null) : settler(union(best.choice, edges), best.prices);
    if (candidate !== null && (best === null || wins(candidate, best))) best = candidate;
  }
  return best;
}

/** The best of all pairs of the best paths. */
export function bestPair(problem: Problem, settler: Settler, paths: readonly WholePath[]): Settled | null {
  let best: Settled | null = null;
  const few = paths.slice(0, PAIRED);
  for (const [at, one] of few.entries()) {
    for (const other of few.slice(at + 1)) {
      if (problem.expired()) return best;
      const candidate = settler(union({ edges: one.edges, rooms: NO_ROOMS }, other.edges), best?.prices ?? null);
      if (candidate !== null && (best === null || wins(candidate, best))) best = candidate;
    }
  }
  return best;
}

/** What flows where gas is free and nothing limits the hops, pruned backwards until every edge pays for its gas. */
export function prunedOptimum(problem: Problem, settler: Settler): Settled | null {
  const { market, sell, buy } = problem;
  const price = bestRates(market, buy);
  const unit = problem.mode === 'sell' ? 1 : (price[sell] as number);
  if (!(unit > 0)) return null;
  const open = (edge: number): boolean => {
    const [from, to] = [market.from[edge] as number, market.to[edge] as number];
    return (market.firstRate[edge] as number) > 0 && (price[from] as number) > 0 && (price[to] as number) > 0 && to !== sell && from !== buy;
  };
  const edges = Int32Array.from({ length: market.edgeCount }, (_, edge) => edge).filter(open);
  const { flows, prices } = descend({ ...taskOf(problem), edges, start: price.map((each) => each / unit), closed: ROUGH });
  const worth = flows.map(({ edge, input }) => ({ edge, worth: input * (prices[market.from[edge] as number] as number) })).sort((a, b) => b.worth - a.worth);
  let chosen: number[] = [];
  for (const part of within(problem, worth)) chosen = part;
  const start = settler({ edges: chosen, rooms: NO_ROOMS }, prices);
  return start === null ? null : pruned(problem, settler, start);
}

type Flow = { readonly edge: number; readonly worth: number };

/** The largest flows first, as long as they run in no circle. With a limit: paths of the flows, each as wide as they allow, as long as the whole keeps within it. */
function* within({ market, sell, buy, maxHops }: Problem, flows: readonly Flow[]): Generator<number[]> {
  const isShape = (edges: readonly number[]): boolean => {
    const shape = shapeOf(market, edges, sell, buy);
    return shape !== null && (maxHops === null || shape.longest <= maxHops);
  };
  const all = flows.map(({ edge }) => edge);
  if (isShape(all)) {
    yield all;
    return;
  }
  const left = new Map(flows.map(({ edge, worth }) => [edge, worth]));
  let chosen: number[] = [];
  for (let turn = 0; turn < flows.length; turn++) {
    const path = widest(market, left, sell, buy, maxHops ?? flows.length);
    if (path === null) return;
    const width = Math.min(...path.map((edge) => left.get(edge) as number));
    for (const edge of path) left.set(edge, (left.get(edge) as number) - width);
    const more = [...new Set([...chosen, ...path])];
    if (!isShape(more)) continue;
    chosen = more;
    yield chosen;
  }
}

/** The path within so many hops whose narrowest flow is widest; null where none is left. */
function widest(
  market: { from: Int32Array; to: Int32Array },
  left: ReadonlyMap<number, number>,
  sell: number,
  buy: number,
  hops: number,
): readonly number[] | null {
  let reached = new Map<number, { width: number; path: readonly number[] }>([[sell, { width: Number.POSITIVE_INFINITY, path: [] }]]);
  let best: { width: number; path: readonly number[] } | null = null;
  for (let hop = 0; hop < hops && reached.size > 0; hop++) {
    const next = new Map<number, { width: number; path: readonly number[] }>();
    for (const [edge, worth] of left) {
      const before = reached.get(market.from[edge] as number);
      const to = market.to[edge] as number;
      if (!(worth > 0) || before === undefined || to === sell || before.path.some((each) => market.from[each] === to)) continue;
      const width = Math.min(before.width, worth);
      if (width <= (next.get(to)?.width ?? best?.width ?? 0)) continue;
      next.set(to, { width, path: [...before.path, edge] });
    }
    const arrived = next.get(buy);
    next.delete(buy);
    if (arrived !== undefined && arrived.width > (best?.width ?? 0)) best = arrived;
    reached = next;
  }
  return best === null ? null : best.path;
}
