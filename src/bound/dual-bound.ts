import type { Supply } from './curve-supply.ts';
import type { Market } from './market.ts';
import { SparseSystem } from './sparse-solve.ts';

/**
 * An upper bound on what a trade can give, gas-free and without a hop limit. For any token prices p with p(buy) = 1,
 *   output ≤ p(sell) · amount + Σ over pools of the most that an arbitrageur could gain from the pool at p
 * (weak duality: whatever a route does, valued at p, splits into these parts). So the value at the best prices found is a bound however they were found.
 */
export type DualBound = {
  /** Base units of the buy token. */
  readonly bound: number;
  /** How far the bound may be from what can be reached: what the trades at these prices leave over or overdraw, as a share of the bound, in basis points. */
  readonly slackBps: number;
  readonly steps: number;
  /** Share of the input that no pool takes at any price: the trade is more than the set can fill. */
  readonly unfilled: number;
  /** Worth at most the whole trade each, largest first: where the trade goes at these prices. */
  readonly flows: readonly BoundFlow[];
};

export type BoundFlow = { readonly edge: number; readonly input: number; readonly output: number; readonly share: number };

const MOST_STEPS = 300;
/** The search ends where the slack is this share of the bound. */
const CLOSED = 1e-10;
/** The trade is worth this share of what it gives at the margin: only where every pool has reached the end of its liquidity. */
const WORTHLESS = 1e-7;
/** Share of the slack that has to point one way before all prices are moved together. */
const COMMON = 0.3;
const SMALLEST_SHOWN = 1e-3;

/** Null where the sell token can not reach the buy token at all. */
export function dualBound(market: Market, sell: number, buy: number, amount: number): DualBound | null {
  const reach = findReach(market, sell, buy);
  if (reach === null) return null;
  const descent = new Descent(market, reach, sell, buy, amount);
  return descent.run();
}

/** Tokens and edges that a route may use, and the prices to start from: what a vanishing amount of each token gives at best. */
type Reach = { readonly price: Float64Array; readonly edges: Int32Array };

function findReach(market: Market, sell: number, buy: number): Reach | null {
  const price = bestRates(market, buy);
  if (!((price[sell] as number) > 0)) return null;
  const reached = new Uint8Array(market.tokenCount);
  reached[sell] = 1;
  const queue = [sell];
  for (let token = queue.pop(); token !== undefined; token = queue.pop()) {
    for (const edge of market.leaving[token] as Int32Array) {
      const to = market.to[edge] as number;
      if (reached[to] === 1 || !((market.firstRate[edge] as number) > 0) || !((price[to] as number) > 0)) continue;
      reached[to] = 1;
      queue.push(to);
    }
  }
  const useful = (edge: number): boolean => {
    const [from, to] = [market.from[edge] as number, market.to[edge] as number];
    return reached[from] === 1 && reached[to] === 1 && (market.firstRate[edge] as number) > 0 && to !== sell && from !== buy;
  };
  return { price, edges: Int32Array.from(Array.from({ length: market.edgeCount }, (_, edge) => edge).filter(useful)) };
}

/** A relaxation gains at least this share: less is rounding. */
const LEAST_GAIN = 1e-12;
const MOST_ROUNDS = 64;

/** Best product of marginal rates from every token to the goal; 0 where there is no way. Bounded, since a set may hold cycles that gain. */
export function bestRates(market: Market, goal: number): Float64Array {
  const rate = new Float64Array(market.tokenCount);
  rate[goal] = 1;
  let changed = [goal];
  for (let round = 0; round < MOST_ROUNDS && changed.length > 0; round++) {
    const next = new Set<number>();
    for (const token of changed) {
      for (const edge of market.entering[token] as Int32Array) {
        const from = market.from[edge] as number;
        const reached = (market.firstRate[edge] as number) * (rate[token] as number);
        if (from === goal || !(reached > (rate[from] as number) * (1 + LEAST_GAIN))) continue;
        rate[from] = reached;
        next.add(from);
      }
    }
    changed = [...next];
  }
  return rate;
}

/** Damped Newton on prices, relative to where they start. The dual is convex in them; it is piecewise smooth, so the length of each step is searched. */
class Descent {
  readonly #market: Market;
  readonly #edges: Int32Array;
  readonly #scale: Float64Array;
  readonly #sell: number;
  readonly #buy: number;
  readonly #amount: number;
  /** Rows of the system by token; −1 for tokens without a say. */
  readonly #row: Int32Array;
  readonly #tokens: Int32Array;
  readonly #supply: Supply = { input: 0, output: 0, compliance: 0 };
  /** Best edge so far of each pool of several tokens, and its gain. */
  readonly #chosen = new Map<number, { edge: number; gain: number }>();

