import { LIMITS } from '../../config/limits.ts';
import { curveOutput } from '../../curves/curves.ts';
import type { Tolls } from '../gas/tolls.ts';
import { type Column, type ColumnHop, columnToll, curveOf } from './column.ts';
import { columnGain } from './column-gain.ts';
import { type Growth, growNetwork, settle } from './columns.ts';
import type { Equilibrium } from './equilibrate.ts';
import { type FoundColumns, findAll, findShutOut } from './find-columns.ts';
import { tradeWorth } from './flow-state.ts';
import { mostInto } from './judge-columns.ts';
import { type Levels, type Link, levelsFor, serves } from './levels.ts';
import { Merger } from './merge-column.ts';
import { netWorth } from './net-worth.ts';
import { BUY, connected, copyNetwork, type FlowEdge, type FlowNetwork, hopsOf, nodeOrder, restoreNetwork, tollOf } from './network.ts';
import { reducedGain } from './star-sides.ts';

/** Share of the trade that is not worth another order: a tenth of a basis point. */
const NEGLIGIBLE = 1e-5;
/** Share of the trade that an order may bring less before it grows, or a tenth of what it promises. */
const SHORT = 2e-4;
/** Share of the trade by which ways on are compared that gain nothing, and what one counts for at most, as a share of what is negligible. */
const PART = 1e-2;
const HINT = 1e-3;

/**
 * Columns join only where the network stays acyclic and within its depth, so that what came first may shut out what is better: edges between active nodes that pay, though the longest way through them would be too long, or
 * closed. Here the network is tried in other orders, in which such edges serve and others do not, where by duality that may bring more; kept is what leaves more net of tolls. `network` is at rest, and again where this ends.
 */
export function reorder(network: FlowNetwork, growth: Growth, tolls: Tolls): Growth {
  const { reorders, reorderedNodes, reorderedEdges } = LIMITS.routing;
  if (growth.stopped !== 'converged' || network.nodes.length > reorderedNodes || network.edges.length > reorderedEdges) return growth;
  let best = growth;
  const net = (equilibrium: Equilibrium) => netWorth(network, equilibrium, tolls);
  let most = net(growth.equilibrium);
  let orders = otherOrders(network, tolls);
  for (let trial = 0; trial < reorders && network.problem.pace.halted() === null; trial++) {
    const order = orders.shift();
    if (order === undefined) return best;
    const before = copyNetwork(network);
    const whole = tradeWorth(network);
    network.edges = [...order.staying, ...network.edges.filter(({ carrier }) => carrier.kind === 'artificial')];
    const merger = new Merger(network, whole);
    for (const { column, input } of order.joining) merger.merge(column, input);
    network.edges = connected(network.edges);
    const rest = settle(network);
    // What brings less before it grows seldom brings more after: growing takes most of the time.
    const after = rest.atRest && net(rest) > most - Math.max(SHORT * whole, order.promise / 10) ? growNetwork(network, tolls) : null;
    const value = after === null ? Number.NEGATIVE_INFINITY : net(after.equilibrium);
    if (after?.equilibrium.atRest && value > most + NEGLIGIBLE * whole) {
      best = { ...after, columns: best.columns + after.columns, rounds: best.rounds + after.rounds };
      most = value;
      orders = otherOrders(network, tolls);
    } else restoreNetwork(network, before);
  }
  return best;
}

/** A column of one edge, and the input from which it gains most. */
type Unused = Link & { readonly pays: boolean; readonly column: Column; readonly input: number };
type InUse = Link & { readonly edge: FlowEdge };

/** All that may lead from one node to another, as one link. */
type Group = Link & { worth: number; readonly members: (InUse | Unused)[] };

/** Another order: what stays and what joins in it, and by how much more the prices of now say that it brings at most. */
type Order = { readonly name: string; readonly staying: readonly FlowEdge[]; readonly joining: readonly Unused[]; readonly promise: number };

