import { LIMITS } from '../config/limits.ts';
import { BALANCED, settle } from './columns.ts';
import type { Equilibrium } from './equilibrate.ts';
import type { Demand } from './flow-state.ts';
import { connected, copyNetwork, type Network, type NetworkEdge, restoreNetwork } from './network.ts';
import type { Pace } from './pace.ts';
import { hopToll, type Tolls } from './tolls.ts';
import { edgeSurplus } from './trim.ts';

/**
 * Takes out what does not earn its tolls: removes the edge (with what dies with it) whose removal, after coming to rest again, leaves more net of tolls,
 * until none does. `network` is changed in place; returns its equilibrium.
 */
export function pruneNetwork(network: Network, demand: Demand, equilibrium: Equilibrium, tolls: Tolls, pace: Pace): Equilibrium {
  if (tolls.perGas === 0 && tolls.perHop === 0) return equilibrium;
  let best = equilibrium;
  let trials = 0;
  for (let improved = true; improved; ) {
    improved = false;
    const net = netWorth(network, demand, best, tolls);
    for (const kept of promisingCuts(network, tolls)) {
      if (trials++ >= LIMITS.routing.pruneTrials || pace.halted() !== null) return best;
      const trial = copyNetwork(network, kept);
      const rest = settle(trial, demand);
      if (rest.imbalance > BALANCED || netWorth(trial, demand, rest, tolls) <= net) continue;
      restoreNetwork(network, trial);
      best = rest;
      improved = true;
      break;
    }
  }
  return best;
}

/** What the network yields net of its tolls, larger is better in both modes. */
function netWorth(network: Network, demand: Demand, rest: Equilibrium, tolls: Tolls): number {
  const toll = network.edges.reduce((sum, edge) => sum + hopToll(tolls, edge.curve, edge.flow.input), 0);
  return (demand.mode === 'sell' ? rest.amount : -rest.amount) - toll;
}

/**
 * The edge sets that remain after a cut which may pay, most promising first. Removing edges costs at least their surplus at the current prices (duality),
 * so a cut that saves less than that is not tried.
 */
function promisingCuts(network: Network, tolls: Tolls): NetworkEdge[][] {
  const cuts: { kept: NetworkEdge[]; promise: number }[] = [];
  for (const edge of network.edges) {
    const kept = connected(network.edges.filter((other) => other !== edge));
    if (kept.length === 0) continue;
    const staying = new Set(kept);
    let promise = 0;
    for (const gone of network.edges) {
      if (!staying.has(gone)) promise += hopToll(tolls, gone.curve, gone.flow.input) - edgeSurplus(network, gone);
    }
    if (promise > 0) cuts.push({ kept, promise });
  }
  return cuts.sort((a, b) => b.promise - a.promise).map((cut) => cut.kept);
}
