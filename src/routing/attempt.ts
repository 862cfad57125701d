import { LIMITS } from '../config/limits.ts';
import type { PoolView } from '../snapshot/snapshot.ts';
import { buyBySelling } from './buy-by-selling.ts';
import { settle } from './columns.ts';
import { curveOutput } from './curves/curves.ts';
import { BALANCED } from './equilibrate.ts';
import { better, type Finalist, priceExactly, type Trial } from './finalists.ts';
import { fitGas } from './fit-gas.ts';
import type { Demand } from './flow-state.ts';
import { type GasRule, tollsOf } from './gas-rule.ts';
import { connected, type NetworkEdge } from './network.ts';
import type { Pace } from './pace.ts';
import type { PoolModels } from './pool-models.ts';
import type { SplitHop } from './resimulate.ts';
import { neighbours, pathHops, roundNetwork } from './rounding.ts';
import type { SearchArea } from './search-area.ts';
import { sellByLess } from './sell-by-less.ts';
import { BY_AMOUNT, findSinglePaths, type PathSearch, pathPrice, type SinglePath } from './single-path.ts';
import { rankSmallRoutes } from './small-amounts.ts';
import type { Ledger } from './solve-facts.ts';
import { findSplit, pruneSplit, type Split } from './split.ts';
import { collectSubgraph } from './subgraph.ts';
import { hopToll, type Tolls } from './tolls.ts';
import { BUY_WALK, SELL_WALK, type Walk } from './walk.ts';
import { rankNetOfGas } from './worth.ts';

export type AttemptInput = {
  readonly area: SearchArea;
  readonly mode: 'sell' | 'buy';
  readonly amount: bigint;
  readonly gas: GasRule;
  readonly models: PoolModels;
  readonly pace: Pace;
  readonly ledger: Ledger;
  /** Looks for amounts that fit where those that are best are more than the next pool takes. */
  readonly fitting: boolean;
};

const SMALL = BigInt(LIMITS.routing.smallHop);

/** The best exact route net of gas in one area, or null. */
export function attempt(input: AttemptInput): Finalist | null {
  const found = search(input);
  return input.mode === 'buy' ? buyBySelling(input, found, search) : sellByLess(input, found, search);
}

/** Steps 1 to 6 of design/solver. */
function search(input: AttemptInput): Finalist | null {
  const { area, mode, pace, ledger } = input;
  const walk = mode === 'sell' ? SELL_WALK : BUY_WALK;
  const demand: Demand = { mode, amount: Number(input.amount) };
  ledger.enter('subgraph');
  area.potentials(walk);
  ledger.enter('path');
  const singles = bestSinglePaths(input, walk, demand.amount);
  if (pace.halted() === 'cancelled') return null;
  ledger.enter('subgraph');
  const graph = pace.halted() === null ? collectSubgraph(area, walk, singles.price * NEARLY) : null;
  if (graph?.pairs.length === 0) return null;
  ledger.enter('columns');
  const grown = graph === null ? null : findSplit(area, graph, demand, singles.paths[0] ?? null, singles.tolls, pace);
  ledger.enter('gas');
  const split = grown === null ? null : pruneSplit(grown, demand, singles.tolls, pace);
  if (split !== null) ledger.grew(split.growth, split.amount);
  ledger.enter('exact');
  const trial: Trial = {
    mode,
    amount: input.amount,
    sell: area.sell,
    buy: area.buy,
    tolls: singles.tolls,
    models: input.models,
  };
  const { best, single } = chooseExactly(trial, singles.paths, split, demand, pace);
  // A split of small hops beside large ones is no reason: routes without splits are what this ranks, and what float would misorder.
  if (best !== null && (single === null || single.hops.every((hop) => hop.amountIn >= SMALL && hop.amountOut >= SMALL))) return best;
  return rankSmallRoutes(area, walk, trial, best, pace).reduce((known, hops) => tryHops(trial, known, hops, demand.amount), best);
}

/** Products of the same factors in another order differ by this share at most. */
const NEARLY = 1 - 1e-9;

type Singles = {
  /** Best net of tolls first; among them the best direct pools. */
  readonly paths: SinglePath[];
  readonly tolls: Tolls;
  /** What the whole amount gets at the margin of the best path, gross or net, whichever is less: no split of use does worse. 0 without a path. */
  readonly price: number;
};