/** Orders at which one of the edges that are shut out serves: those that promise most. */
function otherOrders(network: FlowNetwork, tolls: Tolls): Order[] {
  const { nodes, edges, problem } = network;
  const least = NEGLIGIBLE * tradeWorth(network);
  const shutOut = unusedOf(network, tolls, findShutOut(network, tolls));
  if (!shutOut.some(({ worth }) => worth > least)) return [];
  const real = edges.filter(({ carrier }) => carrier.kind !== 'artificial');
  const inUse = real.map((edge): InUse => {
    return { from: edge.from, to: edge.to, hops: hopsOf(edge), worth: Math.max(0, reducedGain(network, edge) - tollOf(nodes, [edge], tolls)), edge };
  });
  const groups = grouped(nodes.length, [...inUse, ...unusedOf(network, tolls, findAll(network, tolls))]);
  const linked = linksByNode(nodes.length, groups);
  const start = nodeOrder(nodes, real)?.depth as Levels;
  start[BUY] = problem.maxHops;
  const now = sumOf(inUse);
  const promising: { readonly serving: readonly Group[]; readonly promise: number }[] = [];
  for (const wanted of shutOut.slice(0, LIMITS.routing.reorderedBy)) {
    for (let level = 0; level < problem.maxHops; level++) {
      const levels = levelsFor(wanted, level, start, nodes, linked, problem.maxHops);
      if (levels === null) continue;
      problem.pace.spend(groups.length);
      const serving = connected(groups.filter((group) => serves(levels, group)));
      const promise = sumOf(serving) - now;
      if (promise > least) promising.push({ serving, promise });
    }
  }
  const orders = new Map<string, Order>();
  let last = Number.NaN;
  for (const { serving, promise } of promising.sort((a, b) => b.promise - a.promise)) {
    if (orders.size === LIMITS.routing.ordersTried) break;
    // The same sum is the same links.
    if (promise === last) continue;
    last = promise;
    const order = orderOf(
      serving.flatMap(({ members }) => members),
      promise,
    );
    if (!orders.has(order.name)) orders.set(order.name, order);
  }
  return [...orders.values()];
}

function grouped(count: number, links: readonly (InUse | Unused)[]): readonly Group[] {
  const groups = new Map<number, Group>();
  for (const link of links) {
    const { from, to, hops, worth } = link;
    const key = 2 * (from * count + to) + hops;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { from, to, hops, worth, members: [link] });
    else {
      known.worth += worth;
      known.members.push(link);
    }
  }
  return [...groups.values()];
}

/** What stays and joins of the links that serve: of those that gain nothing only what leads on from where nothing else does, or there. */
function orderOf(serving: readonly (InUse | Unused)[], promise: number): Order {
  const chosen = new Set(serving.filter((link) => 'edge' in link || link.pays));
  for (const end of ['from', 'to'] as const) {
    const open = new Set([...chosen].map((link) => link[end === 'from' ? 'to' : 'from']));
    for (const link of chosen) open.delete(link[end]);
    for (const node of open) {
      const best = serving.find((link) => link[end] === node);
      if (best !== undefined) chosen.add(best);
    }
  }
  const staying: FlowEdge[] = [];
  const joining: Unused[] = [];
  for (const link of chosen) {
    if ('edge' in link) staying.push(link.edge);
    else joining.push(link);
  }
  return { name: [...chosen].map(({ from, to, hops }) => `${from}-${to}:${hops}`).join(' '), staying, joining, promise };
}

/** Columns of one edge as links, by what they gain more than their toll. One that gains nothing is a way on from what an order cuts off: of orders alike the one counts that leaves most of them. */
function unusedOf(network: FlowNetwork, tolls: Tolls, { columns }: FoundColumns): readonly Unused[] {
  const whole = tradeWorth(network);
  return columns
    .map((column): Unused => {
      const { gain, input } = columnGain(column, mostInto(network, column, whole));
      const kind = column.hops[0]?.carrier.kind;
      const left = gain - columnToll(column, tolls);
      const worth = Math.max(left, HINT * NEGLIGIBLE * whole * partKept(column, whole));
      return { from: column.start, to: column.end, hops: kind === 'deposit' ? 0 : 1, worth, pays: left > 0, column, input };
    })
    .sort((a, b) => b.worth - a.worth);
}

/** What a part of the trade is worth behind a column of one edge, at most all of it: of dust little, at any price. */
function partKept({ hops, priceFrom, priceTo }: Column, whole: number): number {
  const curve = curveOf(hops[0] as ColumnHop);
  const part = PART * whole;
  return Math.min(1, (curveOutput(curve, Math.min(part / priceFrom, curve.capacity)) * priceTo) / part);
}

function linksByNode(count: number, links: readonly Link[]): readonly (readonly Link[])[] {
  const byNode = Array.from({ length: count }, (): Link[] => []);
  for (const link of links) for (const node of [link.from, link.to]) byNode[node]?.push(link);
  return byNode;
}

function sumOf(links: Iterable<Link>): number {
  let sum = 0;
  for (const { worth } of links) sum += worth;
  return sum;
}
