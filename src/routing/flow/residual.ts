import type { SinglePath } from '../paths/path-search.ts';
import type { ColumnHop } from './column.ts';
import { placeHops } from './merge-column.ts';
import { addEdges, BUY, type FlowNetwork, identityOf, nodeOrder, orderEdges } from './network.ts';
import { flowThrough } from './star-sides.ts';

/** Less of a trade than this left on the artificial edge is rounding. */
const NOTHING = 1e-9;

/** Whether a sale has left something on the artificial edge. */
export function hasResidual({ problem, edges }: FlowNetwork): boolean {
  const artificial = edges.find(({ carrier }) => carrier.kind === 'artificial');
  return problem.mode === 'sell' && artificial !== undefined && artificial.flow.input > NOTHING * Number(problem.fixed);
}

/**
 * Gives what a sale has left on the artificial edge to the first of some paths that fits in: a route sells all of the amount, whatever the last of it brings. Paths are those that take the whole amount. The network is then no longer
 * at rest.
 */
export function placeResidual(network: FlowNetwork, paths: readonly SinglePath[]): void {
  const { problem, nodes } = network;
  const artificial = network.edges.find(({ carrier }) => carrier.kind === 'artificial');
  if (artificial === undefined || !hasResidual(network)) return;
  for (const path of paths) {
    const hops = path.hops.map(
      ({ from, to, edge }): ColumnHop => ({
        from,
        to,
        carrier: { kind: 'pair', edge, pair: { from, to, edges: [edge], logPrice: Math.log(edge.startPrice) } },
      }),
    );
    const placed = placeHops(network, hops, 1).map((edge) => network.edges.find((known) => identityOf(known) === identityOf(edge)) ?? edge);
    const fresh = placed.filter((edge) => !network.edges.includes(edge));
    const order = nodeOrder(nodes, [...network.edges, ...fresh]);
    if (order === null || (order.depth[BUY] as number) > problem.maxHops) continue;
    flowThrough(network, placed, artificial.flow.input);
    network.edges = network.edges.filter((edge) => edge !== artificial);
    addEdges(network, fresh);
    orderEdges(network);
    return;
  }
}