function bestSinglePaths(input: AttemptInput, walk: Walk, amount: number): Singles {
  const { area, pace, ledger, gas } = input;
  const gross = findSinglePaths(area, walk, amount, BY_AMOUNT, pace, input.fitting);
  ledger.considered(gross.considered);
  const reference = gross.paths[0]?.amount;
  // Where no single path carries the trade there is no reference: tolls by gas need none.
  const tolls = tollsOf(gas, reference ?? 0);
  const searches: PathSearch[] = [gross];
  if (reference !== undefined && tolls.perGas > 0 && pace.halted() === null) {
    const net = findSinglePaths(area, walk, amount, rankNetOfGas(walk, area.potentials(walk), gross.amounts, reference, tolls), pace);
    ledger.considered(net.considered);
    searches.unshift(net);
  }
  const paths = unique(searches.flatMap((search) => search.paths));
  const cost = (path: SinglePath) => pathToll(path, walk, amount, tolls);
  const value = (path: SinglePath) => (walk.mode === 'sell' ? path.amount : -path.amount) - cost(path);
  const ranked = paths.map((path) => ({ path, value: value(path) })).sort((a, b) => b.value - a.value);
  const ends = [gross.paths[0], ranked[0]?.path];
  const price = Math.min(...ends.map((path) => (path === undefined ? 0 : pathPrice(path, walk.mode === 'sell' ? amount : path.amount))));
  return { paths: ranked.map(({ path }) => path), tolls, price };
}

type Chosen = { readonly best: Finalist | null; readonly single: Finalist | null };

/** Prices the finalists: single paths and the best direct pool, the split, neighbouring roundings of it. */
function chooseExactly(trial: Trial, paths: readonly SinglePath[], split: Split | null, demand: Demand, pace: Pace): Chosen {
  const direct = paths.find((path) => path.hops.length === 1);
  const tried = paths.slice(0, LIMITS.routing.finalistPaths);
  if (direct !== undefined && !tried.includes(direct)) tried.push(direct);
  let single: Finalist | null = null;
  for (const path of tried) single = tryHops(trial, single, pathHops(path), path.amount);
  const rounded = split === null ? null : priceSplit(trial, split, demand, pace);
  if (rounded === null) return { best: single, single };
  let best = single === null ? rounded : better(single, rounded);
  const { finalistNeighbours, neighbourHops } = LIMITS.routing;
  // Among many hops a basis point hardly tells, and takes its while to try.
  const most = Math.max(1, Math.min(finalistNeighbours, Math.floor(neighbourHops / rounded.hops.length)));
  for (const variant of neighbours(rounded.hops, most)) best = tryHops(trial, best, variant, Number(rounded.input)) ?? best;
  return { best, single };
}

/** What part of a flow that fits an edge is left whose pool refuses its hop, time after time; then it has to go. */
const EASED = [0.999, 0.99, 0.95] as const;

/** Rounding passes on less than a tenth too much. */
const LEAST_FIT = 0.9;

/** An edge with room for less: mostly it was a hair too much, by what rounding passed on to it. */
function withLessRoom(edge: NetworkEdge, arrived: bigint, part: number): NetworkEdge {
  // In search of a least input far too much may have arrived.
  const fits = Math.min(1, Math.max(LEAST_FIT, edge.curve.capacity / Number(arrived)));
  return { ...edge, curve: { ...edge.curve, capacity: edge.flow.input * fits * part } };
}

/** Rounds and prices a split; a pool that refuses its hop is eased, then taken out, a route with too much gas made smaller, and the rest brought to rest again. */
function priceSplit(trial: Trial, split: Split, demand: Demand, pace: Pace): Finalist | null {
  const { network } = split;
  let guess = split.amount;
  let mostGas: number = LIMITS.routing.routeGas;
  const eased = new Map<PoolView, number>();
  for (let repair = 0; repair <= LIMITS.routing.repairs && (repair === 0 || pace.halted() === null); repair++) {
    const hops = roundNetwork(network);
    if (hops === null) return null;
    const priced = priceExactly(trial, hops, guess, null);
    if (priced.ok) return priced.finalist;
    if (priced.gas !== null) {
      // The model is as much too low again as it was.
      mostGas *= LIMITS.routing.routeGas / priced.gas;
      const rest = fitGas(network, demand, settle(network, demand), trial.tolls, mostGas, pace);
      if (!(rest.imbalance < BALANCED)) return null;
      guess = rest.amount;
      continue;
    }
    const { refused } = priced;
    if (refused === null) return null;
    const { pool, amountIn } = refused;
    const part = EASED[eased.get(pool) ?? 0];
    eased.set(pool, (eased.get(pool) ?? 0) + 1);
    const kept =
      part === undefined
        ? connected(network.edges.filter((edge) => edge.model?.pool !== pool))
        : network.edges.map((edge) => (edge.model?.pool === pool ? withLessRoom(edge, amountIn, part) : edge));
    if (kept.length === 0) return null;
    network.edges.splice(0, network.edges.length, ...kept);
    const rest = settle(network, demand);
    if (!(rest.imbalance < BALANCED)) return null;
    guess = rest.amount;
  }
  return null;
}

function tryHops(trial: Trial, best: Finalist | null, hops: readonly SplitHop[], guess: number): Finalist | null {
  const priced = priceExactly(trial, hops, guess, best);
  return priced.ok ? better(best, priced.finalist) : best;
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
