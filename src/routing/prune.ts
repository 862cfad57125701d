import { LIMITS } from '../config/limits.ts';
import { columnGain } from './column-gain.ts';
import { settle } from './columns.ts';
import { curveOutput } from './curves/curves.ts';
import { emptyFlow } from './curves/flow.ts';
import { BALANCED, type Equilibrium } from './equilibrate.ts';
import { type Demand, tradeWorth } from './flow-state.ts';
import { addEdge, connected, copyNetwork, edgeSurplus, type Network, type NetworkEdge, restoreNetwork } from './network.ts';
import type { Pace } from './pace.ts';
import { hopToll, type Tolls } from './tolls.ts';

/**
 * Takes out what does not earn its tolls: removes the edges (with what dies with them) whose removal, after coming to rest again, leaves more net of tolls, until none does. Tries to take
 * out all that look unprofitable together, then half as many, down to one at a time; then puts back what earns its tolls now that others are gone. `network` is changed in place; returns its
 * equilibrium.
 */
export function pruneNetwork(network: Network, demand: Demand, equilibrium: Equilibrium, tolls: Tolls, pace: Pace): Equilibrium {
  if (tolls.perGas === 0 && tolls.perHop === 0) return equilibrium;
  const trials = new Trials(network, demand, equilibrium, tolls, pace);
  const whole = network.edges.map((edge) => ({ ...edge, flow: emptyFlow() }));
  let together = Infinity;
  while (!trials.over()) {
    const cuts = promisingCuts(network, tolls);
    together = Math.min(together, cuts.length);
    if (together === 0) break;
    if (keptAfter(network, cuts, together).some((kept) => trials.take(kept))) continue;
    if (together === 1) break;
    together = Math.ceil(together / 2);
  }
  while (!trials.over() && missing(network, whole, demand, tolls).some((edge) => trials.take([...network.edges, edge])));
  return trials.best;
}

/** What pruning tries, one after the other: at most so many, and each only kept when it leaves more. */
class Trials {
  best: Equilibrium;
  readonly #network: Network;
  readonly #demand: Demand;
  readonly #tolls: Tolls;
  readonly #pace: Pace;
  #net: number;
  #left: number = LIMITS.routing.pruneTrials;

  constructor(network: Network, demand: Demand, equilibrium: Equilibrium, tolls: Tolls, pace: Pace) {
    this.#network = network;
    this.#demand = demand;
    this.#tolls = tolls;
    this.#pace = pace;
    this.best = equilibrium;
    this.#net = netWorth(network, demand, equilibrium, tolls);
  }

  over(): boolean {
    return this.#left <= 0 || this.#pace.halted() !== null;
  }

  /** Lets the network have these edges if that leaves more net of tolls. */
  take(edges: readonly NetworkEdge[]): boolean {
    if (this.over()) return false;
    this.#left--;
    const trial = copyNetwork(this.#network, []);
    for (const edge of edges) addEdge(trial, { ...edge, flow: { ...edge.flow } });
    const rest = settle(trial, this.#demand);
    this.#pace.spend(rest.work);
    const net = netWorth(trial, this.#demand, rest, this.#tolls);
    if (!(rest.imbalance < BALANCED && net > this.#net)) return false;
    restoreNetwork(this.#network, trial);
    this.#net = net;
    this.best = rest;
    return true;
  }
}

/** Edges between tokens in use that are no longer in the network and would gain more than their toll at its prices, which is the most they can gain; best first. */
function missing(network: Network, whole: readonly NetworkEdge[], demand: Demand, tolls: Tolls): NetworkEdge[] {
  const pools = new Set(network.edges.map(({ model }) => model?.pool));
  const tokens = new Set(network.edges.flatMap(({ from, to }) => [from, to]));
  const worth = tradeWorth(network, demand);
  const priceOf = (token: number) => Math.exp(network.logPrice[token] as number);
  return whole
    .flatMap((edge) => {
      const { from, to, model, curve } = edge;
      if (model === null || pools.has(model.pool) || !tokens.has(from) || !tokens.has(to)) return [];
      const column = { hops: [{ from, to, edge: { ...model, curve }, edges: [] }], priceFrom: priceOf(from), priceTo: priceOf(to) };
      const { gain, input } = columnGain(column, worth / column.priceFrom);
      const left = gain - hopToll(tolls, curve, input);
      return left > 0 ? [{ edge: { ...edge, flow: { input, output: curveOutput(curve, input) } }, left }] : [];
    })
    .sort((a, b) => b.left - a.left)
    .map(({ edge }) => edge);
}

/** What to try: the most promising cuts together, or each alone. */
function keptAfter(network: Network, cuts: readonly (readonly NetworkEdge[])[], together: number): NetworkEdge[][] {
  if (together === 1) return cuts.map((gone) => network.edges.filter((edge) => !gone.includes(edge)));
  const gone = new Set(cuts.slice(0, together).flat());
  const kept = connected(network.edges.filter((edge) => !gone.has(edge)));
  return kept.length === 0 ? [] : [kept];
}

/** What the network yields net of its tolls, larger is better in both modes. */
function netWorth(network: Network, demand: Demand, rest: Equilibrium, tolls: Tolls): number {
  const toll = network.edges.reduce((sum, edge) => sum + hopToll(tolls, edge.curve, edge.flow.input), 0);
  return (demand.mode === 'sell' ? rest.amount : -rest.amount) - toll;
}

/**
 * What may pay to take out, most promising first: an edge with what dies with it. Removing edges costs at least their surplus at the current prices (duality),
 * so a cut that saves less than that is not tried.
 */
function promisingCuts(network: Network, tolls: Tolls): NetworkEdge[][] {
  const cuts: { gone: NetworkEdge[]; promise: number }[] = [];
  for (const edge of network.edges) {
    const beside = network.edges.some((other) => other !== edge && other.from === edge.from && other.to === edge.to);
    const staying = beside ? null : new Set(connected(network.edges.filter((other) => other !== edge)));
    if (staying?.size === 0) continue;
    const gone = staying === null ? [edge] : network.edges.filter((other) => !staying.has(other));
    const promise = gone.reduce((sum, each) => sum + hopToll(tolls, each.curve, each.flow.input) - edgeSurplus(network, each), 0);
    if (promise > 0) cuts.push({ gone, promise });
  }
  return cuts.sort((a, b) => b.promise - a.promise).map((cut) => cut.gone);
}
