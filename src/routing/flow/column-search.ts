import { LIMITS } from '../../config/limits.ts';
import type { SnapshotView } from '../../snapshot/snapshot.ts';
import type { Tolls } from '../gas/tolls.ts';
import type { MarketPair } from '../market/market.ts';
import type { Neighbours } from '../market/neighbours.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Problem } from '../problem.ts';
import { type Column, type ColumnHop, carrierOf } from './column.ts';
import { tradeWorth } from './flow-state.ts';
import { BUY, type FlowNetwork, type FlowNode, hopsOf, identityOf, nodeOrder } from './network.ts';
import type { SetAside } from './set-aside.ts';

/** A column pays when it beats the prices by this: on all of the trade it would then gain a 500th of a basis point, and floats that should be equal differ by less. */
const PAYS = 2e-7;

/** `read`: how many pairs and edges were looked at. `isOpen`: whether an edge may join. */
export type FoundColumns = { readonly columns: readonly Column[]; readonly read: number; readonly isOpen: (edge: EdgeModel) => boolean };

/**
 * Columns whose product of start prices beats the prices of their ends: edges beside those in use, found pair by pair of active nodes, and chains over tokens that are not active, found from both ends.
 * Backwards, each active token spreads what a unit of it is worth over the pairs that lead to it; forwards, each spreads what a unit costs; where worth exceeds cost, the two make a column. Pairs are read in the order of what
 * they keep of the value by reference prices, with the toll of a hop as a share of the whole trade on top (no column carries more than that), so that the neighbours of a hub that can not pay are not looked at; of those that can, the best so many. Levels keep the longest chain within maxHops.
 */
export function findColumns(network: FlowNetwork, tolls: Tolls, setAside: SetAside): FoundColumns {
  const search = new ColumnSearch(network, tolls, setAside);
  search.betweenActive();
  if (network.problem.maxHops > 1) {
    search.spreadWorth();
    search.spreadCost();
  }
  return { columns: search.found, read: search.read, isOpen: (edge) => search.isOpen(edge) };
}

/** What is known of an inactive token at one level. */
type Label = {
  readonly token: number;
  /** Logarithm of worth, or of cost. */
  readonly value: number;
  readonly hop: ColumnHop;
  /** The label at the hop's other end, or null where that is an active node. */
  readonly next: Label | null;
  /** The active node that it comes from. */
  readonly node: number;
};

type Level = Map<number, Label>;

class ColumnSearch {
  readonly found: Column[] = [];
  read = 0;
  readonly #network: FlowNetwork;
  readonly #problem: Problem;
  readonly #view: SnapshotView;
  readonly #setAside: SetAside;
  readonly #used = new Set<unknown>();
  /** Pools that serve as stars: their pairs are closed, their arcs open. */
  readonly #starred = new Set<number>();
  /** Place of the node, by token that is active. */
  readonly #nodeOf = new Map<number, number>();
  readonly #active: readonly number[];
  /** By node: longest chain of hops from sell, and the level that it may have at most. */
  readonly #depth: Int16Array;
  readonly #latest: Int16Array;
  /** By node, in rows of as many bytes as there are nodes: 1 for each node that leads to it. */
  readonly #ancestors: Uint8Array;
  /** Worth of inactive tokens that may have this level at most. */
  readonly #worth: Level[];
  /** Costs of inactive tokens at this level that were met from the far end of a pair. */
  readonly #started: Level[];
  /** What a unit of gas, and a hop, cost as a share of the trade. */
  readonly #gasShare: number;
  readonly #hopShare: number;
  /** Least and largest price of an active token, by reference prices. */
  #lowest = Infinity;
  #highest = -Infinity;

