import { LIMITS } from '../../config/limits.ts';
import type { SnapshotView } from '../../snapshot/snapshot.ts';
import type { Tolls } from '../gas/tolls.ts';
import type { MarketPair } from '../market/market.ts';
import type { Neighbours } from '../market/neighbours.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Star } from '../market/star.ts';
import type { Problem } from '../problem.ts';
import type { Column, ColumnHop } from './column.ts';
import { tradeWorth } from './flow-state.ts';
import { InventoryClaims } from './inventory-claims.ts';
import { BUY, type FlowNetwork, type FlowNode, hopsOf, identityOf, nodeOrder } from './network.ts';
import type { SetAside } from './set-aside.ts';

/** A column pays when it beats the prices by this: on all of the trade it would then gain a 500th of a basis point, and floats that should be equal differ by less. */
const PAYS = 2e-7;

/** What reading a pair takes, and judging a column, against reading a curve while coming to rest. */
const READ = 2;
const JUDGED = 6;

/** `work`: what finding and judging them takes, in edges looked at (see pace.ts). `isOpen`: whether an edge may join. */
export type FoundColumns = { readonly columns: readonly Column[]; readonly work: number; readonly isOpen: (edge: EdgeModel) => boolean };

/**
 * Columns whose product of start prices beats the prices of their ends: edges beside those in use, found pair by pair of active nodes, and chains over tokens that are not active. Backwards from the active tokens spreads what a
 * unit of each inactive token is worth by the best way on; a pair from an active token to one that is worth more than the pair costs starts a column. Pairs are read in the order of what they keep of the value by reference
 * prices, with the toll of a hop as a share of the whole trade on top (no column carries more than that), so that the neighbours of a hub that can not pay are not looked at; of those that can, the best so many. Levels keep
 * the longest chain within maxHops.
 */
export function findColumns(network: FlowNetwork, tolls: Tolls, setAside: SetAside, mostPairs: number = LIMITS.routing.pairsRead): FoundColumns {
  const search = new ColumnSearch(network, tolls, setAside, mostPairs);
  search.betweenActive();
  if (network.problem.maxHops > 1) {
    search.spreadWorth();
    search.start();
  }
  return { columns: search.found, work: READ * search.read + JUDGED * search.found.length, isOpen: (edge) => search.isOpen(edge) };
}

