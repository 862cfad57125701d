import { LIMITS } from '../config/limits.ts';
import type { PoolView } from '../snapshot/snapshot.ts';
import { momentOf } from '../venues/venues.ts';
import { better, type Finalist, priceExactly, type Trial } from './execute/finalists.ts';
import { hopFlowsOf, type TokenFlow } from './execute/hop-flows.ts';
import type { SplitHop } from './execute/resimulate.ts';
import { neighbours, pathHops, roundFlows } from './execute/rounding.ts';
import { residualShare } from './flow/artificial-edge.ts';
import { growNetwork, settle } from './flow/columns.ts';
import { BALANCED, type Equilibrium } from './flow/equilibrate.ts';
import { leastSale } from './flow/least-sale.ts';
import { connected, type FlowNetwork, poolOf } from './flow/network.ts';
import { placeResidual } from './flow/residual.ts';
import { startNetwork } from './flow/start-network.ts';
import { fitGas } from './gas/fit-gas.ts';
import { tollsOf } from './gas/gas-rule.ts';
import { netWorth, selectPools } from './gas/select-pools.ts';
import type { Tolls } from './gas/tolls.ts';
import { bestSinglePaths, partialPath } from './paths/best-single-paths.ts';
import type { SinglePath } from './paths/path-search.ts';
import { rankSmallRoutes } from './paths/small-amounts.ts';
import type { Problem } from './problem.ts';
import type { Ledger } from './solve-facts.ts';

const SMALL = BigInt(LIMITS.routing.smallHop);

/** The best exact route net of gas for one problem, or null: single paths, flow, gas, rounding (design/solver). Whatever the pace, what was found so far is a whole route. */
export function search(problem: Problem, ledger: Ledger): Finalist | null {
  ledger.enter('path');
  const paths = bestSinglePaths(problem);
  ledger.considered(paths.considered);
  if (problem.pace.halted() === 'cancelled') return null;
  const tolls = tollsOf(problem.gas, paths.ranked[0]?.amount ?? 0);
  const trial: Trial = { problem, tolls };
  const single = bestOf(trial, paths.ranked);
  const splits = problem.pace.halted() === null ? findSplits(problem, paths.ranked, tolls, ledger) : [];
  ledger.enter('exact');
  let best = single;
  for (const split of splits) best = priceSplit(trial, split, paths.ranked, best);
  // A split of small hops beside large ones is no reason: routes without splits are what this ranks, and what float would misorder.
  if (best !== null && (single === null || single.hops.every((hop) => hop.amountIn >= SMALL && hop.amountOut >= SMALL))) return best;
  return rankSmallRoutes(trial, best).reduce((known, hops) => tryHops(trial, known, hops, Number(best?.input ?? problem.fixed)), best);
}

/** The best of the single paths, and of those the best direct pool, exactly. */
function bestOf(trial: Trial, ranked: readonly SinglePath[]): Finalist | null {
  const direct = ranked.find((path) => path.hops.length === 1);
  const tried = ranked.slice(0, LIMITS.routing.finalistPaths);
  if (direct !== undefined && !tried.includes(direct)) tried.push(direct);
  return tried.reduce<Finalist | null>((best, path) => tryHops(trial, best, pathHops(path), path.amount), null);
}

/** A split as the float model sees it. */
type Split = { readonly network: FlowNetwork; readonly equilibrium: Equilibrium };

/** Share of what a buy asks for that may be left on the artificial edge: rounding makes up for it. */
const LEAST_RESIDUAL = 1e-6;

/** Flows at rest net of gas: grown from the best path, and where gas has a say, from the best path alone without what does not earn its gas. Best first. */
function findSplits(problem: Problem, ranked: readonly SinglePath[], tolls: Tolls, ledger: Ledger): Split[] {
  const first = ranked[0] ?? partialPath(problem);
  if (first === null) return [];
  ledger.enter('columns');
  const network = startNetwork(problem, first);
  const growth = growNetwork(network, tolls);
  if (problem.mode === 'buy' && residualShare(network) > LEAST_RESIDUAL) {
    const sale = leastSale(problem, tolls, growth.equilibrium.amount);
    return sale === null ? [] : [{ network: sale.network, equilibrium: { ...sale.equilibrium, amount: sale.input } }];
  }
  if (!(growth.equilibrium.imbalance < BALANCED)) return [];
  ledger.enter('gas');
  const selected = selectPools(network, growth.equilibrium, tolls);
  const equilibrium = fitGas(network, selected, tolls, LIMITS.routing.routeGas);
  ledger.grew(growth, equilibrium.amount);
  const splits = [{ network, equilibrium }];
  if (tolls.perGas > 0 && network.edges.length <= LIMITS.routing.exchangedEdges && problem.pace.halted() === null) {
    for (const path of ranked.slice(0, LIMITS.routing.startPaths)) {
      const lean = startNetwork(problem, path);
      const rest = settle(lean);
      problem.pace.spend(rest.work);
      if (rest.imbalance < BALANCED) splits.push({ network: lean, equilibrium: selectPools(lean, rest, tolls) });
    }
  }
  const worth = new Map(splits.map((split) => [split, netWorth(split.network, split.equilibrium, tolls)]));
  return splits.sort((a, b) => (worth.get(b) as number) - (worth.get(a) as number)).slice(0, LIMITS.routing.finalistSplits);
}

