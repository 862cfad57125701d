import { LIMITS } from '../../config/limits.ts';
import { columnToll, type Tolls } from '../gas/tolls.ts';
import type { Column } from './column.ts';
import { columnGain } from './column-gain.ts';
import { type Growth, growNetwork } from './columns.ts';
import { tradeWorth } from './flow-state.ts';
import { Merger } from './merge-column.ts';
import { BUY, connected, copyNetwork, type FlowEdge, type FlowNetwork, hopsOf, identityOf, nodeOrder, restoreNetwork, SELL, tollOf } from './network.ts';
import { reducedGain } from './star-sides.ts';

/** Share of the trade that is not worth another order: a tenth of a basis point. */
const NEGLIGIBLE = 1e-5;
/** Share of the trade with which a column starts at most. */
const START_SHARE = 0.1;

/** What looking at a pair takes, in edges looked at (see pace.ts). */
const READ = 2;

/** A column that the order of the network shuts out, what has to leave for it, and what both bring at most. */
type Exchange = { readonly column: Column; readonly gone: readonly FlowEdge[]; readonly promise: number };

/**
 * Columns join only where the network stays acyclic and within its depth, so that what came first may shut out what is better: an edge between active tokens that pays, though the longest way through it would be too long, or
 * closed. Here such an edge takes the place of those that are in its way, where by duality it may bring more than they do; kept is what leaves more net of tolls. `network` is at rest, and again where this ends.
 */
export function reorder(network: FlowNetwork, growth: Growth, tolls: Tolls): Growth {
  if (growth.stopped !== 'converged' || network.nodes.length > LIMITS.routing.reorderedNodes) return growth;
  let best = growth;
  const net = ({ equilibrium }: Growth) =>
    (network.problem.mode === 'sell' ? equilibrium.amount : -equilibrium.amount) - tollOf(network.nodes, network.edges, tolls);
  let most = net(growth);
  const tried = new Set<string>();
  for (let trial = 0; trial < LIMITS.routing.reorders && network.problem.pace.halted() === null; trial++) {
    const exchange = bestExchange(network, tolls, tried);
    if (exchange === null) return best;
    const { column, gone } = exchange;
    tried.add(pairOf(column.start, column.end));
    const before = copyNetwork(network);
    network.edges = connected(network.edges.filter((edge) => !gone.includes(edge)));
    const whole = tradeWorth(network);
    const { input } = columnGain(column, whole / column.priceFrom);
    if (new Merger(network).merge(column, Math.min(input, (START_SHARE * whole) / column.priceFrom))) {
      const after = growNetwork(network, tolls);
      const left = net(after);
      if (after.equilibrium.atRest && left > most + NEGLIGIBLE * whole) {
        best = { ...after, columns: best.columns + after.columns, rounds: best.rounds + after.rounds };
        most = left;
        // What had to leave does not come back the same way.
        for (const { from, to } of gone) tried.add(pairOf(from, to));
        continue;
      }
    }
    restoreNetwork(network, before);
  }
  return best;
}

function pairOf(start: number, end: number): string {
  return `${start} ${end}`;
}

function bestExchange(network: FlowNetwork, tolls: Tolls, tried: ReadonlySet<string>): Exchange | null {
  const whole = tradeWorth(network);
  const blocks = new Blocks(network);
  const used = new Set<unknown>(network.edges.map(identityOf));
  let best: Exchange | null = null;
  for (const start of network.nodes.keys()) {
    for (const end of network.nodes.keys()) {
      if (tried.has(pairOf(start, end)) || !blocks.isBlocked(start, end)) continue;
      network.problem.pace.spend(READ);
      const column = shutOut(network, start, end, used);
      if (column === null) continue;
      const gain = columnGain(column, whole / column.priceFrom).gain - columnToll(column, tolls);
      for (const gone of [blocks.before(start, end), blocks.behind(start, end)]) {
        const promise = gone === null ? -Infinity : gain - gone.reduce((sum, edge) => sum + reducedGain(network, edge), 0) + tollOf(network.nodes, gone, tolls);
        if (gone !== null && promise > NEGLIGIBLE * whole && (best === null || promise > best.promise)) best = { column, gone, promise };
      }
    }
  }
  return best;
}

