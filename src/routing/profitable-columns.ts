import { LIMITS } from '../config/limits.ts';
import type { PoolView } from '../snapshot/snapshot.ts';
import { type Network, type NetworkEdge, tokenOrder } from './network.ts';
import type { EdgeModel } from './pool-models.ts';
import type { SetAside } from './set-aside.ts';
import { BUY, type Pair, pairBetween, type Subgraph } from './subgraph.ts';

/** New edges in a row from one active token to another, over tokens that are not active. */
export type Column = {
  readonly hops: readonly ColumnHop[];
  /** Prices of the two active ends. */
  readonly priceFrom: number;
  readonly priceTo: number;
};
/** `edges`: all of the pair, best start price first. */
export type ColumnHop = { readonly from: number; readonly to: number; readonly edge: EdgeModel; readonly edges: readonly EdgeModel[] };

/**
 * Columns whose product of start prices beats the prices of their ends. One sweep over (level, token): every active token starts at its own depth with
 * its own price, inactive tokens keep the best product at each level, and a step onto an active token that pays more than its price is a column. Levels
 * keep the merged depth within maxHops: a token's level is the longest path to it. Parallel pools of one pair come as columns of one hop each.
 */
export function findColumns(network: Network, setAside: SetAside): Column[] {
  const sweep = new Sweep(network, setAside);
  for (let level = 0; level < network.graph.maxHops; level++) sweep.level(level);
  return sweep.found;
}

/** A column pays when it beats the prices by this: floats that should be equal differ by less. */
const PAYS = 1 + 2e-8;

const NOT_ACTIVE = -1;

class Sweep {
  readonly found: Column[] = [];
  readonly #graph: Subgraph;
  readonly #setAside: SetAside;
  readonly #usedPools = new Set<PoolView>();
  /** Longest path from sell, by active token. */
  readonly #depth: ReadonlyMap<number, number>;
  /** The level that a token may have at most, by token; NOT_ACTIVE where it is free. */
  readonly #latest: Int8Array;
  /** By active token. */
  readonly #price: Float64Array;
  /** Active tokens that lead to an active token. */
  readonly #ancestors: ReadonlyMap<number, ReadonlySet<number>>;
  /** By pair that has edges in use or set aside: its best edge that is neither, or null. */
  readonly #free = new Map<number, EdgeModel | null>();
  /** By pair: the start price of its best free edge; 0 where there is none. */
  readonly #open: Float64Array;
  /** By token: what a base unit can be worth at an active token at best, by free edges over inactive tokens. No column over it pays that costs more. */
  readonly #worth: Float64Array;
  /** By level and token: worth given up at the active start for a base unit here; 0 where not reached. */
  readonly #cost: Float64Array;
  /** Inactive tokens reached, by level. */
  readonly #reached: number[][] = [];
  /** By level and token: the pair that it was reached over. */
  readonly #cameBy: Int32Array;

