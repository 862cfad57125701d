import { LIMITS } from '../../config/limits.ts';
import { settle } from '../flow/columns.ts';
import type { Equilibrium } from '../flow/equilibrate.ts';
import { tradeWorth } from '../flow/flow-state.ts';
import { type FlowNetwork, gasOf, isReal, thinOut } from '../flow/network.ts';
import { reducedGain } from '../flow/star-sides.ts';
import { dropPools } from './select-pools.ts';
import type { Tolls } from './tolls.ts';

/** What a unit of gas costs at first, as a share of the trade for all that a route may use, and how much dearer it gets each time. */
const FIRST_SHARE = 1e-4;
const DEARER = 1.6;

/**
 * Makes a network use no more gas than a transaction may: gas is given a price on top of its tolls (the multiplier of that bound), which rises until what does not earn it has left. `network` is changed in place; returns its
 * equilibrium. What still uses more is refused when it is priced exactly.
 */
export function fitGas(network: FlowNetwork, equilibrium: Equilibrium, tolls: Tolls, mostGas: number): Equilibrium {
  if (network.problem.pace.halted() === 'effort' && gasOf(network.nodes, network.edges) > mostGas) return keepWithin(network, equilibrium, mostGas);
  let rest = equilibrium;
  let share = FIRST_SHARE;
  for (
    let step = 0;
    step < LIMITS.routing.gasFits && gasOf(network.nodes, network.edges) > mostGas && network.problem.pace.halted() === null;
    step++, share *= DEARER
  ) {
    const perGas = tolls.perGas + (share * tradeWorth(network)) / mostGas;
    rest = dropPools(network, rest, { ...tolls, perGas });
  }
  return rest;
}

/** What there is time for when a search has done as much as it may: the edges that earn most for their gas, as far as it goes, at rest once more. */
function keepWithin(network: FlowNetwork, equilibrium: Equilibrium, mostGas: number): Equilibrium {
  const { nodes, edges } = network;
  const ranked = edges
    .filter(isReal)
    .map((edge) => ({ edge, gas: gasOf(nodes, [edge]), earned: reducedGain(network, edge) }))
    .sort((a, b) => b.earned * a.gas - a.earned * b.gas);
  const staying = new Set<unknown>();
  let left = mostGas;
  for (const { edge, gas } of ranked) {
    left -= gas;
    if (left >= 0) staying.add(edge);
  }
  return thinOut(network, (edge) => staying.has(edge)) ? settle(network) : equilibrium;
}
