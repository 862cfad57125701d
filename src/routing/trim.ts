import { connected, edgeSurplus, type Network, type NetworkEdge } from './network.ts';

/** Takes out the edges that earn least beyond so many. Returns what it took out; the network is then no longer at rest. */
export function trimNetwork(network: Network, mostEdges: number): NetworkEdge[] {
  if (network.edges.length <= mostEdges) return [];
  const ranked = network.edges.map((edge) => ({ edge, surplus: edgeSurplus(network, edge) })).sort((a, b) => b.surplus - a.surplus);
  const staying = new Set(ranked.slice(0, mostEdges).map(({ edge }) => edge));
  const kept = connected(network.edges.filter((edge) => staying.has(edge)));
  if (kept.length === 0) return [];
  const gone = network.edges.filter((edge) => !kept.includes(edge));
  network.edges.splice(0, network.edges.length, ...kept);
  return gone;
}
