import type { SnapshotView } from '../../snapshot/snapshot.ts';
import { curveInputFor, curveOutput } from '../curves/curves.ts';
import type { Market, MarketPair } from './market.ts';
import type { EdgeModel } from './pool-models.ts';

/** Tokens within so many hops of the native token have a reference price: what a thread keeps must not grow with what lies beyond. */
const REACH = 2;
/** Rounds in which prices spread: routes of more hops hardly improve one. */
const ROUNDS = 6;

/** Rounds in which prices give way to an arbitrage: so many gaining hops in a row are allowed for. */
const EASING = 3;
/** Sums of a few logarithms differ by less. */
const EASED = 1e-12;

/** Wei whose way through the market sets the prices: so much that no dust pool does, and so little that hardly any pool is moved by it. */
const MEASURE = 1e14;

/**
 * What a base unit of each token near the native token is worth, as the logarithm of wei: midway between what it costs to buy with a ten-thousandth of the native token and what that sells for, by the best routes. Both are potentials
 * of the market in the sense of Johnson's algorithm, and so is their mean: no pair pays more than these prices, but where the market offers an arbitrage. So along any path the value by
 * reference prices only falls, and a search that is guided by them need not look at what costs more than it may lose. Where an arbitrage lets a pair pay more, prices give way: for a search forwards a token is worth at
 * least what its best pairs make of it, for one backwards at most what it takes to come by it. One table for each block, shared by all its requests.
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
    const buying: Course = {
      pairs: (token) => this.#market.around(view, token).leaving,
      next: (pair) => pair.to,
      carry: (edge, amount) => curveOutput(edge.curve, amount),
      isBetter: (amount, than) => amount > than,
    };
    const bought = spread(native, within, buying);
    const sold = spread(native, within, {
      pairs: (token) => this.#market.around(view, token).entering,
      next: (pair) => pair.from,
      carry: (edge, amount) => curveInputFor(edge.curve, amount),
      isBetter: (amount, than) => amount < than,
    });
    for (const token of this.#near) {
      const prices = [bought[token] as number, sold[token] as number].filter((amount) => !Number.isNaN(amount)).map((amount) => Math.log(MEASURE / amount));
      this.#forwards[token] = this.#backwards[token] = prices.length === 0 ? Number.NaN : prices.reduce((sum, price) => sum + price, 0) / prices.length;
    }
    this.#ease(buying);
  }

  #ease(course: Course): void {
    const gains: { readonly from: number; readonly to: number; readonly rate: number }[] = [];
    for (const from of this.#near) {
      const amount = MEASURE / Math.exp(this.#forwards[from] as number);
      for (const pair of course.pairs(from)) gains.push({ from, to: pair.to, rate: Math.log(bestOver(pair, amount, course) / amount) });
    }
    for (let round = 0, eased = true; round < EASING && eased; round++) {
      const [forwards, backwards] = [this.#forwards.slice(), this.#backwards.slice()];
      eased = false;
      for (const { from, to, rate } of gains) {
        const [worth, cost] = [rate + (forwards[to] as number), (backwards[from] as number) - rate];
        if (worth > (this.#forwards[from] as number) + EASED) [this.#forwards[from], eased] = [worth, true];
        if (cost < (this.#backwards[to] as number) - EASED) [this.#backwards[to], eased] = [cost, true];
      }
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

/** A direction in which an amount goes through the market. */
type Course = {
  pairs(token: number): readonly MarketPair[];
  next(pair: MarketPair): number;
  /** The amount at the other end; negative or infinite where the edge can not carry it. */
  carry(edge: EdgeModel, amount: number): number;
  isBetter(amount: number, than: number): boolean;
};

/** The best amounts along simple paths from one token, by token, in rounds (Bellman and Ford); NaN where none leads. */
function spread(start: number, within: Uint8Array, course: Course): Float64Array {
  const best = new Float64Array(within.length).fill(Number.NaN);
  const cameFrom = new Int32Array(best.length).fill(-1);
  const improved = new Uint8Array(best.length);
  best[start] = MEASURE;
  let frontier = [start];
  for (let round = 1; round <= ROUNDS && frontier.length > 0; round++) {
    const next: number[] = [];
    for (const token of frontier) {
      const here = best[token] as number;
      for (const pair of course.pairs(token)) {
        const there = course.next(pair);
        if (within[there] === 0 || there === start || isBehind(cameFrom, token, there)) continue;
        const amount = bestOver(pair, here, course);
        const known = best[there] as number;
        if (Number.isNaN(amount) || !(Number.isNaN(known) || course.isBetter(amount, known))) continue;
        best[there] = amount;
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

function bestOver(pair: MarketPair, amount: number, course: Course): number {
  let best = Number.NaN;
  for (const edge of pair.edges) {
    const carried = course.carry(edge, amount);
    if (carried > 0 && carried < Infinity && (Number.isNaN(best) || course.isBetter(carried, best))) best = carried;
  }
  return best;
}

/** Whether the path to a token comes by another one: it would be a cycle, that is an arbitrage, and no price. */
function isBehind(cameFrom: Int32Array, token: number, other: number): boolean {
  for (let at = token, steps = 0; at >= 0 && steps <= ROUNDS; at = cameFrom[at] as number, steps++) if (at === other) return true;
  return false;
}