/** Rounds and prices a split, with what it leaves of a sale on a path of `takers`; a pool that refuses what must go through it is taken out, a route with too much gas made smaller, and the rest brought to rest again. */
function priceSplit(trial: Trial, split: Split, takers: readonly SinglePath[], known: Finalist | null): Finalist | null {
  const { problem } = trial;
  const { network } = split;
  let { equilibrium } = split;
  const best = known;
  let mostGas: number = LIMITS.routing.routeGas;
  for (let repair = 0; repair <= LIMITS.routing.repairs && (repair === 0 || problem.pace.halted() === null); repair++) {
    placeResidual(network, takers);
    const flows = hopFlowsOf(network);
    if (flows === null) return best;
    const tried = priceFlows(trial, flows, equilibrium.amount);
    if (tried.ok) return polish(trial, tried.finalist, best);
    if (tried.refused !== null) {
      network.edges = connected(network.edges.filter((edge) => poolOf(edge) !== tried.refused));
      if (!network.edges.some(({ carrier }) => carrier.kind !== 'artificial')) return best;
      equilibrium = settle(network);
    } else {
      if (tried.gas === null) return best;
      // The model is as much too low again as it was.
      mostGas *= LIMITS.routing.routeGas / tried.gas;
      equilibrium = fitGas(network, settle(network), trial.tolls, mostGas);
    }
    if (!(equilibrium.imbalance < BALANCED)) return best;
  }
  return best;
}

/** By how much more than the model's input the shares of a buy are chosen for: pools that the model fills leave no room for the little that rounding costs. */
const AMPLER = [1, 1.0003, 1.001, 1.003, 1.009, 1.03, 1.1, 1.4, 2, 4] as const;

type Tried = { readonly ok: true; readonly finalist: Finalist } | { readonly ok: false; readonly refused: PoolView | null; readonly gas: number | null };

/** Rounds the flows of a network and prices them. `sought`: what the model makes of the amount sought. */
function priceFlows(trial: Trial, flows: readonly TokenFlow[], sought: number): Tried {
  const { problem } = trial;
  let failed: Tried = { ok: false, refused: null, gas: null };
  for (const more of problem.mode === 'sell' ? [1] : AMPLER) {
    const input = problem.mode === 'sell' ? problem.fixed : toInteger(sought * more);
    const rounded = roundFlows(flows, problem.sell, input, (pool) => problem.market.models.exact(pool), momentOf(problem.view.block));
    if (!rounded.ok) {
      failed = { ok: false, refused: rounded.refused, gas: null };
      continue;
    }
    const priced = priceExactly(trial, rounded.hops, Number(input), null);
    if (priced.ok) return priced;
    failed = { ok: false, refused: null, gas: priced.gas };
    if (priced.gas !== null) break;
  }
  return failed;
}

/** Tries a basis point more and less. Among many hops one hardly tells, and takes its while to try. */
function polish(trial: Trial, found: Finalist, known: Finalist | null): Finalist {
  const { finalistNeighbours, neighbourHops } = LIMITS.routing;
  const most = Math.max(1, Math.min(finalistNeighbours, Math.floor(neighbourHops / found.hops.length)));
  let best = better(known, found);
  if (best !== found) return best;
  for (const variant of neighbours(found.hops, most)) best = tryHops(trial, best, variant, Number(found.input)) ?? best;
  return best;
}

function tryHops(trial: Trial, best: Finalist | null, hops: readonly SplitHop[], guess: number): Finalist | null {
  const priced = priceExactly(trial, hops, guess, best);
  return priced.ok ? better(best, priced.finalist) : best;
}

function toInteger(approx: number): bigint {
  return approx >= 1 && approx < 2 ** 256 ? BigInt(Math.floor(approx)) : 1n;
}
