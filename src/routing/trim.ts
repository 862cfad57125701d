import { LIMITS } from '../config/limits.ts';
import { curveGas } from './curves/curves.ts';
import { connected, type Network, type NetworkEdge } from './network.ts';

/** What an edge earns at the current prices: what taking it out costs at least, by duality. */
export function edgeSurplus({ logPrice }: Network, { from, to, flow }: NetworkEdge): number {
  return flow.output * Math.exp(logPrice[to] as number) - flow.input * Math.exp(logPrice[from] as number);
}

/**
 * Takes out the edges that earn least until the network fits into one transaction: so many hops, and so much gas. Returns what it took out; the network is
 * then no longer at rest.
 */
export function trimNetwork(network: Network, mostEdges: number): NetworkEdge[] {
  const ranked = network.edges.map((edge) => ({ edge, surplus: edgeSurplus(network, edge) })).sort((a, b) => b.surplus - a.surplus);
  const staying = new Set<NetworkEdge>();
  let gas = 0;
  for (const { edge } of ranked) {
    gas += curveGas(edge.curve, edge.flow.input);
    if (staying.size >= mostEdges || gas > LIMITS.routing.routeGas) break;
    staying.add(edge);
  }
  if (staying.size === network.edges.length) return [];
  const kept = connected(network.edges.filter((edge) => staying.has(edge)));
  const gone = network.edges.filter((edge) => !kept.includes(edge));
  if (kept.length > 0) network.edges.splice(0, network.edges.length, ...kept);
  return kept.length > 0 ? gone : [];
}
