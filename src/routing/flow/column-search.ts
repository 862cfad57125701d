import { LIMITS } from '../../config/limits.ts';
import type { SnapshotView } from '../../snapshot/snapshot.ts';
import type { Tolls } from '../gas/tolls.ts';
import type { MarketPair } from '../market/market.ts';
import type { Neighbours } from '../market/neighbours.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Star, StarArc } from '../market/star.ts';
import { TokenPlaces } from '../market/token-places.ts';
import { paceOfStep } from '../pace.ts';
import type { Problem } from '../problem.ts';
import type { Column, ColumnHop } from './column.ts';
import { gainsMore } from './column-gain.ts';
import { tradeWorth } from './flow-state.ts';
import { InventoryClaims } from './inventory-claims.ts';
import { BUY, type FlowNetwork, type FlowNode, identityOf, SELL } from './network.ts';
import { Reach } from './reach.ts';
import { type Side, sideOf, unseenWorth } from './star-sides.ts';
import type { Tabu } from './tabu.ts';

/** A column pays when it beats the prices by this: on all of the trade it would then gain a 500th of a basis point, and floats that should be equal differ by less. */
const PAYS = 2e-7;

/** What reading a pair takes, and judging a column, against reading a curve while coming to rest. */
const READ = 5;
const JUDGED = 6;

/** Logarithm of the price of a token without one: nearly nothing, and yet no zero. */
const NO_PRICE = 600;

/** What an inactive token is worth that may have a level at most. */
type Label = {
  readonly token: number;
  readonly level: number;
  /** Logarithm of the worth of a base unit. */
  value: number;
  hop: ColumnHop;
  /** The label at the hop's other end, or null where that is an active node. */
  next: Label | null;
  /** The active node where the way ends. */
  node: number;
  /** What the token is worth at the next higher level that it was met at: less. */
  readonly above: Label | null;
};

/** Nodes by their tokens, and labels by theirs. A thread makes one search at a time. */
const activePlaces = new TokenPlaces();
const labelPlaces = new TokenPlaces();

/** One search for columns; see find-columns.ts. */
export class ColumnSearch {
  readonly found: Column[] = [];
  cut = false;
  readonly barred: Set<number>;
  /** Whether only what pays is found between active nodes. */
  paying = true;
  readonly #network: FlowNetwork;
  readonly #problem: Problem;
  readonly #view: SnapshotView;
  readonly #tabu: Tabu;
  readonly #mostPairs: number;
  /** Pairs and edges read, and how many may be in this part of the search: the worth of tokens, once known, still has to start columns. */
  #read = 0;
  #mostRead: number;
  readonly #used = new Set<unknown>();
  readonly #claims: InventoryClaims;
  /** Pools that serve as stars: their pairs are closed, their arcs open. */
  readonly #starred = new Set<number>();
  readonly #reach: Reach;
  /** By place of the token: its label of the lowest level, which is worth most. */
  readonly #labels: Label[] = [];
  /** By level: the labels of that level. */
  readonly #levels: Label[][];
  /** Pairs that lead from an active node, by node, as they were met from their far ends. */
  readonly #met: Set<MarketPair>[];
  /** What a column has to gain at least, base units of the amount sought. */
  readonly #least: number;
  /** What a unit of gas, and a hop, cost as a share of the trade. */
  readonly #gasShare: number;
  readonly #hopShare: number;
  /** Least price of an active token, by reference prices. */
  #lowest = Infinity;
  /** Most that an inactive token is worth, by reference prices. */
  #highestWorth = -Infinity;

