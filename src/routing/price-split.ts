import { LIMITS } from '../config/limits.ts';
import { countUnits } from './execute/count-units.ts';
import { better, type Finalist, priceExactly, type Swap, type Trial, toInteger, tryHops } from './execute/finalists.ts';
import { hopFlowsOf, type TokenFlow } from './execute/hop-flows.ts';
import { roundFlows } from './execute/rounding.ts';
import { settle } from './flow/columns.ts';
import { BALANCED, type Equilibrium } from './flow/equilibrate.ts';
import { asSale, between, type Sold, saleOf } from './flow/least-sale.ts';
import { BUY, copyNetwork, type FlowEdge, type FlowNetwork, identityOf, isReal, thinOut } from './flow/network.ts';
import { hasResidual, placeResidual } from './flow/residual.ts';
import { hubUnits, worthOfEdge } from './flow/star-sides.ts';
import { fitGas } from './gas/fit-gas.ts';
import { NO_TOLLS } from './gas/tolls.ts';
import { bestSinglePaths } from './paths/best-single-paths.ts';
import type { SinglePath } from './paths/path-search.ts';
import type { Problem } from './problem.ts';

/** A split as the float model sees it. The network of a buy is one at rest as a buy, or as the least sale that reaches its target; `amount` is then what is sold. */
export type Split = { readonly network: FlowNetwork; readonly equilibrium: Equilibrium };

/** Rounds and prices a split, with what it leaves of a sale on a path of `takers`; a swap that its pool refuses is taken out, a route with too much gas made smaller, and the rest brought to rest again. */
export function priceSplit(trial: Trial, split: Split, takers: readonly SinglePath[], known: Finalist | null): Finalist | null {
  const { problem } = trial;
  const { network } = split;
  let { equilibrium } = split;
  if (problem.mode !== network.problem.mode) {
    const found = leastExactSale(trial, split);
    return found === null ? known : better(known, found);
  }
  let best = known;
  let mostGas: number = LIMITS.routing.routeGas;
  for (let repair = 0; repair <= LIMITS.routing.repairs && (repair === 0 || problem.pace.halted() === null); repair++) {
    const drained = hasResidual(network) ? copyNetwork(network) : null;
    placeResidual(network, takers);
    const flows = hopFlowsOf(network);
    if (flows === null) return best;
    const tried = priceFlows(trial, flows, equilibrium.amount, OF_A_SALE);
    const found = tried.ok ? tried.finalist : problem.mode === 'buy' && tried.gas === null ? leastExactSale(trial, { network, equilibrium }) : null;
    if (found !== null) best = better(best, countUnits(trial, found));
    if (tried.refused !== null) {
      const poorer = drained === null ? null : poorerSplit(drained);
      if (poorer !== null) best = priceSplit(trial, poorer, takers, best);
      if (!withoutSwap(network, tried.refused)) return best;
      equilibrium = settle(network);
    } else {
      if (found !== null || tried.ok || tried.gas === null) return best;
      // The model is as much too low again as it was.
      mostGas *= LIMITS.routing.routeGas / tried.gas;
      equilibrium = fitGas(network, settle(network), trial.tolls, mostGas);
    }
    if (!(equilibrium.imbalance < BALANCED)) return best;
  }
  return best;
}

/**
 * What the best ways bring may be more than the last pools take, and a route sells all: the split without one edge before them that leaves nothing over and gives most. null where no edge alone does.
 */
function poorerSplit(drained: FlowNetwork): Split | null {
  let best: Split | null = null;
  for (const gone of drained.edges) {
    if (!isReal(gone) || gone.to === BUY || drained.problem.pace.halted() !== null) continue;
    const network = copyNetwork(drained);
    if (!thinOut(network, (edge) => identityOf(edge) !== identityOf(gone))) continue;
    const equilibrium = settle(network);
    if (equilibrium.atRest && !hasResidual(network) && equilibrium.amount > (best?.equilibrium.amount ?? 0)) best = { network, equilibrium };
  }
  return best;
}

/** Takes out a swap: of a pool of many tokens without the side of it that carries less. */
function withoutSwap(network: FlowNetwork, { pool, slotIn, slotOut }: Swap): boolean {
  const carried = (edge: FlowEdge): number => {
    const { carrier } = edge;
    if (carrier.kind === 'artificial') return Infinity;
    if (carrier.kind === 'pair') return carrier.edge.pool === pool && carrier.edge.slotIn === slotIn && carrier.edge.slotOut === slotOut ? 0 : Infinity;
    const deposits = carrier.kind === 'deposit';
    if (carrier.arc.pool !== pool || carrier.arc.slot !== (deposits ? slotIn : slotOut)) return Infinity;
    return hubUnits(edge, worthOfEdge(network, edge), deposits ? 'out' : 'in');
  };
  const least = Math.min(...network.edges.map(carried));
  return thinOut(network, (edge) => carried(edge) > least);
}

