import type { Curve } from '../snapshot/snapshot.ts';
import { type CurveFlow, emptyFlow } from './curves/flow.ts';
import type { EdgeModel } from './pool-models.ts';
import { BUY, SELL, type Subgraph } from './subgraph.ts';

/** An edge of the active DAG with what it carries. `model` is null for the stand-in that takes what real edges can not (see split.ts). */
export type NetworkEdge = {
  readonly from: number;
  readonly to: number;
  readonly curve: Curve;
  readonly model: EdgeModel | null;
  readonly flow: CurveFlow;
};

/**
 * The active DAG: the edges that may carry flow, over token prices. A price is the worth of a base unit in base units of the buy token (sell) or the sell
 * token (buy), kept as a logarithm.
 */
export type Network = {
  readonly graph: Subgraph;
  /** In canonical order (addresses, then pool key): float sums do not depend on ids or on the order of discovery. */
  readonly edges: NetworkEdge[];
  readonly logPrice: Float64Array;
};

export function createNetwork(graph: Subgraph): Network {
  return { graph, edges: [], logPrice: new Float64Array(graph.tokens.length) };
}

export function networkEdge(from: number, to: number, model: EdgeModel): NetworkEdge {
  return { from, to, curve: model.curve, model, flow: emptyFlow() };
}

/** Inserts in canonical order. */
export function addEdge(network: Network, edge: NetworkEdge): void {
  let at = network.edges.length;
  while (at > 0 && compareEdges(network.graph, network.edges[at - 1] as NetworkEdge, edge) > 0) at--;
  network.edges.splice(at, 0, edge);
}

export function copyNetwork(network: Network, edges: readonly NetworkEdge[]): Network {
  return {
    graph: network.graph,
    edges: edges.map((edge) => ({ ...edge, flow: { ...edge.flow } })),
    logPrice: network.logPrice.slice(),
  };
}

/** Puts a network back to what a copy kept. */
export function restoreNetwork(network: Network, copy: Network): void {
  network.edges.splice(0, network.edges.length, ...copy.edges);
  network.logPrice.set(copy.logPrice);
}

/** What leaves each token, base units. */
export function outflows(edges: readonly NetworkEdge[]): Map<number, number> {
  const totals = new Map<number, number>();
  for (const edge of edges) totals.set(edge.from, (totals.get(edge.from) ?? 0) + edge.flow.input);
  return totals;
}

/** What an edge earns at the current prices: what taking it out costs at least, by duality. */
export function edgeSurplus({ logPrice }: Network, { from, to, flow }: NetworkEdge): number {
  return flow.output * Math.exp(logPrice[to] as number) - flow.input * Math.exp(logPrice[from] as number);
}

/** The edges that lie on a path from sell to buy among those given. */
export function connected(edges: readonly NetworkEdge[]): NetworkEdge[] {
  const fromSell = spread(edges, SELL, (edge) => [edge.from, edge.to]);
  const toBuy = spread(edges, BUY, (edge) => [edge.to, edge.from]);
  return edges.filter((edge) => fromSell.has(edge.from) && toBuy.has(edge.to));
}

function spread(edges: readonly NetworkEdge[], start: number, ends: (edge: NetworkEdge) => readonly [number, number]): Set<number> {
  const met = new Set([start]);
  for (let size = 0; size !== met.size; ) {
    size = met.size;
    for (const edge of edges) {
      const [here, there] = ends(edge);
      if (met.has(here)) met.add(there);
    }
  }
  return met;
}

/**
 * The tokens of the edges in an order in which every edge leads onwards, with the longest path from sell to each; null where the edges have a cycle.
 * Ties in the order are broken by address.
 */
export function tokenOrder(
  graph: Pick<Subgraph, 'addresses'>,
  edges: readonly NetworkEdge[],
): { readonly order: readonly number[]; readonly depth: ReadonlyMap<number, number> } | null {
  const waiting = new Map<number, number>();
  for (const edge of edges) {
    waiting.set(edge.to, (waiting.get(edge.to) ?? 0) + 1);
    if (!waiting.has(edge.from)) waiting.set(edge.from, 0);
  }
  const depth = new Map<number, number>();
  const ready = [...waiting.keys()].filter((token) => waiting.get(token) === 0);
  for (const token of ready) depth.set(token, 0);
  const order: number[] = [];
  while (ready.length > 0) {
    ready.sort((a, b) => ((graph.addresses[a] ?? '') < (graph.addresses[b] ?? '') ? -1 : 1));
    const token = ready.shift() as number;
    order.push(token);
    for (const edge of edges) {
      if (edge.from !== token) continue;
      depth.set(edge.to, Math.max(depth.get(edge.to) ?? 0, (depth.get(token) ?? 0) + 1));
      const left = (waiting.get(edge.to) ?? 0) - 1;
      waiting.set(edge.to, left);
      if (left === 0) ready.push(edge.to);
    }
  }
  return order.length === waiting.size ? { order, depth } : null;
}

function compareEdges(graph: Subgraph, a: NetworkEdge, b: NetworkEdge): number {
  return (
    compareText(graph.addresses[a.from], graph.addresses[b.from]) ||
    compareText(graph.addresses[a.to], graph.addresses[b.to]) ||
    compareText(a.model?.pool.key, b.model?.pool.key)
  );
}

function compareText(a = '', b = ''): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
