import { LIMITS } from '../config/limits.ts';
import { curveGas } from './curves/curves.ts';
import type { Equilibrium } from './equilibrate.ts';
import { type Demand, tradeWorth } from './flow-state.ts';
import type { Network } from './network.ts';
import type { Pace } from './pace.ts';
import { pruneNetwork } from './prune.ts';
import type { Tolls } from './tolls.ts';

/** What a unit of gas costs at first, as a share of the trade for all that a route may use, and how much dearer it gets each time. */
const FIRST_SHARE = 1e-4;
const DEARER = 1.6;

/**
 * Makes a network use no more gas than a transaction may: gas is given a price on top of its tolls, which rises until what does not earn it has left. `network` is changed in place; returns its
 * equilibrium. What still uses more is refused when it is priced exactly.
 */
export function fitGas(network: Network, demand: Demand, equilibrium: Equilibrium, tolls: Tolls, mostGas: number, pace: Pace): Equilibrium {
  let rest = equilibrium;
  let share = FIRST_SHARE;
  for (let step = 0; step < LIMITS.routing.gasFits && gasOf(network) > mostGas && pace.halted() === null; step++, share *= DEARER) {
    const perGas = tolls.perGas + (share * tradeWorth(network, demand)) / mostGas;
    rest = pruneNetwork(network, demand, rest, { ...tolls, perGas }, pace);
  }
  return rest;
}

function gasOf({ edges }: Network): number {
  return edges.reduce((sum, edge) => sum + curveGas(edge.curve, edge.flow.input), 0);
}