  constructor(network: FlowNetwork, tolls: Tolls, setAside: SetAside) {
    const whole = tradeWorth(network);
    this.#gasShare = tolls.perGas / whole;
    this.#hopShare = tolls.perHop / whole;
    this.#network = network;
    this.#problem = network.problem;
    this.#view = network.problem.view;
    this.#setAside = setAside;
    const order = nodeOrder(network.nodes, network.edges);
    if (order === null) throw new TypeError('the active network has a cycle');
    this.#depth = order.depth;
    this.#active = order.order;
    const { maxHops, prices } = network.problem;
    const count = network.nodes.length;
    this.#latest = new Int16Array(count).fill(-1);
    this.#ancestors = new Uint8Array(count * count);
    for (const node of order.order.toReversed()) {
      let latest = node === BUY ? maxHops : maxHops - 1;
      for (const edge of order.leaving[node] ?? []) {
        if (edge.carrier.kind !== 'artificial') latest = Math.min(latest, (this.#latest[edge.to] as number) - hopsOf(edge));
      }
      this.#latest[node] = latest;
    }
    for (const node of order.order) {
      for (const { to } of order.leaving[node] ?? []) {
        for (let other = 0; other < count; other++) if (this.#ancestors[node * count + other] === 1) this.#ancestors[to * count + other] = 1;
        this.#ancestors[to * count + node] = 1;
      }
      const { token, star } = network.nodes[node] as FlowNode;
      if (star !== null) {
        this.#starred.add(star.pool.id);
        continue;
      }
      this.#nodeOf.set(token, node);
      const relative = (network.logPrice[node] as number) - prices.of(token);
      if (relative < this.#lowest) this.#lowest = relative;
      if (relative > this.#highest) this.#highest = relative;
    }
    // Without reference prices nothing is left out.
    if (!(this.#lowest <= this.#highest)) [this.#lowest, this.#highest] = [-Infinity, Infinity];
    for (const edge of network.edges) {
      const carrier = identityOf(edge);
      if (carrier !== null) this.#used.add(carrier);
    }
    this.#worth = Array.from({ length: maxHops + 1 }, () => new Map());
    this.#started = Array.from({ length: maxHops + 1 }, () => new Map());
  }

  /** Pools beside those in use, and arcs of stars to tokens in use. */
  betweenActive(): void {
    const { nodes } = this.#network;
    for (const from of this.#active) {
      const source = nodes[from] as FlowNode;
      for (const to of this.#active) {
        if (from === to || to === 0) continue;
        const target = nodes[to] as FlowNode;
        const hops = source.star !== null && target.star !== null ? null : target.star !== null ? 0 : 1;
        if (hops === null || !this.#fits(from, to, hops)) continue;
        if (source.star === null && target.star === null) this.#parallel(from, to, source.token, target.token);
        else this.#arcs(from, to);
      }
    }
  }

  /** Backwards from the active tokens, over inactive ones, by the level that each may have at most. */
  spreadWorth(): void {
    const { logPrice, nodes, problem } = this.#network;
    for (let level = problem.maxHops; level >= 2; level--) {
      for (const node of this.#active) {
        if (this.#latest[node] !== level) continue;
        const { token, star } = nodes[node] as FlowNode;
        if (star === null) this.#spreadWorthOf(token, logPrice[node] as number, level, null, node);
        else this.#spreadWorthOfHub(node, logPrice[node] as number, level);
      }
      for (const label of (this.#worth[level] as Level).values()) this.#spreadWorthOf(label.token, label.value, level, label, label.node);
    }
    for (const node of this.#active) {
      // A hub is entered without a hop, so it may be reached from the last level too.
      if (this.#latest[node] === 1 && nodes[node]?.star !== null) this.#spreadWorthOfHub(node, logPrice[node] as number, 1);
    }
  }

  /** Forwards from the active nodes, level by level, until a token is met whose worth is known to exceed its cost. */
  spreadCost(): void {
    const { logPrice, nodes, problem } = this.#network;
    let reached: Level = new Map();
    for (let level = 0; level < problem.maxHops; level++) {
      const next: Level = new Map();
      for (const label of (this.#started[level + 1] as Level).values()) this.#meet(label, level + 1, next);
      for (const node of this.#active) {
        if (node === BUY || this.#depth[node] !== level) continue;
        const { token, star } = nodes[node] as FlowNode;
        if (star === null) this.#spreadCostOf(token, logPrice[node] as number, level, null, node, next);
        else this.#spreadCostOfHub(node, logPrice[node] as number, level, next);
      }
      for (const label of reached.values()) this.#spreadCostOf(label.token, label.value, level, label, label.node, next);
      reached = next;
    }
  }

  #fits(from: number, to: number, hops: number): boolean {
    return (this.#depth[from] as number) + hops <= (this.#latest[to] as number) && !this.#leadsTo(to, from);
  }

  /** Whether edges lead from one node to another. */
  #leadsTo(from: number, to: number): boolean {
    return this.#ancestors[to * this.#network.nodes.length + from] === 1;
  }

  #parallel(from: number, to: number, tokenIn: number, tokenOut: number): void {
    const pair = this.#problem.market.pair(this.#view, tokenIn, tokenOut);
    this.read++;
    if (pair === null) return;
    const needed = (this.#network.logPrice[from] as number) - (this.#network.logPrice[to] as number) + PAYS;
    if (pair.logPrice <= needed) return;
    const [least, ratio] = [Math.exp(needed), Math.exp(-needed)];
    for (const edge of pair.edges) {
      if (edge.startPrice <= least) return;
      this.read++;
      if (!this.isOpen(edge) || this.#netPrice(edge) <= needed || this.#setAside.hasAt(edge, ratio)) continue;
      this.#record({ hops: [{ from: tokenIn, to: tokenOut, carrier: { kind: 'pair', edge, pair } }], start: from, end: to });
    }
  }

  #arcs(from: number, to: number): void {
    const { nodes, logPrice } = this.#network;
    const [source, target] = [nodes[from] as FlowNode, nodes[to] as FlowNode];
    const star = source.star ?? target.star;
    if (star === null) return;
    const side = source.star === null ? 'deposit' : 'withdrawal';
    const token = source.star === null ? source.token : target.token;
    const slot = star.pool.tokens.indexOf(token);
    const arc = slot < 0 ? undefined : side === 'deposit' ? star.deposits[slot] : star.withdrawals[slot];
    if (arc === undefined || this.#used.has(arc)) return;
    const ratio = Math.exp((logPrice[to] as number) - (logPrice[from] as number));
    if (arc.startPrice * ratio <= 1 + PAYS || this.#setAside.hasAt(arc, ratio)) return;
    const ends = side === 'deposit' ? { from: token, to: null, hub: to } : { from: null, to: token, hub: from };
    this.#record({ hops: [{ from: ends.from, to: ends.to, carrier: { kind: side, arc, hub: ends.hub } }], start: from, end: to });
  }

  #spreadWorthOf(token: number, value: number, level: number, next: Label | null, node: number): void {
    const neighbours = this.#problem.neighbours.entering(this.#view, token);
    const relative = value - this.#problem.prices.of(token);
    this.#readBest(neighbours, this.#lowest - relative, (pair) => {
      const known = this.#nodeOf.get(pair.from);
      if (known !== undefined) {
        // The pairs of active tokens are looked at one by one, and this is one of them where nothing lies between.
        if (next !== null) this.#start(known, pair, next, value, level);
        return;
      }
      if (pair.from === this.#problem.sell || pair.from === this.#problem.buy) return;
      if (value + pair.logPrice <= (this.#worth[level - 1]?.get(pair.from)?.value ?? -Infinity)) return;
      const edge = this.#openEdge(pair);
      if (edge === null || isOnWay(next, pair.from)) return;
      this.#keepWorth({ token: pair.from, value: value + this.#netPrice(edge), hop: pairHop(pair, edge), next, node }, level - 1);
    });
  }

  #spreadWorthOfHub(node: number, value: number, level: number): void {
    const star = this.#network.nodes[node]?.star;
    for (const [slot, arc] of star?.deposits.entries() ?? []) {
      const token = star?.pool.tokens[slot] as number;
      if (arc === undefined || this.#nodeOf.has(token) || this.#setAside.has(arc)) continue;
      const hop: ColumnHop = { from: token, to: null, carrier: { kind: 'deposit', arc, hub: node } };
      this.#keepWorth({ token, value: value + this.#netPriceOf(arc.startPrice, 0), hop, next: null, node }, level);
    }
  }

  #keepWorth(label: Label, level: number): void {
    if (label.value - this.#problem.prices.of(label.token) <= this.#lowest) return;
    const labels = this.#worth[level] as Level;
    const known = labels.get(label.token);
    if (known === undefined || label.value > known.value) labels.set(label.token, label);
  }

  /** The first pair of a column, met from its far end. */
  #start(from: number, pair: MarketPair, next: Label, value: number, level: number): void {
    const depth = this.#depth[from] as number;
    if (from === BUY || depth + 1 > level || next.node === from || this.#leadsTo(next.node, from)) return;
    const edge = this.#openEdge(pair);
    if (edge === null || this.#netPrice(edge) + value <= (this.#network.logPrice[from] as number) + PAYS) return;
    const cost = (this.#network.logPrice[from] as number) - this.#netPrice(edge);
    keepLeast(this.#started[depth + 1] as Level, { token: pair.to, value: cost, hop: pairHop(pair, edge), next: null, node: from });
  }

  #spreadCostOf(token: number, value: number, level: number, before: Label | null, node: number, next: Level): void {
    const neighbours = this.#problem.neighbours.leaving(this.#view, token);
    const relative = value - this.#problem.prices.of(token);
    this.#readBest(neighbours, relative - this.#highest, (pair) => {
      const active = this.#nodeOf.get(pair.to);
      if (active !== undefined) {
        if (before !== null) this.#tryEnd(active, pair, before, value, level);
        return;
      }
      if (pair.to === this.#problem.sell || pair.to === this.#problem.buy) return;
      if (value - pair.logPrice >= (next.get(pair.to)?.value ?? Infinity)) return;
      const edge = this.#openEdge(pair);
      if (edge === null || isOnWay(before, pair.to)) return;
      this.#meet({ token: pair.to, value: value - this.#netPrice(edge), hop: pairHop(pair, edge), next: before, node }, level + 1, next);
    });
  }

  #spreadCostOfHub(node: number, value: number, level: number, next: Level): void {
    const star = this.#network.nodes[node]?.star;
    for (const [slot, arc] of star?.withdrawals.entries() ?? []) {
      const token = star?.pool.tokens[slot] as number;
      if (arc === undefined || this.#nodeOf.has(token) || this.#setAside.has(arc)) continue;
      const hop: ColumnHop = { from: null, to: token, carrier: { kind: 'withdrawal', arc, hub: node } };
      this.#meet({ token, value: value - this.#netPriceOf(arc.startPrice, arc.gas), hop, next: null, node }, level + 1, next);
    }
  }

  /** A column whose last pair is met from its near end. */
  #tryEnd(to: number, pair: MarketPair, before: Label, value: number, level: number): void {
    if (level + 1 > (this.#latest[to] as number) || before.node === to || this.#leadsTo(to, before.node)) return;
    const edge = this.#openEdge(pair);
    if (edge === null) return;
    const worth = this.#netPrice(edge) + (this.#network.logPrice[to] as number);
    if (worth <= value + PAYS || worth <= (this.#bestWorth(before.token, level)?.value ?? -Infinity)) return;
    this.#record({ hops: [...hopsFrom(before), pairHop(pair, edge)], start: before.node, end: to });
  }

  /** A token whose cost is now known: with a worth above it, it is the middle of a column; else its cost spreads on. */
  #meet(label: Label, level: number, next: Level): void {
    if (label.value - this.#problem.prices.of(label.token) >= this.#highest) return;
    const best = this.#bestWorth(label.token, level);
    const known = next.get(label.token);
    if (known !== undefined && known.value <= label.value) return;
    next.set(label.token, label);
    if (best === null || best.value <= label.value + PAYS || !this.#joins(label, best)) return;
    // From the token before it the same column was met already.
    if (label.next !== null && sameEdge(this.#bestWorth(label.next.token, level - 1)?.hop, label.hop)) return;
    this.#record({ hops: [...hopsFrom(label), ...hopsTo(best)], start: label.node, end: best.node });
  }

  /** The most that a unit of a token at a level is worth. */
  #bestWorth(token: number, level: number): Label | null {
    let best: Label | null = null;
    for (let latest = level; latest <= this.#problem.maxHops; latest++) {
      const worth = this.#worth[latest]?.get(token);
      if (worth !== undefined && (best === null || worth.value > best.value)) best = worth;
    }
    return best;
  }

  /** Whether the two halves make a simple chain between two nodes in order. */
  #joins(cost: Label, worth: Label): boolean {
    if (cost.node === worth.node || this.#leadsTo(worth.node, cost.node)) return false;
    for (let at: Label | null = cost.next; at !== null; at = at.next) if (isOnWay(worth, at.token)) return false;
    return true;
  }

  /** Reads pairs, those that keep most first, while they keep more than `least`; of a hub's many at most so many. */
  #readBest({ pairs, kept }: Neighbours, least: number, read: (pair: MarketPair) => void): void {
    const count = Math.min(pairs.length, LIMITS.routing.pairsRead);
    for (let index = 0; index < count; index++) {
      if ((kept[index] as number) <= least) return;
      this.read++;
      read(pairs[index] as MarketPair);
    }
  }

  /** The best edge of a pair that is neither in use nor set aside. */
  #openEdge(pair: MarketPair): EdgeModel | null {
    for (const edge of pair.edges) if (this.isOpen(edge) && !this.#setAside.has(edge)) return edge;
    return null;
  }

  /** Whether an edge is admitted and serves nothing yet. */
  isOpen(edge: EdgeModel): boolean {
    if (this.#used.has(edge) || (edge.pool.tokens.length > 2 && this.#starred.has(edge.pool.id))) return false;
    const { admits } = this.#problem;
    return admits === null || admits(edge.pool);
  }

  #netPrice({ startPrice, curve }: EdgeModel): number {
    return this.#netPriceOf(startPrice, curve.gas);
  }

  /**
   * Logarithm of a start price less the toll of the hop as a share of the trade. A column of h hops gains at most the trade times its ratio less one, so it needs a ratio above one and the sum of those shares; the logarithm
   * of that is no less than the sum of these, since the logarithm is concave.
   */
  #netPriceOf(startPrice: number, gas: number): number {
    const share = this.#gasShare * gas + this.#hopShare;
    if (share === 0) return Math.log(startPrice);
    const { maxHops } = this.#problem;
    return Math.log(startPrice) - Math.log1p(maxHops * share) / maxHops;
  }

  #record(column: Pick<Column, 'hops' | 'start' | 'end'>): void {
    if (this.found.length >= LIMITS.routing.columnsFound) return;
    const { logPrice } = this.#network;
    this.found.push({ ...column, priceFrom: Math.exp(logPrice[column.start] as number), priceTo: Math.exp(logPrice[column.end] as number) });
  }
}

function pairHop(pair: MarketPair, edge: EdgeModel): ColumnHop {
  return { from: pair.from, to: pair.to, carrier: { kind: 'pair', edge, pair } };
}

function sameEdge(a: ColumnHop | undefined, b: ColumnHop): boolean {
  return a !== undefined && carrierOf(a) === carrierOf(b);
}

function keepLeast(labels: Level, label: Label): void {
  const known = labels.get(label.token);
  if (known === undefined || label.value < known.value) labels.set(label.token, label);
}

function isOnWay(label: Label | null, token: number): boolean {
  for (let at = label; at !== null; at = at.next) if (at.token === token) return true;
  return false;
}

/** The hops that lead from an active node to where a cost is known. */
function hopsFrom(label: Label): ColumnHop[] {
  const hops: ColumnHop[] = [];
  for (let at: Label | null = label; at !== null; at = at.next) hops.push(at.hop);
  return hops.reverse();
}

/** The hops that lead from where a worth is known to an active node. */
function hopsTo(label: Label): ColumnHop[] {
  const hops: ColumnHop[] = [];
  for (let at: Label | null = label; at !== null; at = at.next) hops.push(at.hop);
  return hops;
}