  constructor(network: FlowNetwork, tolls: Tolls, tabu: Tabu, mostPairs: number, barred: ReadonlySet<number>) {
    this.#mostPairs = mostPairs;
    this.#mostRead = paceOfStep(network.problem.pace).left() / READ;
    this.barred = new Set(barred);
    const whole = tradeWorth(network);
    this.#least = PAYS * whole;
    this.#gasShare = tolls.perGas / whole;
    this.#hopShare = tolls.perHop / whole;
    this.#network = network;
    this.#problem = network.problem;
    this.#view = network.problem.view;
    this.#tabu = tabu;
    this.#claims = new InventoryClaims(network);
    this.#reach = new Reach(network);
    activePlaces.clear(this.#view.tokenCount);
    labelPlaces.clear(this.#view.tokenCount);
    for (const node of this.#reach.order) {
      const { token, star } = network.nodes[node] as FlowNode;
      if (star !== null) {
        this.#starred.add(star.pool.id);
        continue;
      }
      activePlaces.set(token, node);
      const relative = (network.logPrice[node] as number) - this.#problem.prices.backwards(token);
      if (relative < this.#lowest) this.#lowest = relative;
    }
    // Without reference prices nothing is left out.
    if (this.#lowest === Infinity) this.#lowest = -Infinity;
    for (const edge of network.edges) this.#used.add(identityOf(edge));
    this.#levels = Array.from({ length: this.#problem.maxHops + 1 }, () => []);
    this.#met = network.nodes.map(() => new Set());
  }

  /** What finding and judging the columns takes, in edges looked at (see pace.ts). */
  get effort(): number {
    return READ * this.#read + JUDGED * this.found.length;
  }

  /** Pools beside those in use, and arcs of stars to tokens in use: where they may be wanted that fit the order of the network, or do not. */
  betweenActive(isWanted: (fits: boolean) => boolean): void {
    const { nodes } = this.#network;
    for (const from of this.#reach.order) {
      const source = nodes[from] as FlowNode;
      for (const to of this.#reach.order) {
        if (from === to || to === SELL || from === BUY) continue;
        const target = nodes[to] as FlowNode;
        if (source.star !== null && target.star !== null) continue;
        if (!isWanted(this.#reach.fits(from, to, target.star === null ? 1 : 0))) continue;
        if (source.star === null && target.star === null) this.#parallel(from, to, source.token, target.token);
        else this.#arcs(from, to);
      }
    }
  }

  /** Backwards from the active tokens, over inactive ones, by the level that each may have at most. */
  spreadWorth(): void {
    const { logPrice, nodes, problem } = this.#network;
    const { order, latest } = this.#reach;
    for (let level = problem.maxHops; level >= 2; level--) {
      for (const node of order) {
        if (latest[node] !== level || this.barred.has(node)) continue;
        const { token, star } = nodes[node] as FlowNode;
        if (star === null) this.#spreadWorthOf(token, logPrice[node] as number, level, null, node);
        else this.#spreadWorthOfHub(node, star, level);
      }
      for (const label of this.#levels[level] as Label[]) this.#spreadWorthOf(label.token, label.value, level, label, label.node);
    }
    for (const node of order) {
      const star = nodes[node]?.star ?? null;
      // A hub is entered without a hop, so it may be reached from the last level too.
      if (latest[node] === 1 && star !== null && !this.barred.has(node)) this.#spreadWorthOfHub(node, star, 1);
    }
  }

  /** From the active nodes over the first pair of what may be a column. */
  start(): void {
    const { logPrice, nodes, problem } = this.#network;
    this.#mostRead = this.#problem.pace.left() / READ;
    for (const node of this.#reach.order) {
      if (node === BUY) continue;
      const { token, star } = nodes[node] as FlowNode;
      const level = (this.#reach.depth[node] as number) + 1;
      if (star !== null) {
        this.#startFromHub(node, star, level);
        continue;
      }
      const met = this.#met[node] as Set<MarketPair>;
      for (const pair of met) this.#startOver(pair, node, level);
      const neighbours = problem.neighbours.leaving(this.#view, token);
      const least = (logPrice[node] as number) - problem.prices.forwards(token) - this.#highestWorth;
      const count = this.#countOf(neighbours, least);
      for (let index = 0; index < count; index++) {
        const pair = neighbours.pairs[index] as MarketPair;
        if (activePlaces.of(pair.to) < 0 && !met.has(pair)) this.#startOver(pair, node, level);
      }
    }
  }

  #parallel(from: number, to: number, tokenIn: number, tokenOut: number): void {
    const pair = this.#problem.market.pair(this.#view, tokenIn, tokenOut);
    this.#read++;
    if (pair === null) return;
    const needed = (this.#network.logPrice[from] as number) - (this.#network.logPrice[to] as number) + PAYS;
    if (this.paying && pair.logPrice <= needed) return;
    const known = this.found.length;
    const [least, ratio] = [Math.exp(needed), Math.exp(-needed)];
    for (const edge of pair.edges) {
      // Between two hubs lie thousands of pools.
      if (this.#isFull() || this.#read >= this.#mostRead || (edge.startPrice <= least && (this.paying || this.found.length > known))) return;
      this.#read++;
      if (this.paying && (this.#tabu.has(edge, ratio) || this.#netPrice(edge) <= needed)) continue;
      if (!this.isOpen(edge)) continue;
      this.#record([pairHop(pair, edge)], from, to);
    }
  }

  #arcs(from: number, to: number): void {
    const { nodes, logPrice } = this.#network;
    const [source, target] = [nodes[from] as FlowNode, nodes[to] as FlowNode];
    const star = source.star ?? target.star;
    if (star === null) return;
    const kind = source.star === null ? 'deposit' : 'withdrawal';
    const token = source.star === null ? source.token : target.token;
    const slot = star.pool.tokens.indexOf(token);
    const arc = slot < 0 ? undefined : kind === 'deposit' ? star.deposits[slot] : star.withdrawals[slot];
    if (arc === undefined || this.#used.has(arc)) return;
    const ratio = Math.exp((logPrice[to] as number) - (logPrice[from] as number));
    const ends = kind === 'deposit' ? { from: token, to: null, hub: to } : { from: null, to: token, hub: from };
    const side = this.#sideOf(arc, ends.hub);
    if (this.paying && (side.startPrice * ratio <= 1 + PAYS || this.#tabu.has(arc, ratio))) return;
    this.#record([{ from: ends.from, to: ends.to, carrier: { kind, arc, hub: ends.hub, side } }], from, to);
  }

  #spreadWorthOf(token: number, value: number, level: number, next: Label | null, node: number): void {
    const neighbours = this.#problem.neighbours.entering(this.#view, token);
    const count = this.#countOf(neighbours, this.#lowest - (value - this.#problem.prices.backwards(token)));
    const price = Math.exp(value);
    for (let index = 0; index < count; index++) {
      const pair = neighbours.pairs[index] as MarketPair;
      const active = activePlaces.of(pair.from);
      if (active >= 0) {
        // The pairs of active tokens are looked at one by one, and this is one of them where nothing lies between.
        if (next !== null) this.#met[active]?.add(pair);
        continue;
      }
      if (value + pair.logPrice <= this.#worthOf(pair.from) || !this.#leadsThrough(pair.from)) continue;
      if (isOnWay(next, pair.from)) continue;
      const edge = this.#deepEdge(pair, Math.exp(this.#leastCost(pair.from)), price);
      if (edge === null) continue;
      const worth = value + this.#netPrice(edge);
      if (worth > this.#worthOf(pair.from)) this.#keepWorth(pair.from, worth, pairHop(pair, edge), next, node, level - 1);
    }
  }

  #spreadWorthOfHub(node: number, star: Star, level: number): void {
    const value = this.#network.logPrice[node] as number;
    for (const [slot, arc] of star.deposits.entries()) {
      const token = star.pool.tokens[slot] as number;
      if (arc === undefined || activePlaces.of(token) >= 0 || this.#tabu.hasInChain(arc, Infinity) || !this.#leadsThrough(token)) continue;
      const side = this.#sideOf(arc, node);
      const worth = value + this.#netPriceOf(side.startPrice, 0);
      if (worth > this.#worthOf(token))
        this.#keepWorth(token, worth, { from: token, to: null, carrier: { kind: 'deposit', arc, hub: node, side } }, null, node, level);
    }
  }

  /** What is known so far of a token's worth at this level or a higher one: only more is worth keeping. */
  #worthOf(token: number): number {
    const place = labelPlaces.of(token);
    return place < 0 ? -Infinity : (this.#labels[place] as Label).value;
  }

  #keepWorth(token: number, value: number, hop: ColumnHop, next: Label | null, node: number, level: number): void {
    const { prices, neighbours } = this.#problem;
    // Nothing comes here for less than the best pair that leads here loses.
    if (value - prices.backwards(token) + (neighbours.entering(this.#view, token).kept[0] ?? -Infinity) <= this.#lowest) return;
    const ahead = value - prices.forwards(token);
    if (Number.isNaN(ahead)) this.#highestWorth = Infinity;
    else if (ahead > this.#highestWorth) this.#highestWorth = ahead;
    const place = labelPlaces.of(token);
    const above = place < 0 ? null : (this.#labels[place] as Label);
    if (above?.level === level) {
      above.value = value;
      above.hop = hop;
      above.next = next;
      above.node = node;
      return;
    }
    const label: Label = { token, level, value, hop, next, node, above };
    (this.#levels[level] as Label[]).push(label);
    if (place < 0) labelPlaces.set(token, this.#labels.push(label) - 1);
    else this.#labels[place] = label;
  }

  #startOver(pair: MarketPair, node: number, level: number): void {
    const worth = this.#bestWorth(pair.to, level);
    const cost = this.#network.logPrice[node] as number;
    if (worth === null || worth.value + pair.logPrice <= cost + PAYS || !this.#joins(node, worth)) return;
    const edge = this.#deepEdge(pair, Math.exp(cost), Math.exp(worth.value));
    if (edge === null || worth.value + this.#netPrice(edge) <= cost + PAYS) return;
    this.#record([pairHop(pair, edge), ...hopsTo(worth)], node, worth.node);
  }

  #startFromHub(node: number, star: Star, level: number): void {
    for (const [slot, arc] of star.withdrawals.entries()) {
      const token = star.pool.tokens[slot] as number;
      if (arc === undefined || activePlaces.of(token) >= 0 || this.#tabu.hasInChain(arc, Infinity)) continue;
      const worth = this.#bestWorth(token, level);
      if (worth === null) continue;
      const side = this.#sideOf(arc, node);
      if (worth.value + this.#netPriceOf(side.startPrice, arc.gas) <= (this.#network.logPrice[node] as number) + PAYS || !this.#joins(node, worth)) continue;
      this.#record([{ from: null, to: token, carrier: { kind: 'withdrawal', arc, hub: node, side } }, ...hopsTo(worth)], node, worth.node);
    }
  }

  #sideOf(arc: StarArc, hub: number): Side {
    return sideOf(arc, arc.sum === 0 ? 0 : unseenWorth(this.#network, hub));
  }

  /** The most that a unit of a token at a level is worth. */
  #bestWorth(token: number, level: number): Label | null {
    const place = labelPlaces.of(token);
    let label = place < 0 ? null : (this.#labels[place] as Label);
    while (label !== null && label.level < level) label = label.above;
    return label;
  }

  /** Whether a way from a node may end where a worth comes from. Elsewhere it may hide another. */
  #joins(node: number, worth: Label): boolean {
    if (node !== worth.node && !this.#reach.leadsTo(worth.node, node)) return true;
    this.barred.add(worth.node);
    return false;
  }

  /** How many of a token's pairs are read, those that keep most first: those that keep more than `least`, but no more than so many. */
  #countOf({ pairs, kept }: Neighbours, least: number): number {
    const most = Math.min(pairs.length, this.#mostPairs, Math.max(0, Math.ceil(this.#mostRead - this.#read)));
    let count = 0;
    while (count < most && !((kept[count] as number) <= least)) count++;
    if (count === most && most < pairs.length && !((kept[most] as number) <= least)) this.cut = true;
    this.#read += count;
    return count;
  }

  /** What a token costs at least, by reference prices, as a logarithm; next to nothing where it has none. */
  #leastCost(token: number): number {
    const least = this.#lowest + this.#problem.prices.backwards(token);
    return least > -Infinity ? least : -NO_PRICE;
  }

  #leadsThrough(token: number): boolean {
    const { between } = this.#problem;
    return between === null || between(token);
  }

  /** The best edge of a pair that may serve and that is deep enough to gain something where a unit costs that much and what comes out is worth that much. */
  #deepEdge(pair: MarketPair, cost: number, value: number): EdgeModel | null {
    const ratio = value / cost;
    for (const edge of pair.edges) {
      if (edge.startPrice * value <= cost) return null;
      if (this.#tabu.hasInChain(edge, ratio) || !this.isOpen(edge)) continue;
      if (gainsMore(edge, cost, value, this.#least)) return edge;
      this.#tabu.add(edge, ratio);
    }
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

  #isFull(): boolean {
    return this.found.length >= LIMITS.routing.columnsFound;
  }

  #record(hops: readonly ColumnHop[], start: number, end: number): void {
    if (this.#isFull()) return;
    const { logPrice } = this.#network;
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
