import type { ExactMarket, MarketEdge, MarketPool } from './exact-market.ts';

/** A relaxation gains at least this much: 0.001 bps. A trade that harvested all that stays below it would gain far less than that itself. */
export const LEAST_GAIN = 1e-7;

/**
 * Searches cycles whose fee-adjusted marginal rates multiply to more than 1, by relaxing potentials from token to token (Bellman and Ford) until every
 * edge is in order. The potentials are kept between searches: after a trade only the tokens of its cycle have to be looked at again.
 */
export class CycleSearch {
  readonly #market: ExactMarket;
  /** Logarithm of the best amount of a token that one unit of anything is known to give. */
  readonly #potential: Float64Array;
  readonly #cameBy: (MarketEdge | undefined)[];
  readonly #queue: number[] = [];
  readonly #queued: Uint8Array;

  constructor(market: ExactMarket) {
    const count = market.addresses.length;
    this.#market = market;
    this.#potential = new Float64Array(count);
    this.#cameBy = new Array<MarketEdge | undefined>(count).fill(undefined);
    this.#queued = new Uint8Array(count);
    for (let token = 0; token < count; token++) this.#enqueue(token);
  }

  /** The next cycle, in the order of trading; null when there is none. */
  next(): readonly MarketEdge[] | null {
    for (let token = this.#queue.shift(); token !== undefined; token = this.#queue.shift()) {
      this.#queued[token] = 0;
      const cycle = this.#relaxFrom(token);
      if (cycle !== null) return cycle;
    }
    return null;
  }

  /** Tells that a pool changed: its tokens are looked at again, and what came over its edges is no longer known to be so. */
  changed(pool: MarketPool): void {
    for (const edge of pool.edges) {
      this.#cameBy[edge.to] = undefined;
      this.#enqueue(edge.from);
    }
  }

  #relaxFrom(token: number): readonly MarketEdge[] | null {
    for (const edge of this.#market.edgesFrom[token] ?? []) {
      const reached = (this.#potential[token] as number) + edge.logRate - edge.pool.blunt;
      if (reached <= (this.#potential[edge.to] as number) + LEAST_GAIN) continue;
      const cycle = this.#cycleThrough(edge);
      if (cycle !== null && gainOf(cycle) > LEAST_GAIN) {
        this.#enqueue(token);
        return cycle;
      }
      // A closed chain that gains nothing has an edge that a trade made worse since: forget the chain, and keep the potential.
      this.#cameBy[edge.to] = cycle === null ? edge : undefined;
      this.#potential[edge.to] = reached;
      this.#enqueue(edge.to);
    }
    return null;
  }

  /** The cycle that closes when `edge` joins the chain that led to its start; null when none does. */
  #cycleThrough(edge: MarketEdge): readonly MarketEdge[] | null {
    const chain: MarketEdge[] = [edge];
    const pools = new Set<MarketPool>([edge.pool]);
    for (let at = edge.from; at !== edge.to; ) {
      const before = this.#cameBy[at];
      if (before === undefined || chain.length > this.#cameBy.length) return null;
      // Out and back through one pool only loses; of a pool of several tokens a cycle uses one pair.
      if (pools.has(before.pool)) return null;
      chain.push(before);
      pools.add(before.pool);
      at = before.from;
    }
    return chain.reverse();
  }

  #enqueue(token: number): void {
    if (this.#queued[token] === 1) return;
    this.#queued[token] = 1;
    this.#queue.push(token);
  }
}

/** Logarithm of the product of a cycle's marginal rates, as far as whole units may take it out. */
export function gainOf(cycle: readonly MarketEdge[]): number {
  return cycle.reduce((sum, { logRate, pool }) => sum + logRate - pool.blunt, 0);
}
