import type { Market } from '../../../src/bound/bound.ts';
import type { Problem, Settled } from './problem.ts';
import { isForward, shapeOf } from './shape.ts';

/** A path to add to a route at rest, between two of its tokens and over none of the others. */
export type Addition = {
  readonly edges: readonly number[];
  /** What it gains at the route's prices less what its gas costs. The route gains no more by it: its prices only move against the path. */
  readonly promise: number;
};

/** New hops of one path, where the route itself has no limit. */
const MOST_NEW_HOPS = 4;
/**
 * Edges looked at in one search, shared alike by the tokens that a path may leave from. What a path gains at most, and what it gains, are as much work as so many. Where a start is far from any
 * optimum nearly every path promises something: the best by their first units are then enough.
 */
const MOST_WORK = 2_000_000;
const BOUND_WORK = 20;
const GAIN_WORK = 200;
const LOOK_EVERY = 256;
/** A gain below this share is rounding. */
const GAINS = 1 + 1e-9;

/** The most promising paths, so many at most, of those that promise more than `least`; best first. */
export function findAdditions(problem: Problem, settled: Settled, least: number, count: number): readonly Addition[] {
  const { market, sell, buy, maxHops } = problem;
  const shape = shapeOf(market, settled.choice.edges, sell, buy);
  if (shape === null) return [];
  // Without a limit a path may end at any token of the route, however far from the bought one.
  const ends = new Map(shape.order.map((token) => [token, maxHops === null ? 0 : (shape.height.get(token) as number)]));
  const search = new AdditionSearch(problem, settled, ends, least, count);
  for (const token of shape.order) {
    const room = maxHops === null ? MOST_NEW_HOPS : maxHops - (shape.depth.get(token) as number);
    if (token !== buy && room > 0) search.from(token, room);
  }
  return search.found;
}

class AdditionSearch {
  readonly found: Addition[] = [];
  readonly #problem: Problem;
  readonly #settled: Settled;
  readonly #ends: ReadonlyMap<number, number>;
  readonly #values: readonly Float64Array[];
  readonly #supply = { input: 0, output: 0, compliance: 0 };
  readonly #used: ReadonlySet<number>;
  readonly #pools: ReadonlySet<number>;
  readonly #path: number[] = [];
  readonly #ranks = new Map<number, readonly number[]>();
  /** Of any hop. */
  readonly #leastGas: number;
  readonly #count: number;
  /** A path has to promise more: the last of those found, once they are as many as asked for. */
  #least: number;
  #start = -1;
  #work = 0;
  #looked = 0;

  constructor(problem: Problem, settled: Settled, ends: ReadonlyMap<number, number>, least: number, count: number) {
    const { market, maxHops, sell } = problem;
    this.#problem = problem;
    this.#settled = settled;
    this.#least = least;
    this.#count = count;
    this.#ends = ends;
    this.#values = valuesOf(market, ends, settled.prices, maxHops ?? MOST_NEW_HOPS, sell);
    this.#used = new Set(settled.choice.edges);
    this.#leastGas = leastGas(market);
    // A pool of two tokens is in the route one way only; one of several may serve further pairs.
    this.#pools = new Set(settled.choice.edges.filter((edge) => market.whole[edge] === -1).map((edge) => market.pool[edge] as number));
  }

  from(token: number, hops: number): void {
    this.#start = token;
    this.#work = MOST_WORK / this.#ends.size;
    this.#goOn(token, this.#settled.prices[token] as number, hops, 0);
  }

