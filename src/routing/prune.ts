import { LIMITS } from '../config/limits.ts';
import { settle } from './columns.ts';
import type { Equilibrium } from './equilibrate.ts';
import { BALANCED } from './equilibrate.ts';
import type { Demand } from './flow-state.ts';
import { connected, copyNetwork, edgeSurplus, type Network, type NetworkEdge, restoreNetwork } from './network.ts';
import type { Pace } from './pace.ts';
import { hopToll, type Tolls } from './tolls.ts';

/**
 * Takes out what does not earn its tolls: removes the edges (with what dies with them) whose removal, after coming to rest again, leaves more net of tolls, until none does. Tries to take
 * out all that look unprofitable together, then half as many, down to one at a time. `network` is changed in place; returns its equilibrium.
 */
export function pruneNetwork(network: Network, demand: Demand, equilibrium: Equilibrium, tolls: Tolls, pace: Pace): Equilibrium {
  if (tolls.perGas === 0 && tolls.perHop === 0) return equilibrium;
  let best = equilibrium;
  let together = Infinity;
  for (let trials = 0; trials < LIMITS.routing.pruneTrials; ) {
    const net = netWorth(network, demand, best, tolls);
    const cuts = promisingCuts(network, tolls);
    together = Math.min(together, cuts.length);
    if (together === 0) return best;
    let improved = false;
    for (const kept of keptAfter(network, cuts, together)) {
      if (trials++ >= LIMITS.routing.pruneTrials || pace.halted() !== null) return best;
      const trial = copyNetwork(network, kept);
      const rest = settle(trial, demand);
      pace.spend(rest.work);
      if (rest.imbalance > BALANCED || netWorth(trial, demand, rest, tolls) <= net) continue;
      restoreNetwork(network, trial);
      best = rest;
      improved = true;
      break;
    }
    if (!improved && together === 1) return best;
    if (!improved) together = Math.ceil(together / 2);
  }
  return best;
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
