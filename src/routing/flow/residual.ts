import type { SinglePath } from '../paths/path-search.ts';
import { hopsOfPath } from './column.ts';
import { placeHops } from './merge-column.ts';
import { addEdges, artificialOf, type FlowNetwork, identityOf, keepsDepth, orderEdges } from './network.ts';
import { flowThrough } from './star-sides.ts';

/** Less of a trade than this left on the artificial edge is rounding. */
const NOTHING = 1e-9;

/** Whether a sale has left something on the artificial edge. */
export function hasResidual(network: FlowNetwork): boolean {
  const artificial = artificialOf(network);
  return artificial !== undefined && network.problem.mode === 'sell' && artificial.flow.input > NOTHING * Number(network.problem.fixed);
}

/**
 * Gives what a sale has left on the artificial edge to the first of some paths that fits in: a route sells all of the amount, whatever the last of it brings. Paths are those that take the whole amount. The network is then no longer
 * at rest.
 */
export function placeResidual(network: FlowNetwork, paths: readonly SinglePath[]): void {
  const { problem, nodes } = network;
  const artificial = artificialOf(network);
  if (artificial === undefined || !hasResidual(network)) return;
  for (const path of paths) {
    const placed = placeHops(network, hopsOfPath(path), 1).map((edge) => network.edges.find((known) => identityOf(known) === identityOf(edge)) ?? edge);
    const fresh = placed.filter((edge) => !network.edges.includes(edge));
    if (!keepsDepth(nodes, [...network.edges, ...fresh], problem.maxHops)) continue;
    flowThrough(network, placed, artificial.flow.input);
    network.edges = network.edges.filter((edge) => edge !== artificial);
    addEdges(network, fresh);
    orderEdges(network);
    return;
  }
}