  constructor(market: Market, { price, edges }: Reach, sell: number, buy: number, amount: number) {
    this.#market = market;
    this.#edges = edges;
    this.#scale = price;
    this.#sell = sell;
    this.#buy = buy;
    this.#amount = amount;
    const tokens = new Set<number>([sell]);
    for (const edge of edges) {
      tokens.add(market.from[edge] as number);
      tokens.add(market.to[edge] as number);
    }
    tokens.delete(buy);
    this.#tokens = Int32Array.from(tokens);
    this.#row = new Int32Array(market.tokenCount).fill(-1);
    this.#tokens.forEach((token, row) => {
      this.#row[token] = row;
    });
  }

  run(): DualBound {
    const size = this.#tokens.length;
    let at: Float64Array = new Float64Array(size).fill(1);
    let steps = 0;
    let point = this.#evaluate(at, true);
    let best = { at, point };
    let idle = 0;
    for (; steps < MOST_STEPS && point.slack > CLOSED * point.value && idle < 6; steps++) {
      const direction = this.#direction(at, point);
      at = this.#search(at, point, direction);
      let next = this.#evaluate(at, true);
      // Tokens that hang together have to fall together where the buy token runs out: the curvature at a point does not tell, so try it.
      const common = dot(next.gradient, at);
      if (Math.abs(common) > COMMON * next.slack) {
        at = this.#search(
          at,
          next,
          at.map((value) => (common > 0 ? -value : value)),
        );
        next = this.#evaluate(at, true);
      }
      idle = next.value < point.value * (1 - 1e-14) ? 0 : idle + 1;
      point = next;
      if (point.value < best.point.value || (point.value === best.point.value && point.slack < best.point.slack)) best = { at, point };
    }
    const { value, slack, gradient } = best.point;
    const sellRow = this.#row[this.#sell] as number;
    const given = this.#amount * (this.#scale[this.#sell] as number);
    // Where the sell token is worth nothing any more, what is left of it has nowhere to go.
    const worthless = given * (best.at[sellRow] as number) < WORTHLESS * value;
    const unfilled = worthless ? Math.max(0, (gradient[sellRow] as number) / given) : 0;
    return { unfilled, bound: value, slackBps: (slack / value) * 1e4, steps, flows: this.#flows(best.at, value) };
  }

  #priceOf(token: number, at: Float64Array): number {
    const row = this.#row[token] as number;
    return row < 0 ? (token === this.#buy ? 1 : 0) : (this.#scale[token] as number) * (at[row] as number);
  }

  /** Value of the dual and its gradient (what is left of each token, in worth), with the system of its curvature where asked for. */
  #evaluate(at: Float64Array, curvature: boolean): Point {
    const size = this.#tokens.length;
    const gradient = new Float64Array(size);
    const system = curvature ? new SparseSystem(size) : null;
    const sellRow = this.#row[this.#sell] as number;
    gradient[sellRow] = this.#amount * (this.#scale[this.#sell] as number);
    let value = (gradient[sellRow] as number) * (at[sellRow] as number);
    this.#chosen.clear();
    for (const edge of this.#edges) {
      const gain = this.#gain(edge, at);
      if (gain <= 0) continue;
      if (this.#market.many[edge] === 1) {
        const pool = this.#market.pool[edge] as number;
        const known = this.#chosen.get(pool);
        if (known === undefined || gain > known.gain) this.#chosen.set(pool, { edge, gain });
        continue;
      }
      value += gain;
      this.#add(edge, at, gradient, system);
    }
    for (const { edge, gain } of this.#chosen.values()) {
      value += gain;
      this.#gain(edge, at);
      this.#add(edge, at, gradient, system);
    }
    let slack = 0;
    for (let row = 0; row < size; row++) slack += Math.abs((gradient[row] as number) * (at[row] as number));
    return { value, gradient, system, slack };
  }

  /** What an arbitrageur gains on an edge at the prices; leaves its trade in #supply. */
  #gain(edge: number, at: Float64Array): number {
    const priceIn = this.#priceOf(this.#market.from[edge] as number, at);
    const priceOut = this.#priceOf(this.#market.to[edge] as number, at);
    const rate = priceIn / priceOut;
    if (!(rate < (this.#market.firstRate[edge] as number))) return 0;
    this.#market.supply(edge, rate, this.#supply);
    return priceOut * this.#supply.output - priceIn * this.#supply.input;
  }

  #add(edge: number, at: Float64Array, gradient: Float64Array, system: SparseSystem | null): void {
    const { input, output, compliance } = this.#supply;
    const [from, to] = [this.#market.from[edge] as number, this.#market.to[edge] as number];
    const [rowIn, rowOut] = [this.#row[from] as number, this.#row[to] as number];
    const [scaleIn, scaleOut] = [this.#scale[from] as number, this.#scale[to] as number];
    if (rowIn >= 0) gradient[rowIn] = (gradient[rowIn] as number) - input * scaleIn;
    if (rowOut >= 0) gradient[rowOut] = (gradient[rowOut] as number) + output * scaleOut;
    if (system === null || compliance === 0) return;
    // The gain's second derivative is (compliance / priceOut) · (1, −rate)(1, −rate)ᵀ in the prices of input and output.
    const priceOut = this.#priceOf(to, at);
    const rate = this.#priceOf(from, at) / priceOut;
    const stiffness = compliance / priceOut;
    if (rowIn >= 0) system.addDiagonal(rowIn, stiffness * scaleIn * scaleIn);
    if (rowOut >= 0) system.addDiagonal(rowOut, stiffness * rate * rate * scaleOut * scaleOut);
    if (rowIn >= 0 && rowOut >= 0) system.addPair(rowIn, rowOut, -stiffness * rate * scaleIn * scaleOut);
  }

  #direction(at: Float64Array, { gradient, system }: Point): Float64Array {
    const direction = new Float64Array(at.length);
    if (system === null) return direction;
    for (let row = 0; row < at.length; row++) {
      const slope = gradient[row] as number;
      direction[row] = -slope;
      // Keeps a step within about half a price where nothing resists yet; vanishes with the slope.
      system.addDiagonal(row, (2 * Math.abs(slope)) / (at[row] as number) + 1e-13 * system.diagonal(row));
    }
    system.solve(direction);
    return direction;
  }

  /** The point along the direction where the value stops falling. */
  #search(at: Float64Array, point: Point, direction: Float64Array): Float64Array {
    const moved = (length: number): Float64Array => at.map((value, row) => value + length * (direction[row] as number));
    const slopeAt = (length: number): number => dot(this.#evaluate(moved(length), false).gradient, direction);
    const start = dot(point.gradient, direction);
    if (!(start < 0)) return at;
    let most = Number.POSITIVE_INFINITY;
    for (let row = 0; row < at.length; row++) {
      const change = direction[row] as number;
      if (change < 0) most = Math.min(most, (-0.9 * (at[row] as number)) / change);
    }
    let low = { length: 0, slope: start };
    let high = { length: Math.min(1, most), slope: slopeAt(Math.min(1, most)) };
    while (high.slope < 0 && high.length < most) {
      low = high;
      const length = Math.min(high.length * 4, most);
      high = { length, slope: slopeAt(length) };
    }
    // False position with halving of the stale end (Illinois), between a falling and a rising end.
    for (let turn = 0; turn < 60 && high.slope > 0; turn++) {
      const guess = low.length + ((high.length - low.length) * low.slope) / (low.slope - high.slope);
      const length = turn % 3 === 2 ? Math.sqrt(Math.max(low.length, high.length * 1e-8) * high.length) : guess;
      const slope = slopeAt(length);
      if (Math.abs(slope) <= 0.05 * Math.abs(start) && slope <= 0) return moved(length);
      if (slope < 0) {
        low = { length, slope };
        high = { ...high, slope: high.slope / 2 };
      } else {
        high = { length, slope };
        low = { ...low, slope: low.slope / 2 };
      }
      if (high.length - low.length <= 1e-15 * high.length) break;
    }
    return moved(high.slope > 0 ? low.length : high.length);
  }

  #flows(at: Float64Array, value: number): readonly BoundFlow[] {
    const flows: BoundFlow[] = [];
    for (const edge of this.#edges) {
      if (!(this.#gain(edge, at) > 0)) continue;
      const { input, output } = this.#supply;
      const share = (input * this.#priceOf(this.#market.from[edge] as number, at)) / value;
      if (share > SMALLEST_SHOWN) flows.push({ edge, input, output, share });
    }
    return flows.sort((a, b) => b.share - a.share);
  }
}

type Point = { readonly value: number; readonly gradient: Float64Array; readonly system: SparseSystem | null; readonly slack: number };

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/**
 * A lower bound on the input that buys a target, gas-free: the least input whose own bound on the output reaches it. Base units, from below. Null where no input does.
 * The bound grows with the input, so the input is bisected: first from just below `reached` downwards, by steps that double until they halve it, since a good route asks hardly more than the least; then between the ends.
 */
export function leastInputBound(market: Market, sell: number, buy: number, target: number, reached: number): number | null {
  const boundOf = (input: number): number => dualBound(market, sell, buy, input)?.bound ?? 0;
  if (!(boundOf(reached) >= target)) return null;
  let [low, high] = [0, reached];
  for (let turn = 0; turn < MOST_TURNS && high - low > CLOSE_ENOUGH * high; turn++) {
    const middle = low === 0 ? high * (1 - Math.min(0.5, 2 ** (turn - FIRST_GUESS))) : (low + high) / 2;
    if (boundOf(middle) >= target) high = middle;
    else low = middle;
  }
  return low;
}

/** Inputs are bisected to this share, the first guesses being near the input that a route needs. */
const CLOSE_ENOUGH = 1e-8;
const MOST_TURNS = 90;
const FIRST_GUESS = 24;
