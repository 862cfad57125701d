import { LIMITS } from '../config/limits.ts';
import { type Network, tokenOrder } from './network.ts';
import type { EdgeModel } from './pool-models.ts';
import { type SetAside, stillAside } from './set-aside.ts';
import { BUY, type Pair, type Subgraph } from './subgraph.ts';

/** New edges in a row from one active token to another, over tokens that are not active. */
export type Column = {
  readonly hops: readonly ColumnHop[];
  /** Prices of the two active ends. */
  readonly priceFrom: number;
  readonly priceTo: number;
};
export type ColumnHop = { readonly from: number; readonly to: number; readonly edge: EdgeModel; readonly pair: Pair };

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

/** A column pays when it beats the prices by this, relatively: a hundredth of a basis point less a margin. */
const PAYS = 1 + 2e-8;

const NOT_ACTIVE = -1;

class Sweep {
  readonly found: Column[] = [];
  readonly #graph: Subgraph;
  readonly #setAside: SetAside;
  readonly #usedPools = new Set<unknown>();
  /** Longest path from sell, by active token. */
  readonly #depth: ReadonlyMap<number, number>;
  /** The level that a token may have at most, by token; NOT_ACTIVE where it is free. */
  readonly #latest: Int8Array;
  /** By active token. */
  readonly #price: Float64Array;
  /** Active tokens that lead to an active token. */
  readonly #ancestors = new Map<number, Set<number>>();
  /** By level and token: worth given up at the active start for a base unit here; 0 where not reached. */
  readonly #cost: Float64Array;
  /** Inactive tokens reached, by level. */
  readonly #reached: number[][] = [];
  readonly #cameBy: (Pair | undefined)[];
  readonly #cameWith: (EdgeModel | undefined)[];

  constructor(network: Network, setAside: SetAside) {
    this.#graph = network.graph;
    this.#setAside = setAside;
    const order = tokenOrder(network.graph, network.edges);
    if (order === null) throw new TypeError('the active network has a cycle');
    this.#depth = order.depth;
    const count = this.#graph.tokens.length;
    const places = count * (this.#graph.maxHops + 1);
    this.#latest = new Int8Array(count).fill(NOT_ACTIVE);
    this.#price = new Float64Array(count);
    this.#cost = new Float64Array(places);
    this.#cameBy = new Array<Pair | undefined>(places);
    this.#cameWith = new Array<EdgeModel | undefined>(places);
    for (const edge of network.edges) if (edge.model !== null) this.#usedPools.add(edge.model.pool);
    for (const token of order.order.toReversed()) {
      let latest = token === BUY ? this.#graph.maxHops : Infinity;
      for (const { from, to } of network.edges) if (from === token) latest = Math.min(latest, (this.#latest[to] as number) - 1);
      this.#latest[token] = latest;
      this.#price[token] = Math.exp(network.logPrice[token] as number);
    }
    for (const token of order.order) {
      const before = new Set<number>();
      for (const edge of network.edges) {
        if (edge.to !== token) continue;
        before.add(edge.from);
        for (const ancestor of this.#ancestors.get(edge.from) ?? []) before.add(ancestor);
      }
      this.#ancestors.set(token, before);
    }
    for (let level = 0; level <= this.#graph.maxHops; level++) this.#reached.push([]);
  }

  level(level: number): void {
    for (const [token, depth] of this.#depth) {
      if (depth === level && token !== BUY) this.#leave(token, level, this.#price[token] as number);
    }
    const count = this.#graph.tokens.length;
    for (const token of this.#reached[level] ?? []) this.#leave(token, level, this.#cost[level * count + token] as number);
  }

  /** `cost` is the price that a base unit of the token has here, coming from its start. */
  #leave(token: number, level: number, cost: number): void {
    const count = this.#graph.tokens.length;
    for (const pair of this.#graph.leaving[token] ?? []) {
      const latest = this.#latest[pair.to] as number;
      const active = latest !== NOT_ACTIVE;
      if (level + 1 > (active ? latest : this.#graph.maxHops - 1)) continue;
      if (active) this.#arrive(pair, level, cost);
      else {
        const at = (level + 1) * count + pair.to;
        const known = this.#cost[at] as number;
        if (known !== 0 && cost / (pair.edges[0]?.startPrice ?? 0) > known) continue;
        const edge = this.#choose(pair);
        if (edge === null) continue;
        const next = cost / edge.startPrice;
        if (known !== 0 && (next > known || (next === known && !this.#tieBreak(pair, at)))) continue;
        if (this.#visits(token, level, pair.to)) continue;
        if (known === 0) this.#reached[level + 1]?.push(pair.to);
        this.#cost[at] = next;
        this.#cameBy[at] = pair;
        this.#cameWith[at] = edge;
      }
    }
  }

  /** Records the columns that end with this pair. */
  #arrive(pair: Pair, level: number, cost: number): void {
    const priceTo = this.#price[pair.to] as number;
    const needed = (cost / priceTo) * PAYS;
    if ((pair.edges[0]?.startPrice ?? 0) <= needed) return;
    const before = this.#trace(pair.from, level);
    if (before.start !== pair.to && this.#ancestors.get(before.start)?.has(pair.to) === true) return;
    const priceFrom = this.#price[before.start] as number;
    if (before.hops.length > 0) {
      const edge = this.#choose(pair);
      if (edge !== null && edge.startPrice > needed) this.#record({ hops: [...before.hops, { from: pair.from, to: pair.to, edge, pair }], priceFrom, priceTo });
      return;
    }
    for (const edge of pair.edges) {
      if (edge.startPrice <= needed) return;
      if (this.#usedPools.has(edge.pool) || stillAside(this.#setAside, edge, priceTo / cost)) continue;
      this.#record({ hops: [{ from: pair.from, to: pair.to, edge, pair }], priceFrom, priceTo });
    }
  }

  #record(column: Column): void {
    if (this.found.length < LIMITS.routing.columnsFound) this.found.push(column);
  }

  /** The hops from the active start to a token at a level. */
  #trace(token: number, level: number): { readonly start: number; readonly hops: ColumnHop[] } {
    const hops: ColumnHop[] = [];
    let at = token;
    for (let back = level; !this.#depth.has(at); back--) {
      const index = back * this.#graph.tokens.length + at;
      const pair = this.#cameBy[index];
      const edge = this.#cameWith[index];
      if (pair === undefined || edge === undefined) throw new TypeError('a reached token has no way back');
      hops.push({ from: pair.from, to: pair.to, edge, pair });
      at = pair.from;
    }
    return { start: at, hops: hops.reverse() };
  }

  #visits(token: number, level: number, target: number): boolean {
    let at = token;
    for (let back = level; !this.#depth.has(at); back--) {
      if (at === target) return true;
      const pair = this.#cameBy[back * this.#graph.tokens.length + at];
      if (pair === undefined) return false;
      at = pair.from;
    }
    return at === target;
  }

  #tieBreak(pair: Pair, at: number): boolean {
    const known = this.#cameBy[at];
    return known !== undefined && (this.#graph.addresses[pair.from] ?? '') < (this.#graph.addresses[known.from] ?? '');
  }

  /** The best edge that is not in use. */
  #choose(pair: Pair): EdgeModel | null {
    for (const edge of pair.edges) if (this.#free(edge)) return edge;
    return null;
  }

  #free(edge: EdgeModel): boolean {
    return !this.#usedPools.has(edge.pool) && !this.#setAside.has(edge);
  }
}