  constructor(network: Network, setAside: SetAside) {
    const { graph, edges } = network;
    this.#graph = graph;
    this.#setAside = setAside;
    const order = tokenOrder(graph, edges);
    if (order === null) throw new TypeError('the active network has a cycle');
    this.#depth = order.depth;
    const count = graph.tokens.length;
    this.#latest = new Int8Array(count).fill(NOT_ACTIVE);
    this.#price = new Float64Array(count);
    for (const token of order.order.toReversed()) {
      let latest = token === BUY ? graph.maxHops : Infinity;
      for (const { from, to } of edges) if (from === token) latest = Math.min(latest, (this.#latest[to] as number) - 1);
      this.#latest[token] = latest;
      this.#price[token] = Math.exp(network.logPrice[token] as number);
    }
    this.#ancestors = ancestorsOf(order.order, edges);
    for (const { model } of edges) if (model !== null) this.#usedPools.add(model.pool);
    this.#open = graph.startPrice.slice();
    for (const { tokens } of this.#usedPools) for (const tokenIn of tokens) for (const tokenOut of tokens) this.#close(tokenIn, tokenOut);
    for (const [tokenIn, tokenOut] of setAside.pairs()) this.#close(tokenIn, tokenOut);
    this.#worth = this.#worthOnwards();
    const places = count * graph.maxHops;
    this.#cost = new Float64Array(places);
    this.#cameBy = new Int32Array(places);
    for (let level = 0; level < graph.maxHops; level++) this.#reached.push([]);
  }

  level(level: number): void {
    for (const [token, depth] of this.#depth) {
      if (depth === level && token !== BUY) this.#leave(token, level, this.#price[token] as number);
    }
    const count = this.#graph.tokens.length;
    for (const token of this.#reached[level] ?? []) this.#leave(token, level, this.#cost[level * count + token] as number);
  }

  /** Looks for the best free edge between two tokens anew; snapshot ids. */
  #close(tokenIn: number, tokenOut: number): void {
    const { numbers, pairs } = this.#graph;
    const [from, to] = [numbers.get(tokenIn), numbers.get(tokenOut)];
    const pair = from === undefined || to === undefined ? -1 : pairBetween(this.#graph, from, to);
    if (pair < 0 || this.#free.has(pair)) return;
    const edge = pairs[pair]?.edges.find((beside) => !this.#usedPools.has(beside.pool) && !this.#setAside.has(beside)) ?? null;
    this.#free.set(pair, edge);
    this.#open[pair] = edge === null ? 0 : edge.startPrice;
  }

  /** From the active tokens backwards, over inactive ones. */
  #worthOnwards(): Float64Array {
    const { from, to, maxHops } = this.#graph;
    const [open, latest] = [this.#open, this.#latest];
    const worth = this.#price.slice();
    for (let hops = 1, changed = true; hops < maxHops && changed; hops++) {
      changed = false;
      for (let pair = 0; pair < from.length; pair++) {
        const token = from[pair] as number;
        const onwards = (open[pair] as number) * (worth[to[pair] as number] as number);
        if (onwards <= (worth[token] as number) || latest[token] !== NOT_ACTIVE) continue;
        worth[token] = onwards;
        changed = true;
      }
    }
    return worth;
  }

  /** `cost` is the price that a base unit of the token has here, coming from its start. */
  #leave(token: number, level: number, cost: number): void {
    const { rows, to, startPrice, maxHops } = this.#graph;
    const count = this.#graph.tokens.length;
    const end = rows[token + 1] as number;
    for (let pair = rows[token] as number; pair < end; pair++) {
      const target = to[pair] as number;
      const latest = this.#latest[target] as number;
      if (latest !== NOT_ACTIVE) {
        // The pair's very best edge: one in use may be set aside from nothing, see #arrive.
        if (level + 1 <= latest && (startPrice[pair] as number) * (this.#price[target] as number) > cost * PAYS) this.#arrive(pair, token, level, cost);
        continue;
      }
      if (level + 1 >= maxHops) continue;
      const open = this.#open[pair] as number;
      const next = cost / open;
      // Also where no edge is free: the cost is then infinite.
      if (!(next * PAYS < (this.#worth[target] as number))) continue;
      const at = (level + 1) * count + target;
      const known = this.#cost[at] as number;
      if (known !== 0 && (next > known || (next === known && !this.#comesFirst(token, at)))) continue;
      if (this.#visits(token, level, target)) continue;
      if (known === 0) this.#reached[level + 1]?.push(target);
      this.#cost[at] = next;
      this.#cameBy[at] = pair;
    }
  }

  /** Records the columns that end with this pair. */
  #arrive(pair: number, token: number, level: number, cost: number): void {
    const { from, to, edges } = this.#graph.pairs[pair] as Pair;
    const priceTo = this.#price[to] as number;
    const needed = (cost / priceTo) * PAYS;
    const before = this.#trace(token, level);
    if (before.start === to || this.#ancestors.get(before.start)?.has(to) === true) return;
    const priceFrom = this.#price[before.start] as number;
    if (before.hops.length > 0) {
      const edge = this.#freeEdge(pair);
      if (edge !== null && edge.startPrice > needed) this.#record({ hops: [...before.hops, this.#hop(pair, edge)], priceFrom, priceTo });
      return;
    }
    for (const edge of edges) {
      if (edge.startPrice <= needed) return;
      if (this.#usedPools.has(edge.pool) || this.#setAside.hasAt(edge, priceTo / cost)) continue;
      this.#record({ hops: [{ from, to, edge, edges }], priceFrom, priceTo });
    }
  }

  #record(column: Column): void {
    if (this.found.length < LIMITS.routing.columnsFound) this.found.push(column);
  }

  /** The hops from the active start to a token at a level. */
  #trace(token: number, level: number): { readonly start: number; readonly hops: ColumnHop[] } {
    const hops: ColumnHop[] = [];
    let at = token;
    for (let back = level; this.#latest[at] === NOT_ACTIVE; back--) {
      const pair = this.#cameBy[back * this.#graph.tokens.length + at] as number;
      const edge = this.#freeEdge(pair);
      if (edge === null) throw new TypeError('a token was reached over a pair without a free edge');
      hops.push(this.#hop(pair, edge));
      at = this.#graph.from[pair] as number;
    }
    return { start: at, hops: hops.reverse() };
  }

  #hop(pair: number, edge: EdgeModel): ColumnHop {
    const { from, to, edges } = this.#graph.pairs[pair] as Pair;
    return { from, to, edge, edges };
  }

  #freeEdge(pair: number): EdgeModel | null {
    const known = this.#free.get(pair);
    return known === undefined ? (this.#graph.pairs[pair]?.edges[0] ?? null) : known;
  }

  #visits(token: number, level: number, target: number): boolean {
    let at = token;
    for (let back = level; this.#latest[at] === NOT_ACTIVE; back--) {
      if (at === target) return true;
      at = this.#graph.from[this.#cameBy[back * this.#graph.tokens.length + at] as number] as number;
    }
    return at === target;
  }

  /** Of two ways that cost the same, the one over the token with the lower address. */
  #comesFirst(token: number, at: number): boolean {
    const { addresses, from } = this.#graph;
    return (addresses[token] ?? '') < (addresses[from[this.#cameBy[at] as number] as number] ?? '');
  }
}

function ancestorsOf(order: readonly number[], edges: readonly NetworkEdge[]): Map<number, Set<number>> {
  const ancestors = new Map<number, Set<number>>();
  for (const token of order) {
    const before = new Set<number>();
    for (const edge of edges) {
      if (edge.to !== token) continue;
      before.add(edge.from);
      for (const ancestor of ancestors.get(edge.from) ?? []) before.add(ancestor);
    }
    ancestors.set(token, before);
  }
  return ancestors;
}