/** What an inactive token is worth that may have a level at most. */
type Label = {
  readonly token: number;
  /** Logarithm of the worth of a base unit. */
  readonly value: number;
  readonly hop: ColumnHop;
  /** The label at the hop's other end, or null where that is an active node. */
  readonly next: Label | null;
  /** The active node where the way ends. */
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
  readonly #mostPairs: number;
  readonly #used = new Set<unknown>();
  readonly #claims: InventoryClaims;
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
  /** Pairs that lead from an active node, by node, as they were met from their far ends. */
  readonly #met: Set<MarketPair>[];
  /** What a unit of gas, and a hop, cost as a share of the trade. */
  readonly #gasShare: number;
  readonly #hopShare: number;
  /** Least price of an active token, by reference prices. */
  #lowest = Infinity;
  /** Most that an inactive token is worth, by reference prices. */
  #highestWorth = -Infinity;

  constructor(network: FlowNetwork, tolls: Tolls, setAside: SetAside, mostPairs: number) {
    this.#mostPairs = mostPairs;
    const whole = tradeWorth(network);
    this.#gasShare = tolls.perGas / whole;
    this.#hopShare = tolls.perHop / whole;
    this.#network = network;
    this.#problem = network.problem;
    this.#view = network.problem.view;
    this.#setAside = setAside;
    this.#claims = new InventoryClaims(network);
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
      const relative = (network.logPrice[node] as number) - prices.backwards(token);
      if (relative < this.#lowest) this.#lowest = relative;
    }
    // Without reference prices nothing is left out.
    if (this.#lowest === Infinity) this.#lowest = -Infinity;
    for (const edge of network.edges) {
      const carrier = identityOf(edge);
      if (carrier !== null) this.#used.add(carrier);
    }
    this.#worth = Array.from({ length: maxHops + 1 }, () => new Map());
    this.#met = Array.from({ length: count }, () => new Set());
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

  /** From the active nodes over the first pair of what may be a column. */
  start(): void {
    const { logPrice, nodes, problem } = this.#network;
    for (const node of this.#active) {
      if (node === BUY) continue;
      const { token, star } = nodes[node] as FlowNode;
      const [value, level] = [logPrice[node] as number, (this.#depth[node] as number) + 1];
      if (star !== null) {
        this.#startFromHub(node, star, level);
        continue;
      }
      const met = this.#met[node] as Set<MarketPair>;
      for (const pair of met) this.#startOver(pair, node, level);
      this.#readBest(problem.neighbours.leaving(this.#view, token), value - problem.prices.forwards(token) - this.#highestWorth, (pair) => {
        if (!met.has(pair) && !this.#nodeOf.has(pair.to)) this.#startOver(pair, node, level);
      });
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
    const relative = value - this.#problem.prices.backwards(token);
    this.#readBest(neighbours, this.#lowest - relative, (pair) => {
      const known = this.#nodeOf.get(pair.from);
      if (known !== undefined) {
        // The pairs of active tokens are looked at one by one, and this is one of them where nothing lies between.
        if (next !== null && this.#met[known] !== undefined) this.#met[known]?.add(pair);
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
    const { prices, neighbours } = this.#problem;
    const relative = label.value - prices.backwards(label.token);
    // Nothing comes here for less than the best pair that leads here loses.
    if (relative + (neighbours.entering(this.#view, label.token).kept[0] ?? -Infinity) <= this.#lowest) return;
    const ahead = label.value - prices.forwards(label.token);
    if (Number.isNaN(ahead)) this.#highestWorth = Infinity;
    else if (ahead > this.#highestWorth) this.#highestWorth = ahead;
    const labels = this.#worth[level] as Level;
    const known = labels.get(label.token);
    if (known === undefined || label.value > known.value) labels.set(label.token, label);
  }

  #startOver(pair: MarketPair, node: number, level: number): void {
    const worth = this.#bestWorth(pair.to, level);
    if (worth === null || !this.#joins(node, worth)) return;
    const cost = this.#network.logPrice[node] as number;
    if (worth.value + pair.logPrice <= cost + PAYS) return;
    const edge = this.#openEdge(pair);
    if (edge === null || worth.value + this.#netPrice(edge) <= cost + PAYS) return;
    this.#record({ hops: [pairHop(pair, edge), ...hopsTo(worth)], start: node, end: worth.node });
  }

  #startFromHub(node: number, star: Star, level: number): void {
    for (const [slot, arc] of star.withdrawals.entries()) {
      const token = star.pool.tokens[slot] as number;
      if (arc === undefined || this.#nodeOf.has(token) || this.#setAside.has(arc)) continue;
      const worth = this.#bestWorth(token, level);
      if (worth === null || !this.#joins(node, worth)) continue;
      if (worth.value + this.#netPriceOf(arc.startPrice, arc.gas) <= (this.#network.logPrice[node] as number) + PAYS) continue;
      this.#record({ hops: [{ from: null, to: token, carrier: { kind: 'withdrawal', arc, hub: node } }, ...hopsTo(worth)], start: node, end: worth.node });
    }
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

  /** Whether a way from a node may end where a worth comes from. */
  #joins(node: number, worth: Label): boolean {
    return node !== worth.node && !this.#leadsTo(worth.node, node);
  }

  /** Reads pairs, those that keep most first, while they keep more than `least`; of a hub's many at most so many. */
  #readBest({ pairs, kept }: Neighbours, least: number, read: (pair: MarketPair) => void): void {
    const count = Math.min(pairs.length, this.#mostPairs);
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

  /** Whether an edge is admitted, serves nothing yet, and pays out of what no other pool pays out of. */
  isOpen(edge: EdgeModel): boolean {
    if (this.#used.has(edge) || (edge.pool.tokens.length > 2 && this.#starred.has(edge.pool.id))) return false;
    if (!this.#claims.allow(edge)) return false;
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
    const { hops, start, end } = column;
    this.found.push({ hops, start, end, priceFrom: Math.exp(logPrice[start] as number), priceTo: Math.exp(logPrice[end] as number) });
  }
}

function pairHop(pair: MarketPair, edge: EdgeModel): ColumnHop {
  return { from: pair.from, to: pair.to, carrier: { kind: 'pair', edge, pair } };
}

function isOnWay(label: Label | null, token: number): boolean {
  for (let at = label; at !== null; at = at.next) if (at.token === token) return true;
  return false;
}

/** The hops that lead from where a worth is known to an active node. */
function hopsTo(label: Label): ColumnHop[] {
  const hops: ColumnHop[] = [];
  for (let at: Label | null = label; at !== null; at = at.next) hops.push(at.hop);
  return hops;
}
