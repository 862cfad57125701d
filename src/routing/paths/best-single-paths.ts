import { curveOutput } from '../../curves/curves.ts';
import { tollsOf } from '../gas/gas-rule.ts';
import { hopToll, type Tolls } from '../gas/tolls.ts';
import { paceOfStep } from '../pace.ts';
import type { Problem } from '../problem.ts';
import { betterAsSale } from './better-as-sale.ts';
import { BY_AMOUNT, findSinglePaths, type SinglePath } from './path-search.ts';
import { rankNetOfGas } from './rank-net-of-gas.ts';
import { SELL_WALK, type Walk, walkOf } from './walk.ts';

/** `net`: what the path leaves net of tolls, by the model; larger is better in both modes. */
export type RankedPath = SinglePath & { readonly net: number };

/** Routes without splits, best net of gas first. */
export type SinglePaths = { readonly ranked: readonly RankedPath[]; readonly considered: number };

/** Part of the trade that gas costs from which paths are looked for gross too: the model's gas is off by some per cent, and paths alike net of it are told apart by exact gas. */
const GAS_MATTERS = 1e-3;

/** The best single paths net of gas: the floor, the answer at a deadline, and the start of the flow. */
export function bestSinglePaths(request: Problem): SinglePaths {
  const problem: Problem = { ...request, pace: paceOfStep(request.pace) };
  const walk = walkOf(problem.mode);
  const amount = Number(problem.fixed);
  const ranking = problem.gas.perGas > 0 ? rankNetOfGas(problem, walk) : BY_AMOUNT;
  const plain = findSinglePaths(problem, walk, amount, ranking);
  const found = plain.paths.length > 0 ? plain : findSinglePaths(problem, walk, amount, ranking, true);
  const searches = [found];
  const first = found.paths[0];
  const tolls = tollsOf(problem.gas, first?.amount ?? 0);
  const toll = (path: SinglePath) => pathToll(path, walk, amount, tolls);
  const halted = () => problem.pace.halted() !== null;
  if (first !== undefined && tolls.perGas > 0 && toll(first) > GAS_MATTERS * first.amount && !halted())
    searches.push(findSinglePaths(problem, walk, amount, BY_AMOUNT));
  const asSale = walk.mode === 'buy' && first !== undefined && !halted() ? betterAsSale(problem, first) : null;
  const paths = unique([...(asSale === null ? [] : [asSale]), ...searches.flatMap((search) => search.paths)]);
  const ranked = paths.map((path) => ({ ...path, net: (walk.mode === 'sell' ? path.amount : -path.amount) - toll(path) })).sort((a, b) => b.net - a.net);
  return { ranked, considered: searches.reduce((sum, { considered }) => sum + considered, 0) };
}

/** The path that gives most where none carries the whole trade: each of its edges takes what it can. */
export function partialPath(problem: Problem): SinglePath | null {
  const clamped: Walk = { ...SELL_WALK, carry: (edge, amount) => curveOutput(edge.curve, Math.min(amount, edge.curve.capacity)) };
  const ideal = problem.mode === 'sell' ? Number(problem.fixed) : inputAtStart(problem);
  if (ideal === null) return null;
  const found = findSinglePaths({ ...problem, pace: paceOfStep(problem.pace) }, clamped, ideal, BY_AMOUNT).paths[0];
  if (found === undefined) return null;
  return problem.mode === 'sell' ? found : { ...found, amount: ideal };
}

/** How much more than the ideal input a buy that no path can deliver is started with. */
const AMPLE = 4;

/** Input that would buy the target at the price a small trade gets, and some more; null where there is no path at all. */
function inputAtStart(problem: Problem): number | null {
  const priced: Walk = { ...SELL_WALK, carry: (edge, amount) => amount * edge.startPrice };
  const probe = findSinglePaths(problem, priced, 1, BY_AMOUNT).paths[0];
  return probe === undefined ? null : (AMPLE * Number(problem.fixed)) / probe.amount;
}

function pathToll(path: SinglePath, walk: Walk, amount: number, tolls: Tolls): number {
  let input = walk.mode === 'sell' ? amount : path.amount;
  let toll = 0;
  for (const { edge } of path.hops) {
    toll += hopToll(tolls, edge.curve, input);
    input = curveOutput(edge.curve, Math.min(input, edge.curve.capacity));
  }
  return toll;
}

function unique(paths: readonly SinglePath[]): SinglePath[] {
  const seen = new Map<string, SinglePath>();
  for (const path of paths) {
    const name = path.hops.map(({ edge }) => `${edge.pool.id}:${edge.slotIn}:${edge.slotOut}`).join(' ');
    if (!seen.has(name)) seen.set(name, path);
  }
  return [...seen.values()];
}
