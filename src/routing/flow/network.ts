import { type CurveFlow, curveGas, emptyFlow, type FlowCurve } from '../../curves/curves.ts';
import type { Curve, PoolView } from '../../snapshot/snapshot.ts';
import { isTolled, type Tolls } from '../gas/tolls.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Star, StarArc } from '../market/star.ts';
import type { Problem } from '../problem.ts';

/** A token, or the hub of a pool that serves several pairs (see market/star.ts). */
export type FlowNode = {
  /** Snapshot id; −1 for a hub. */
  readonly token: number;
  readonly star: Star | null;
  /** Lower-case address, or the hub's pool key: ties are broken by it, so that ids do not matter. */
  readonly name: string;
};

/** What carries an edge: one pair of a pool, one side of a star, or nothing real. */
export type Carrier =
  | { readonly kind: 'pair'; readonly edge: EdgeModel }
  | { readonly kind: 'deposit' | 'withdrawal'; readonly arc: StarArc }
  | { readonly kind: 'artificial' };

/** An edge of the active network with what it carries. `from` and `to` are places in the list of nodes. */
export type FlowEdge = {
  readonly from: number;
  readonly to: number;
  readonly carrier: Carrier;
  readonly curve: FlowCurve;
  readonly flow: CurveFlow;
};

/**
 * The active network: a directed acyclic graph of the edges that may carry flow, over prices. A price is the worth of a base unit in base units of the token whose amount is sought (the buy
 * token for sell, the sell token for buy), kept as a logarithm.
 */
export type FlowNetwork = {
  readonly problem: Problem;
  /** The first is the sell token, the second the buy token. */
  readonly nodes: FlowNode[];
  readonly logPrice: number[];
  /** In canonical order (names, then pool key): float sums do not depend on ids or on the order of discovery. */
  edges: readonly FlowEdge[];
};

export const SELL = 0;
export const BUY = 1;

export function createNetwork(problem: Problem): FlowNetwork {
  const tokenNode = (token: number): FlowNode => ({ token, star: null, name: problem.view.token(token).address });
  return { problem, nodes: [tokenNode(problem.sell), tokenNode(problem.buy)], logPrice: [0, 0], edges: [] };
}

/** The place of a token; it is added with this price where it is new. */
export function nodeOfToken(network: FlowNetwork, token: number, logPrice: number): number {
  for (let place = 0; place < network.nodes.length; place++) if (network.nodes[place]?.token === token) return place;
  network.logPrice.push(logPrice);
  return network.nodes.push({ token, star: null, name: network.problem.view.token(token).address }) - 1;
}

export function addHub(network: FlowNetwork, star: Star, logPrice: number): number {
  network.logPrice.push(logPrice);
  return network.nodes.push({ token: -1, star, name: star.pool.key }) - 1;
}

/** A copy that shares nothing that changes. */
export function copyNetwork(network: FlowNetwork): FlowNetwork {
  return {
    problem: network.problem,
    nodes: [...network.nodes],
    logPrice: [...network.logPrice],
    edges: network.edges.map(copyEdge),
  };
}

/** The same edge with a flow of its own. */
export function copyEdge({ from, to, carrier, curve, flow }: FlowEdge): FlowEdge {
  return { from, to, carrier, curve, flow: { input: flow.input, output: flow.output } };
}

/** Puts a network back to what a copy kept. */
export function restoreNetwork(network: FlowNetwork, copy: FlowNetwork): void {
  network.nodes.splice(0, network.nodes.length, ...copy.nodes);
  network.logPrice.splice(0, network.logPrice.length, ...copy.logPrice);
  network.edges = copy.edges;
}

export function flowEdge(from: number, to: number, carrier: Carrier & { readonly kind: 'pair' | 'deposit' | 'withdrawal' }): FlowEdge {
  return { from, to, carrier, curve: carrier.kind === 'pair' ? carrier.edge.curve : carrier.arc.curve, flow: emptyFlow() };
}

/** Adds edges behind those that are there: whoever is done adding puts them in order. */
export function addEdges(network: FlowNetwork, added: readonly FlowEdge[]): void {
  network.edges = [...network.edges, ...added];
}

export function isReal({ carrier }: FlowEdge): boolean {
  return carrier.kind !== 'artificial';
}

export function artificialOf({ edges }: FlowNetwork): FlowEdge | undefined {
  return edges.find((edge) => !isReal(edge));
}

/** Takes out the real edges that are not to stay, and what leads nowhere without them. False, with nothing done, where that leaves no real edge. */
export function thinOut(network: FlowNetwork, stays: (edge: FlowEdge) => boolean): boolean {
  const kept = connected(network.edges.filter((edge) => !isReal(edge) || stays(edge)));
  if (!kept.some(isReal)) return false;
  network.edges = kept;
  return true;
}

/** Puts the edges in canonical order. */
export function orderEdges(network: FlowNetwork): void {
  network.edges = [...network.edges].sort((a, b) => compareEdges(network.nodes, a, b));
}

export function poolOf({ carrier }: FlowEdge): PoolView | null {
  if (carrier.kind === 'artificial') return null;
  return carrier.kind === 'pair' ? carrier.edge.pool : carrier.arc.pool;
}

/** Identity of what carries an edge: pairs and arcs are the same objects as long as the pool's state is the same. */
export function identityOf({ carrier }: FlowEdge): EdgeModel | StarArc | null {
  return carrier.kind === 'pair' ? carrier.edge : carrier.kind === 'artificial' ? null : carrier.arc;
}