/** The edge of a pair of active tokens that gains most at their prices, of those that may join; null where none pays. */
function shutOut(network: FlowNetwork, start: number, end: number, used: ReadonlySet<unknown>): Column | null {
  const { problem, nodes, logPrice } = network;
  const [from, to] = [nodes[start]?.token as number, nodes[end]?.token as number];
  const pair = problem.market.pair(problem.view, from, to);
  const [priceFrom, priceTo] = [Math.exp(logPrice[start] as number), Math.exp(logPrice[end] as number)];
  const whole = tradeWorth(network);
  let best: Column | null = null;
  let most = 0;
  for (const edge of pair?.edges.slice(0, LIMITS.routing.reorderedEdges) ?? []) {
    if (pair === null || edge.startPrice * priceTo <= priceFrom) break;
    if (used.has(edge) || problem.admits?.(edge.pool) === false || problem.market.models.star(edge.pool) !== null) continue;
    const column: Column = { hops: [{ from, to, carrier: { kind: 'pair', edge, pair } }], start, end, priceFrom, priceTo };
    const { gain } = columnGain(column, whole / priceFrom);
    if (gain > most) [best, most] = [column, gain];
  }
  return best;
}

/** What is in the way of an edge between two active tokens. */
class Blocks {
  readonly #network: FlowNetwork;
  readonly #depth: Int16Array;
  /** By node: the longest chain of hops to the buy token, and the nodes that lead to it. */
  readonly #tail: Int16Array;
  readonly #leading: readonly Set<number>[];

  constructor(network: FlowNetwork) {
    const order = nodeOrder(network.nodes, network.edges);
    if (order === null) throw new TypeError('the active network has a cycle');
    this.#network = network;
    this.#depth = order.depth;
    this.#tail = new Int16Array(network.nodes.length);
    this.#leading = network.nodes.map(() => new Set<number>());
    for (const node of order.order.toReversed()) {
      for (const edge of order.leaving[node] ?? []) this.#tail[node] = Math.max(this.#tail[node] as number, (this.#tail[edge.to] as number) + hopsOf(edge));
    }
    for (const node of order.order) {
      for (const { to } of order.leaving[node] ?? []) {
        for (const before of this.#leading[node] as Set<number>) this.#leading[to]?.add(before);
        this.#leading[to]?.add(node);
      }
    }
  }

  isBlocked(start: number, end: number): boolean {
    const { nodes } = this.#network;
    if (start === end || start === BUY || end === SELL || nodes[start]?.star !== null || nodes[end]?.star !== null) return false;
    if ((this.#depth[start] as number) < 0 || (this.#depth[end] as number) < 0) return false;
    return this.#isTooLong(this.#depth[start] as number, this.#tail[end] as number) || this.#leads(end, start);
  }

  /** Edges into the start without which it is near enough to the sell token; null where that leaves none. */
  before(start: number, end: number): readonly FlowEdge[] | null {
    return this.#partOf(
      (edge) => edge.to === start,
      (edge) =>
        edge.from === end || this.#leads(end, edge.from) || this.#isTooLong((this.#depth[edge.from] as number) + hopsOf(edge), this.#tail[end] as number),
    );
  }

  /** Edges out of the end without which it is near enough to the buy token; null where that leaves none. */
  behind(start: number, end: number): readonly FlowEdge[] | null {
    return this.#partOf(
      (edge) => edge.from === end,
      (edge) =>
        edge.to === start || this.#leads(edge.to, start) || this.#isTooLong(this.#depth[start] as number, (this.#tail[edge.to] as number) + hopsOf(edge)),
    );
  }

  #partOf(isCandidate: (edge: FlowEdge) => boolean, isInTheWay: (edge: FlowEdge) => boolean): readonly FlowEdge[] | null {
    const candidates = this.#network.edges.filter((edge) => edge.carrier.kind !== 'artificial' && isCandidate(edge));
    const gone = candidates.filter(isInTheWay);
    return gone.length < candidates.length ? gone : null;
  }

  #leads(from: number, to: number): boolean {
    return this.#leading[to]?.has(from) ?? false;
  }

  #isTooLong(depth: number, tail: number): boolean {
    return depth + 1 + tail > this.#network.problem.maxHops;
  }
}
