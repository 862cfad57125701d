import { LIMITS } from '../config/limits.ts';
import { type Finalist, type Trial, tryHops } from './execute/finalists.ts';
import { pathHops } from './execute/rounding.ts';
import { residualShare } from './flow/artificial-edge.ts';
import { type Growth, growNetwork, settle } from './flow/columns.ts';
import { BALANCED } from './flow/equilibrate.ts';
import { leastSale } from './flow/least-sale.ts';
import type { FlowNetwork } from './flow/network.ts';
import { reorder } from './flow/reorder.ts';
import { drains, startNetwork } from './flow/start-network.ts';
import { fitGas } from './gas/fit-gas.ts';
import { tollsOf } from './gas/gas-rule.ts';
import { netWorth, selectPools } from './gas/select-pools.ts';
import type { Tolls } from './gas/tolls.ts';
import { bestSinglePaths, partialPath } from './paths/best-single-paths.ts';
import type { SinglePath } from './paths/path-search.ts';
import { rankSmallRoutes } from './paths/small-amounts.ts';
import { priceSplit, type Split } from './price-split.ts';
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

type Grown = { readonly network: FlowNetwork; readonly growth: Growth };

function grow(problem: Problem, start: SinglePath, tolls: Tolls): Grown {
  const network = startNetwork(problem, start);
  return { network, growth: reorder(network, growNetwork(network, tolls), tolls) };
}

/** Whether one network leaves more net of tolls than another, or is the only one that balances. */
function growsMore(one: Grown, other: Grown, tolls: Tolls): boolean {
  const [balances, otherBalances] = [one, other].map(({ growth }) => growth.equilibrium.imbalance < BALANCED);
  if (!balances || !otherBalances) return balances === true;
  return netWorth(one.network, one.growth.equilibrium, tolls) > netWorth(other.network, other.growth.equilibrium, tolls);
}

/** Share of what a buy asks for that may be left on the artificial edge: rounding makes up for it. */
const LEAST_RESIDUAL = 1e-6;

/** Flows at rest net of gas: grown from the best path, and where gas has a say, from the best path alone without what does not earn its gas. Best first. */
function findSplits(problem: Problem, ranked: readonly SinglePath[], tolls: Tolls, ledger: Ledger): Split[] {
  const first = ranked[0] ?? partialPath(problem);
  if (first === null) return [];
  ledger.enter('columns');
  let { network, growth } = grow(problem, first, tolls);
  // A path that the whole amount drains starts with prices that tell little of what else there is.
  const other = problem.mode === 'sell' && drains(first, Number(problem.fixed)) && problem.pace.halted() === null ? partialPath(problem) : null;
  if (other !== null) {
    const second = grow(problem, other, tolls);
    if (growsMore(second, { network, growth }, tolls)) ({ network, growth } = second);
  }
  if (problem.mode === 'buy' && residualShare(network) > LEAST_RESIDUAL) {
    const sale = leastSale(problem, growth.equilibrium.amount);
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