/** Hops of the route that an edge stands for: a swap through a star is one, counted where it leaves the hub. */
export function hopsOf({ carrier }: FlowEdge): 0 | 1 {
  return carrier.kind === 'pair' || carrier.kind === 'withdrawal' ? 1 : 0;
}

/** By node: what leaves it over real edges, in its units. */
export function outflows(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): Float64Array {
  const totals = new Float64Array(nodes.length);
  for (const { from, flow, carrier } of edges) if (carrier.kind !== 'artificial') totals[from] = (totals[from] as number) + flow.input;
  return totals;
}

/** Gas units of the hops that edges stand for. A star is entered once less often than it has sides: each share of a deposit that goes to a withdrawal is a swap. */
export function gasOf(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): number {
  let gas = 0;
  for (const { curve, carrier, flow, from, to } of edges) {
    if (carrier.kind === 'pair') gas += curveGas(curve as Curve, flow.input);
    else if (carrier.kind !== 'artificial') gas += nodes[carrier.kind === 'deposit' ? to : from]?.star?.gas ?? 0;
  }
  return gas - starsIn(nodes, edges).reduce((sum, star) => sum + star.gas, 0);
}

/** The same as a cost. */
export function tollOf(nodes: readonly FlowNode[], edges: readonly FlowEdge[], tolls: Tolls): number {
  if (!isTolled(tolls)) return 0;
  let hops = -starsIn(nodes, edges).length;
  for (const { carrier } of edges) if (carrier.kind !== 'artificial') hops++;
  return tolls.perHop * hops + (tolls.perGas === 0 ? 0 : tolls.perGas * gasOf(nodes, edges));
}

function starsIn(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): Star[] {
  const hubs = new Set<number>();
  for (const { to, carrier } of edges) if (carrier.kind === 'deposit') hubs.add(to);
  return [...hubs].flatMap((hub) => nodes[hub]?.star ?? []);
}

/** The edges that lie on a path from sell to buy among those given. */
export function connected<T extends Pick<FlowEdge, 'from' | 'to'>>(edges: readonly T[]): readonly T[] {
  const count = edges.reduce((most, { from, to }) => Math.max(most, from + 1, to + 1), BUY + 1);
  const [fromSell, toBuy] = [new Uint8Array(count), new Uint8Array(count)];
  fromSell[SELL] = toBuy[BUY] = 1;
  for (let grew = true; grew; ) {
    grew = false;
    for (const { from, to } of edges) {
      if (fromSell[from] === 1 && fromSell[to] === 0) {
        fromSell[to] = 1;
        grew = true;
      }
      if (toBuy[to] === 1 && toBuy[from] === 0) {
        toBuy[from] = 1;
        grew = true;
      }
    }
  }
  const kept = edges.filter((edge) => fromSell[edge.from] === 1 && toBuy[edge.to] === 1);
  return kept.length === edges.length ? edges : kept;
}

/** An order of nodes in which every edge leads onwards; by node: the longest chain of hops from sell (−1 where no edge is), and the edges that leave it. */
export type NodeOrder = { readonly order: readonly number[]; readonly depth: Int16Array; readonly leaving: readonly (readonly FlowEdge[])[] };

/** Null where the edges have a cycle. Ties in the order are broken by name. */
export function nodeOrder(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): NodeOrder | null {
  const waiting = new Int16Array(nodes.length);
  const depth = new Int16Array(nodes.length).fill(-1);
  const leaving: FlowEdge[][] = nodes.map(() => []);
  for (const edge of edges) {
    waiting[edge.to] = (waiting[edge.to] as number) + 1;
    leaving[edge.from]?.push(edge);
    depth[edge.from] = depth[edge.to] = 0;
  }
  const ready: number[] = [];
  for (let node = 0; node < nodes.length; node++) if (depth[node] === 0 && waiting[node] === 0) ready.push(node);
  const order: number[] = [];
  while (ready.length > 0) {
    const node = ready.splice(firstByName(nodes, ready), 1)[0] as number;
    order.push(node);
    for (const edge of leaving[node] ?? []) {
      depth[edge.to] = Math.max(depth[edge.to] as number, (depth[node] as number) + hopsOf(edge));
      waiting[edge.to] = (waiting[edge.to] as number) - 1;
      if (waiting[edge.to] === 0) ready.push(edge.to);
    }
  }
  return waiting.every((left) => left === 0) ? { order, depth, leaving } : null;
}

function firstByName(nodes: readonly FlowNode[], some: readonly number[]): number {
  let first = 0;
  for (let at = 1; at < some.length; at++) {
    if ((nodes[some[at] as number] as FlowNode).name < (nodes[some[first] as number] as FlowNode).name) first = at;
  }
  return first;
}

/** Whether edges have no cycle and no chain of more hops than some: in each pass the longest chains grow by an edge, and those of a cycle without end. */
export function keepsDepth(nodes: readonly FlowNode[], edges: readonly FlowEdge[], mostHops: number): boolean {
  const depth = new Int16Array(nodes.length);
  for (let grew = true; grew; ) {
    grew = false;
    for (const edge of edges) {
      const reached = (depth[edge.from] as number) + hopsOf(edge);
      if (reached <= (depth[edge.to] as number)) continue;
      if (reached > mostHops) return false;
      depth[edge.to] = reached;
      grew = true;
    }
  }
  return true;
}

function compareEdges(nodes: readonly FlowNode[], a: FlowEdge, b: FlowEdge): number {
  return (
    compareText(nodes[a.from]?.name, nodes[b.from]?.name) || compareText(nodes[a.to]?.name, nodes[b.to]?.name) || compareText(poolOf(a)?.key, poolOf(b)?.key)
  );
}

function compareText(a = '', b = ''): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