  /** `cost`: what a unit of the token costs at the least; `gas`: of the path so far. */
  #goOn(token: number, cost: number, hops: number, gas: number): void {
    const { market, perGas, sell } = this.#problem;
    const values = this.#values[hops - 1] as Float64Array;
    for (const edge of this.#ranked(token, hops)) {
      if (--this.#work < 0) return;
      if (++this.#looked % LOOK_EVERY === 0 && this.#problem.expired()) this.#work = 0;
      const to = market.to[edge] as number;
      const [price, rate] = [values[to] as number, market.firstRate[edge] as number];
      if (!(cost * GAINS < rate * price)) return;
      if (to === sell || this.#isTaken(edge)) continue;
      market.supply(edge, cost / price, this.#supply);
      const paid = gas + market.gas(edge, 0);
      const ahead = paid + (this.#ends.has(to) ? 0 : this.#leastGas);
      // With the best that could come before and after, the path gains no more than this edge alone.
      if (!(price * this.#supply.output - cost * this.#supply.input > perGas * ahead + this.#least)) continue;
      this.#path.push(edge);
      if (this.#ends.has(to)) this.#arrive(to, this.#supply.input * this.#costRatio());
      else if (hops > 1) this.#goOn(to, cost / rate, hops - 1, paid);
      this.#path.pop();
    }
  }

  /** Edges of a token by what their first unit is worth at the end, best first. */
  #ranked(token: number, hops: number): readonly number[] {
    const { market } = this.#problem;
    const name = token * this.#values.length + hops;
    const known = this.#ranks.get(name);
    if (known !== undefined) return known;
    const values = this.#values[hops - 1] as Float64Array;
    const worth = (edge: number): number => (market.firstRate[edge] as number) * (values[market.to[edge] as number] as number);
    const ranked = [...(market.leaving[token] as Int32Array)].filter((edge) => worth(edge) > 0).sort((a, b) => worth(b) - worth(a));
    this.#ranks.set(name, ranked);
    return ranked;
  }

  #isTaken(edge: number): boolean {
    const { market } = this.#problem;
    const pool = market.pool[edge] as number;
    return this.#used.has(edge) || this.#pools.has(pool) || isBehind(market, this.#path, edge);
  }

  /** Input of the path for a unit of its last edge's input, at the margin of its first unit: the least that it can be. */
  #costRatio(): number {
    const { market } = this.#problem;
    return this.#path.slice(0, -1).reduce((ratio, edge) => ratio / (market.firstRate[edge] as number), 1);
  }

  /**
   * No more than this is gained by a path: what its edges gain one by one, at prices of the tokens between them that share the gap between its ends alike. Any prices bound it, these ones well.
   */
  #mostAt(edges: readonly number[], priceIn: number, priceOut: number): number {
    const { market } = this.#problem;
    const rate = edges.reduce((product, edge) => product * (market.firstRate[edge] as number), 1);
    const part = ((rate * priceOut) / priceIn) ** (1 / edges.length);
    let [price, gain] = [priceIn, 0];
    for (const edge of edges) {
      const next = (price / (market.firstRate[edge] as number)) * part;
      market.supply(edge, price / next, this.#supply);
      gain += next * this.#supply.output - price * this.#supply.input;
      price = next;
    }
    return gain;
  }

  #arrive(to: number, least: number): void {
    const { market, perGas } = this.#problem;
    const { prices, choice } = this.#settled;
    const edges = [...this.#path];
    this.#work -= BOUND_WORK;
    if (this.#mostAt(edges, prices[this.#start] as number, prices[to] as number) <= perGas * gasAtStart(market, edges) + this.#least) return;
    this.#work -= GAIN_WORK;
    const { gain, gas } = mostGain(market, edges, prices[this.#start] as number, prices[to] as number, least);
    const promise = gain - perGas * gas;
    if (!(promise > this.#least && isForward(market, choice.edges, this.#start, to))) return;
    this.found.push({ edges, promise });
    this.found.sort((a, b) => b.promise - a.promise);
    if (this.found.length > this.#count) this.found.pop();
    if (this.found.length === this.#count) this.#least = (this.found.at(-1) as Addition).promise;
  }
}

/**
 * Whether a path has already been at the edge's end, or in its pool. One of several tokens may be entered again after another pool: what it gives then is for the rest to say, since prices here
 * are those of its state at first.
 */
export function isBehind(market: Market, path: readonly number[], edge: number): boolean {
  const [to, pool] = [market.to[edge], market.pool[edge]];
  const again = market.whole[edge] !== -1 && market.pool[path.at(-1) as number] !== pool;
  return path.some((each) => (market.pool[each] === pool && !again) || market.from[each] === to);
}

function gasAtStart(market: Market, edges: readonly number[]): number {
  return edges.reduce((gas, edge) => gas + market.gas(edge, 0), 0);
}

const leastGases = new WeakMap<Market, number>();

function leastGas(market: Market): number {
  const known =
    leastGases.get(market) ??
    Array.from({ length: market.edgeCount }, (_, edge) => market.gas(edge, 0)).reduce((least, gas) => Math.min(least, gas), Number.POSITIVE_INFINITY);
  leastGases.set(market, known);
  return known;
}

/** By hops left and token: what a unit is worth at the best margin, 0 where no end of the route is within them. Not over an end to another. */
function valuesOf(market: Market, ends: ReadonlyMap<number, number>, prices: Float64Array, hops: number, sell: number): readonly Float64Array[] {
  const values: Float64Array[] = [];
  for (let left = 0; left <= hops; left++) {
    const before = values[left - 1];
    const value = before?.slice() ?? new Float64Array(market.tokenCount);
    for (let edge = 0; before !== undefined && edge < market.edgeCount; edge++) {
      const from = market.from[edge] as number;
      if (ends.has(from) || from === sell) continue;
      value[from] = Math.max(value[from] as number, (market.firstRate[edge] as number) * (before[market.to[edge] as number] as number));
    }
    for (const [token, height] of ends) value[token] = height <= left ? (prices[token] as number) : 0;
    values.push(value);
  }
  return values;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
const MOST_TURNS = 60;
/** Of the input: near its most the gain hardly changes. */
const CLOSE = 2e-3;

/** The most that a path gains between two prices, and its gas there. The gain is concave in the input, which is looked for by golden section once it is bracketed. */
function mostGain(market: Market, edges: readonly number[], priceIn: number, priceOut: number, guess: number): { readonly gain: number; readonly gas: number } {
  const gainOf = (input: number): number => {
    const output = edges.reduce((amount, edge) => market.output(edge, amount), input);
    return Number.isNaN(output) ? Number.NEGATIVE_INFINITY : priceOut * output - priceIn * input;
  };
  let high = guess;
  while (gainOf(high * 2) > gainOf(high)) high *= 2;
  high *= 2;
  let low = high;
  while (low > high * 1e-9 && !(gainOf(low) > 0)) low /= 4;
  low /= 4;
  let [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atLeft, atRight] = [gainOf(left), gainOf(right)];
  for (let turn = 0; turn < MOST_TURNS && high - low > CLOSE * high; turn++) {
    if (atLeft >= atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = gainOf(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = gainOf(right);
    }
  }
  const [input, gain] = atLeft >= atRight ? [left, atLeft] : [right, atRight];
  let [amount, gas] = [input, 0];
  for (const edge of edges) {
    gas += market.gas(edge, amount);
    amount = market.output(edge, amount);
  }
  return { gain, gas };
}
