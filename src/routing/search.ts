import { LIMITS } from '../config/limits.ts';
import { curveOutput } from '../curves/curves.ts';
import { exchangeHops } from './execute/exchange-hops.ts';
import { type Finalist, type Trial, tryHops } from './execute/finalists.ts';
import { pathHops } from './execute/rounding.ts';
import { residualShare } from './flow/artificial-edge.ts';
import { type Growth, growNetwork, settle } from './flow/columns.ts';
import { BALANCED } from './flow/equilibrate.ts';
import { leastSale } from './flow/least-sale.ts';
import { netWorth } from './flow/net-worth.ts';
import { type FlowNetwork, identityOf, isReal } from './flow/network.ts';
import { reorder } from './flow/reorder.ts';
import { drains, startNetwork } from './flow/start-network.ts';
import { fitGas } from './gas/fit-gas.ts';
import { exactToll, tollsOf } from './gas/gas-rule.ts';
import { exchangePools, selectPools } from './gas/select-pools.ts';
import { isTolled, type Tolls } from './gas/tolls.ts';
import { paceOfStep } from './pace.ts';
import { bestSinglePaths, partialPath, type RankedPath } from './paths/best-single-paths.ts';
import type { SinglePath } from './paths/path-search.ts';
import { rankSmallRoutes } from './paths/small-amounts.ts';
import { priceSplit, type Split } from './price-split.ts';
import type { Problem } from './problem.ts';
import type { Ledger } from './solve-facts.ts';

/** The best exact route net of gas for one problem, or null: single paths, flow, gas, rounding (design/solver). Whatever the pace, what was found so far is a whole route. */
export function search(problem: Problem, ledger: Ledger): Finalist | null {
  ledger.enter('path');
  const paths = bestSinglePaths(problem);
  ledger.considered(paths.considered);
  if (problem.pace.halted() === 'cancelled') return null;
  const tolls = tollsOf(problem.gas, paths.ranked[0]?.amount ?? 0);
  const trial: Trial = { problem, tolls };
  const splits = problem.unsplit !== true && problem.pace.halted() === null ? findSplits(problem, paths.ranked, tolls, ledger) : [];
  ledger.enter('exact');
  let best: Finalist | null = null;
  for (const split of splits) best = priceSplit(trial, split, paths.ranked, best);
  const first = paths.ranked[0];
  const small = first !== undefined && isSmall(first, problem.mode === 'sell' ? Number(problem.fixed) : first.amount);
  best = bestOf(trial, paths.ranked, best, small);
  // A split of small hops beside large ones is no reason: routes without splits are what this ranks, and what float would misorder.
  if (best === null || small)
    best = rankSmallRoutes(trial, best).reduce((known, hops) => tryHops(trial, known, hops, Number(best?.input ?? problem.fixed)), best);
  return best === null ? null : exchangeHops(trial, best);
}

/**
 * The best of what is known and of the single paths, of those too the best direct pool, exactly. What the model puts well behind is not tried, but where hops are small; nor does one count as tried that does not bring what the
 * model says: contracts count in steps, below which a pool that is deep against the trade gives nothing.
 */
function bestOf(trial: Trial, ranked: readonly RankedPath[], known: Finalist | null, small: boolean): Finalist | null {
  const { finalistPaths, brokenPaths } = LIMITS.routing;
  const direct = ranked.find((path) => path.hops.length === 1);
  let best = known;
  let [triesLeft, brokenLeft]: [number, number] = [finalistPaths, brokenPaths];
  for (const path of ranked) {
    if ((triesLeft <= 0 && path !== direct) || !(small || liesAbove(trial, path, best, -1))) continue;
    best = tryHops(trial, best, pathHops(path), path.amount);
    if (liesAbove(trial, path, best, 1) && brokenLeft > 0) brokenLeft--;
    else triesLeft--;
  }
  return best;
}

/** Parts of an amount, and of what gas costs, by which the model may be off. */
const AMOUNT_OFF = 1e-4;
const GAS_OFF = 0.1;

/** Whether a path leaves more by the model than the best exact route, by more than so many times what the model may be off. */
function liesAbove({ problem, tolls }: Trial, path: RankedPath, best: Finalist | null, times: number): boolean {
  if (best === null) return true;
  const amount = Number(problem.mode === 'sell' ? best.output : best.input);
  return path.net > Number(best.net) + times * (AMOUNT_OFF * amount + GAS_OFF * Number(exactToll(tolls, best.gas, best.hops.length)));
}

/** Whether a path has a hop of so few base units that floats misorder. */
function isSmall({ hops }: SinglePath, input: number): boolean {
  let amount = input;
  return hops.some(({ edge: { curve } }) => {
    const before = amount;
    amount = curveOutput(curve, Math.min(amount, curve.capacity));
    return Math.min(before, amount) < LIMITS.routing.smallHop;
  });
}

/** Whether a network came down to just this path. */
function isPath({ edges }: FlowNetwork, { hops }: SinglePath): boolean {
  const real = edges.filter(isReal);
  return real.length === hops.length && real.every((edge) => hops.some((hop) => hop.edge === identityOf(edge)));
}

type Grown = { readonly network: FlowNetwork; readonly growth: Growth };

/** Where gas has a say, deciding which pools earn it is a step of its own. */
function grow(problem: Problem, start: SinglePath, tolls: Tolls): Grown {
  const network = startNetwork(isTolled(tolls) ? { ...problem, pace: paceOfStep(problem.pace) } : problem, start);
  const growth = reorder(network, growNetwork(network, tolls), tolls);
  return { network: { ...network, problem }, growth };
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
      // What a selection ended with is where the next one would start.
      if (splits.some((split) => isPath(split.network, path))) continue;
      const lean = startNetwork(problem, path);
      const rest = settle(lean);
      if (rest.imbalance < BALANCED) splits.push({ network: lean, equilibrium: selectPools(lean, rest, tolls) });
    }
  }
  const worth = new Map(splits.map((split) => [split, netWorth(split.network, split.equilibrium, tolls)]));
  const [best, ...others] = splits.sort((a, b) => (worth.get(b) as number) - (worth.get(a) as number)).slice(0, LIMITS.routing.finalistSplits);
  return best === undefined ? [] : [{ network: best.network, equilibrium: exchangePools(best.network, best.equilibrium, tolls) }, ...others];
}