/** `refused`: a swap of a sale whose pool took nothing, or not what it had to. */
type Tried = { readonly refused: Swap | null } & ({ readonly ok: true; readonly finalist: Finalist } | { readonly ok: false; readonly gas: number | null });

/** By how much more than the model's input a buy may need, as a share and in base units of small change, for shares chosen for the model's. */
const AMPLE = { percent: 1n, units: 1000n } as const;

/**
 * When a pool may serve twice so that shares are finer: where one was rounded down by more than the part `coarse` of itself, and that gives more by the share `worth` (whoever checks a route then has to carry the pool's state). A buy
 * that is looked for as a sale takes whatever reaches its target.
 */
type Fineness = { readonly coarse: number; readonly worth: number };
const OF_A_SALE: Fineness = { coarse: 1e-4, worth: 0.01 };
const OF_A_BUY: Fineness = { coarse: 0, worth: 0 };

/** Rounds the flows of a network and prices them, in a sale more finely too. `sought`: what the model makes of the amount sought. */
function priceFlows(trial: Trial, flows: readonly TokenFlow[], sought: number, { coarse, worth }: Fineness): Tried {
  const { problem } = trial;
  const { sell, quotes } = problem;
  const sells = problem.mode === 'sell';
  const input = sells ? problem.fixed : toInteger(sought);
  const rounding = { flows, sell, input, quotes };
  const rounded = roundFlows({ ...rounding, fine: false });
  const refused = sells ? rounded.refused : null;
  if (!rounded.ok) return { ok: false, refused, gas: null };
  // Such shares are right for one input alone.
  if (!sells && rounded.coarsest > coarse) return { ok: false, refused: null, gas: null };
  const priced = priceExactly(trial, rounded.hops, Number(input), null, input + (input * AMPLE.percent) / 100n + AMPLE.units);
  const finer = rounded.coarsest > coarse ? roundFlows({ ...rounding, fine: true }) : null;
  const finerPriced = finer?.ok ? priceExactly(trial, finer.hops, Number(input), null) : null;
  if (!priced.ok) return finerPriced?.ok ? { ...finerPriced, refused } : { ok: false, refused: refused ?? priced.refused, gas: priced.gas };
  const { finalist } = priced;
  const matters = finerPriced?.ok && Number(finerPriced.finalist.output) >= Number(finalist.output) * (1 + worth);
  return { ok: true, finalist: matters ? better(finalist, finerPriced.finalist) : finalist, refused };
}

/**
 * A buy near what its pools give: shares for the model's input miss the target by what rounding costs, and with those shares no input may reach it. So the least sale is looked for whose exact output does, each with flows of its
 * own, and the buy has its shares.
 */
function leastExactSale(trial: Trial, { network, equilibrium }: Split): Finalist | null {
  const { problem } = trial;
  const target = Number(problem.fixed);
  // The inputs that are tried lie close together: the paths that take what is left of one take that of any other.
  let known: readonly SinglePath[] | null = null;
  const takers: Takers = (sale) => {
    known ??= bestSinglePaths(sale).ranked;
    return known;
  };
  let low: Sold = { input: equilibrium.amount, amount: 0 };
  let high: (Sold & { readonly finalist: Finalist }) | null = null;
  for (let step = 0; step < LIMITS.routing.exactSales && problem.pace.halted() === null; step++) {
    const input: number = high === null ? equilibrium.amount * (1 + (step === 0 ? 0 : FIRST_MORE * MORE ** step)) : between(low, high, target, step);
    const finalist = bestSale(network, input, equilibrium.amount, takers);
    if (finalist !== null && finalist.output >= problem.fixed) high = { input, amount: Number(finalist.output), finalist };
    else low = { input, amount: Number(finalist?.output ?? 0n) };
    if (high !== null && high.input - low.input <= CLOSE * high.input) break;
  }
  return high === null ? null : tryHops(trial, null, high.finalist.hops, high.input);
}

/** How much more than the model's input is tried first, and how much more of that each time; how closely the input is looked for. */
const FIRST_MORE = 1e-5;
const MORE = 4;
const AFAR = 1.01;
const CLOSE = 1e-5;

/** Paths that may take what a sale leaves over. */
type Takers = (sale: Problem) => readonly SinglePath[];

/** By the model's flows, of which rounding places the rest, and where that is much, by flows at rest with it. */
function bestSale(network: FlowNetwork, input: number, modelled: number, takers: Takers): Finalist | null {
  const found = exactSale(asSale(network, input), takers);
  const rested = input > AFAR * modelled ? exactSale(saleOf(network, input).network, takers) : null;
  return rested === null ? found : better(found, rested);
}

function exactSale(network: FlowNetwork, takers: Takers): Finalist | null {
  const { problem } = network;
  placeResidual(network, hasResidual(network) ? takers(problem) : []);
  const flows = hopFlowsOf(network);
  const trial: Trial = { problem, tolls: NO_TOLLS };
  const tried = flows === null ? null : priceFlows(trial, flows, Number(problem.fixed), OF_A_BUY);
  return tried?.ok ? countUnits(trial, tried.finalist) : null;
}
