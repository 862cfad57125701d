import type { SnapshotView } from '../../snapshot/snapshot.ts';
import type { Market, MarketPair } from './market.ts';

/** Tokens within so many hops of the native token have a reference price: what a thread keeps must not grow with what lies beyond. */
const REACH = 2;
/** Rounds in which prices spread: routes of more hops hardly improve one. */
const ROUNDS = 6;

/** Rounds in which prices give way to an arbitrage: so many gaining hops in a row are allowed for. */
const EASING = 3;

/**
 * What a base unit of each token near the native token is worth, as the logarithm of wei: midway between what it costs to buy and what it sells for, by the best start prices. Both are potentials of
 * the market in the sense of Johnson's algorithm, and so is their mean: no pair pays more than these prices, but where the market offers an arbitrage. So along any path the value by
 * reference prices only falls, and a search that is guided by them need not look at what costs more than it may lose. Where an arbitrage lets a pair pay more, prices give way: for a search forwards a token is worth at least
 * what its best pairs make of it, for one backwards at most what it takes to come by it. One table for each block, shared by all its requests.
 */
export class ReferencePrices {
  readonly #market: Market;
  readonly #native: string;
  #view: SnapshotView | null = null;
  /** By token id, for a search forwards and for one backwards; NaN where there is none. */
  #forwards = new Float64Array(0);
  #backwards = new Float64Array(0);
  #near: readonly number[] = [];

  /** `native`: address of the wrapped native token. */
  constructor(market: Market, native: string) {
    this.#market = market;
    this.#native = native;
  }

  /** Brings the table to a view. `goOn` is asked now and then; where it says no the table stays what it is so far, and is made again when next asked for. */
  refresh(view: SnapshotView, goOn: () => boolean): void {
    if (this.#view === view) return;
    this.#view = null;
    for (const token of this.#near) this.#forwards[token] = this.#backwards[token] = Number.NaN;
    if (this.#forwards.length < view.tokenCount) {
      const room = Math.max(view.tokenCount, 2 * this.#forwards.length);
      this.#forwards = new Float64Array(room).fill(Number.NaN);
      this.#backwards = new Float64Array(room).fill(Number.NaN);
    }
    const native = view.tokenId(this.#native as Parameters<SnapshotView['tokenId']>[0]);
    this.#near = native < 0 ? [] : this.#meet(view, native, goOn);
    if (!goOn()) return;
    if (native >= 0) this.#spread(view, native);
    this.#view = view;
  }

  #spread(view: SnapshotView, native: number): void {
    const within = new Uint8Array(this.#forwards.length);
    for (const token of this.#near) within[token] = 1;
    const spread = new Spread(within);
    const bought = spread.from(native, (token) => this.#market.around(view, token).leaving, targetOf);
    const sold = spread.from(native, (token) => this.#market.around(view, token).entering, sourceOf);
    for (const token of this.#near) {
      const [units, wei] = [bought[token] as number, sold[token] as number];
      this.#forwards[token] = units === -Infinity ? (wei === -Infinity ? Number.NaN : wei) : wei === -Infinity ? -units : (wei - units) / 2;
      this.#backwards[token] = this.#forwards[token] as number;
    }
    this.#ease(view);
  }

  #ease(view: SnapshotView): void {
    for (let round = 0; round < EASING; round++) {
      const [forwards, backwards] = [this.#forwards.slice(), this.#backwards.slice()];
      let eased = false;
      for (const token of this.#near) {
        for (const { to, logPrice } of this.#market.around(view, token).leaving) {
          const worth = logPrice + (forwards[to] as number);
          if (worth > (this.#forwards[token] as number) + EASED) [this.#forwards[token], eased] = [worth, true];
          const cost = (backwards[token] as number) - logPrice;
          if (cost < (this.#backwards[to] as number) - EASED) [this.#backwards[to], eased] = [cost, true];
        }
      }
      if (!eased) return;
    }
  }

  /** What a token is worth to a search forwards; NaN where it has no price. */
  forwards(token: number): number {
    return this.#forwards[token] ?? Number.NaN;
  }

  /** What a token costs a search backwards; NaN where it has no price. */
  backwards(token: number): number {
    return this.#backwards[token] ?? Number.NaN;
  }

  #meet(view: SnapshotView, native: number, goOn: () => boolean): number[] {
    const met = [native];
    const known = new Set(met);
    for (let hop = 0, start = 0; hop < REACH; hop++) {
      const end = met.length;
      for (; start < end; start++) {
        if (!goOn()) return met;
        const { leaving, entering } = this.#market.around(view, met[start] as number);
        for (const pair of leaving) meet(pair.to);
        for (const pair of entering) meet(pair.from);
      }
    }
    return met;

    function meet(token: number): void {
      if (known.has(token)) return;
      known.add(token);
      met.push(token);
    }
  }
}

/** Sums of a few logarithms differ by less. */
const EASED = 1e-12;

const targetOf = (pair: MarketPair) => pair.to;
const sourceOf = (pair: MarketPair) => pair.from;

/** Best products of start prices along simple paths from one token, in rounds (Bellman and Ford). */
class Spread {
  readonly #within: Uint8Array;

  constructor(within: Uint8Array) {
    this.#within = within;
  }

  /** Logarithms by token; −Infinity where no path leads. */
  from(start: number, pairsAt: (token: number) => readonly MarketPair[], other: (pair: MarketPair) => number): Float64Array {
    const best = new Float64Array(this.#within.length).fill(-Infinity);
    const cameFrom = new Int32Array(best.length).fill(-1);
    const improved = new Uint8Array(best.length);
    best[start] = 0;
    let frontier = [start];
    for (let round = 1; round <= ROUNDS && frontier.length > 0; round++) {
      const next: number[] = [];
      for (const token of frontier) {
        const here = best[token] as number;
        for (const pair of pairsAt(token)) {
          const there = other(pair);
          if (!(here + pair.logPrice > (best[there] as number)) || this.#within[there] === 0 || isBehind(cameFrom, token, there)) continue;
          best[there] = here + pair.logPrice;
          cameFrom[there] = token;
          if (improved[there] === round) continue;
          improved[there] = round;
          next.push(there);
        }
      }
      frontier = next;
    }
    return best;
  }
}

/** Whether the path to a token comes by another one: it would be a cycle, that is an arbitrage, and no price. */
function isBehind(cameFrom: Int32Array, token: number, other: number): boolean {
  for (let at = token, steps = 0; at >= 0 && steps <= ROUNDS; at = cameFrom[at] as number, steps++) if (at === other) return true;
  return false;
}
