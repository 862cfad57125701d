import type { Supply } from './curve-supply.ts';
import type { Market } from './market.ts';
import { type PoolAnswer, type PoolRoles, poolAnswer, type WholePool } from './pool-trade.ts';
import { SparseSystem } from './sparse-solve.ts';
import { type EdgeFlow, spread } from './spread.ts';

/**
 * What the descent looks for the prices of. With `given` at hand of one token and the price of another at 1, the value at prices p is given · p + Σ over pools of what an arbitrageur could gain:
 * in a sale the input is given and the bought token has the price 1, and the value bounds the output from above; in a purchase the target is given away (negative) at the bought token and the
 * sold token has the price 1, and less the value bounds the input from below.
 */
export type DescentTask = {
  readonly market: Market;
  /** Edges that may be used; of a pool of several tokens these say which tokens may enter and leave. */
  readonly edges: Int32Array;
  /** Prices to start from, above 0 for every token of the edges, by token. */
  readonly start: Float64Array;
  /** The token whose price is 1. */
  readonly unit: number;
  readonly given: { readonly token: number; readonly amount: number };
  /** The most that an edge of a pool of two tokens may take; absent: what its curve takes. */
  readonly rooms?: ReadonlyMap<number, number>;
  /** The search ends where the slack is this share of the value; absent: where it can go no further. */
  readonly closed?: number;
};

export type Rest = {
  readonly value: number;
  /** Worth of what the trades at these prices leave over or overdraw, all tokens together. */
  readonly slack: number;
  readonly steps: number;
  /** Worth of what is left over of the given token. */
  readonly left: number;
  /** By token; 0 for those without a say. */
  readonly prices: Float64Array;
  readonly flows: readonly EdgeFlow[];
  /** What the value has to grow by to bound also trades that enter a pool several times: what comes back of their fees, at most. */
  readonly returned: number;
};

const MOST_STEPS = 300;
/** Of the value: a slack below this is rounding. */
const CLOSED = 1e-10;
/** Share of the slack that has to point one way before all prices are moved together. */
const COMMON = 0.3;
const MOST_IDLE = 6;

type Point = { readonly value: number; readonly gradient: Float64Array; readonly system: SparseSystem | null; readonly slack: number };

/** A pool of several tokens: its own edges, what its tokens may do, and its answer at the prices last asked for. */
type Whole = {
  readonly pool: WholePool;
  readonly edges: readonly number[];
  readonly roles: PoolRoles;
  readonly prices: Float64Array;
  readonly answer: PoolAnswer;
};

/** Damped Newton on prices, relative to where they start. The value is convex in them; it is piecewise smooth, so the length of each step is searched. */
export function descend(task: DescentTask): Rest {
  return new Descent(task).run();
}

class Descent {
  readonly #task: DescentTask;
  /** That are alone in their pool: of two tokens, or of several that are entered once. */
  readonly #edges: Int32Array;
  readonly #wholes: readonly Whole[];
  /** Rows of the system by token; −1 for tokens without a say. */
  readonly #row: Int32Array;
  readonly #tokens: Int32Array;
  /** Of the value: what its last digits are worth. What a whole pool gains is told from all that it holds, which may be much more than the trade. */
  readonly #digits: number;
  readonly #supply: Supply = { input: 0, output: 0, compliance: 0 };

  constructor(task: DescentTask) {
    const { market, edges, unit, given } = task;
    this.#task = task;
    this.#wholes = wholesOf(market, edges);
    this.#digits = this.#wholes.length === 0 ? 0 : 1e-9;
    const joint = new Set(this.#wholes.flatMap((whole) => whole.edges));
    this.#edges = edges.filter((edge) => !joint.has(edge));
    const tokens = new Set<number>([given.token]);
    for (const edge of edges) {
      tokens.add(market.from[edge] as number);
      tokens.add(market.to[edge] as number);
    }
    tokens.delete(unit);
    this.#tokens = Int32Array.from(tokens);
    this.#row = new Int32Array(market.tokenCount).fill(-1);
    this.#tokens.forEach((token, row) => {
      this.#row[token] = row;
    });
  }

  run(): Rest {
    const size = this.#tokens.length;
    let at: Float64Array = new Float64Array(size).fill(1);
    let steps = 0;
    let point = this.#evaluate(at, true);
    let best = { at, point };
    let idle = 0;
    // Every value is a bound: the least of them counts, and of the points that are as low the one that leaves least open.
    let least = point.value;
    const closed = this.#task.closed ?? CLOSED;
    for (; steps < MOST_STEPS && point.slack > closed * Math.abs(point.value) && idle < MOST_IDLE; steps++) {
      const direction = this.#direction(at, point);
      at = this.#search(at, point, direction);
      let next = this.#evaluate(at, true);
      // Tokens that hang together have to fall together where the unit runs out: the curvature at a point does not tell, so try it.
      const common = dot(next.gradient, at);
      if (Math.abs(common) > COMMON * next.slack) {
        at = this.#search(
          at,
          next,
          at.map((value) => (common > 0 ? -value : value)),
        );
        next = this.#evaluate(at, true);
      }
      const falls = next.value < point.value - Math.abs(point.value) * 1e-14;
      idle = falls || next.slack < best.point.slack / 2 ? 0 : idle + 1;
      point = next;
      least = Math.min(least, point.value);
      const near = least + Math.abs(least) * this.#digits;
      if (best.point.value > near || (point.value <= near && point.slack < best.point.slack)) best = { at, point };
    }
    const { slack, gradient } = best.point;
    const prices = Float64Array.from({ length: this.#task.market.tokenCount }, (_, token) => this.#priceOf(token, best.at));
    const givenRow = this.#row[this.#task.given.token] as number;
    const left = (gradient[givenRow] as number) * (best.at[givenRow] as number);
    const flows = this.#flows(best.at);
    // Each answer is that of the best prices now.
    const returned = this.#wholes.reduce((sum, whole) => sum + whole.pool.returned(whole.prices, whole.answer), 0);
    return { value: least, slack, steps, left, prices, flows, returned };
  }

  #scaleOf(token: number): number {
    return this.#task.start[token] as number;
  }

  #priceOf(token: number, at: Float64Array): number {
    const row = this.#row[token] as number;
    return row < 0 ? (token === this.#task.unit ? 1 : 0) : this.#scaleOf(token) * (at[row] as number);
  }

  /** Value of the dual and its gradient (what is left of each token, in worth), with the system of its curvature where asked for. */
  #evaluate(at: Float64Array, curvature: boolean): Point {
    const size = this.#tokens.length;
    const { given, market } = this.#task;
    const gradient = new Float64Array(size);
    const system = curvature ? new SparseSystem(size) : null;
    const givenRow = this.#row[given.token] as number;
    gradient[givenRow] = given.amount * this.#scaleOf(given.token);
    let value = (gradient[givenRow] as number) * (at[givenRow] as number);
    const give = (token: number, amount: number): void => {
      const row = this.#row[token] as number;
      if (row >= 0) gradient[row] = (gradient[row] as number) + amount * this.#scaleOf(token);
    };
    for (const edge of this.#edges) {
      const gain = this.#gain(edge, at);
      if (gain <= 0) continue;
      value += gain;
      const [from, to] = [market.from[edge] as number, market.to[edge] as number];
      give(from, -this.#supply.input);
      give(to, this.#supply.output);
      // Of the gain by the logarithms of the two prices.
      const stiffness = (this.#supply.compliance * this.#priceOf(from, at) ** 2) / this.#priceOf(to, at);
      if (system !== null && stiffness > 0) this.#stiffen(system, at, from, to, stiffness);
    }
    for (const whole of this.#wholes) {
      const gain = this.#gainOfWhole(whole, at);
      if (gain <= 0) continue;
      value += gain;
      const { pool, answer } = whole;
      for (const [position, token] of pool.tokens.entries()) give(token, answer.net[position] as number);
      if (system !== null) this.#stiffenWhole(system, at, whole);
    }
    let slack = 0;
    for (let row = 0; row < size; row++) slack += Math.abs((gradient[row] as number) * (at[row] as number));
    return { value, gradient, system, slack };
  }

  /** What an arbitrageur gains on an edge at the prices; leaves its trade in #supply. */
  #gain(edge: number, at: Float64Array): number {
    const { market, rooms } = this.#task;
    const priceIn = this.#priceOf(market.from[edge] as number, at);
    const priceOut = this.#priceOf(market.to[edge] as number, at);
    const rate = priceIn / priceOut;
    if (!(rate < (market.firstRate[edge] as number))) return 0;
    const supply = this.#supply;
    market.supply(edge, rate, supply);
    const room = rooms?.get(edge);
    if (room !== undefined && supply.input > room) {
      supply.input = room;
      supply.output = market.output(edge, room);
      supply.compliance = 0;
    }
    return priceOut * supply.output - priceIn * supply.input;
  }

  #gainOfWhole({ pool, roles, prices, answer }: Whole, at: Float64Array): number {
    for (const [position, token] of pool.tokens.entries())
      prices[position] = roles.enters[position] === 0 && roles.leaves[position] === 0 ? 0 : this.#priceOf(token, at);
    return pool.gain(prices, roles, answer);
  }

  #stiffenWhole(system: SparseSystem, at: Float64Array, { pool, answer }: Whole): void {
    const { tokens } = pool;
    for (let i = 0; i < tokens.length; i++) {
      for (let j = i + 1; j < tokens.length; j++) {
        const stiffness = answer.stiffness[i * tokens.length + j] as number;
        if (stiffness !== 0) this.#stiffen(system, at, tokens[i] as number, tokens[j] as number, stiffness);
      }
    }
  }

  /** A term stiffness · (1, −1)(1, −1)ᵀ in the logarithms of two prices, written for the prices relative to where they start. */
  #stiffen(system: SparseSystem, at: Float64Array, a: number, b: number, stiffness: number): void {
    const [rowA, rowB] = [this.#row[a] as number, this.#row[b] as number];
    const [ofA, ofB] = [1 / (at[rowA] as number), 1 / (at[rowB] as number)];
    if (rowA >= 0) system.addDiagonal(rowA, stiffness * ofA * ofA);
    if (rowB >= 0) system.addDiagonal(rowB, stiffness * ofB * ofB);
    if (rowA >= 0 && rowB >= 0) system.addPair(rowA, rowB, -stiffness * ofA * ofB);
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

  /** Every edge that trades at the prices. */
  #flows(at: Float64Array): readonly EdgeFlow[] {
    const flows: EdgeFlow[] = [];
    for (const edge of this.#edges) {
      if (this.#gain(edge, at) > 0) flows.push({ edge, input: this.#supply.input, output: this.#supply.output });
    }
    for (const whole of this.#wholes) {
      if (this.#gainOfWhole(whole, at) > 0) flows.push(...spread(this.#task.market, whole, whole.answer.net));
    }
    return flows;
  }
}

function wholesOf(market: Market, edges: Int32Array): readonly Whole[] {
  const byPool = new Map<number, number[]>();
  for (const edge of edges) {
    const number = market.whole[edge] as number;
    if (number < 0) continue;
    const known = byPool.get(number);
    if (known === undefined) byPool.set(number, [edge]);
    else known.push(edge);
  }
  const several = [...byPool].filter(([, own]) => own.length > 1);
  return several.map(([number, own]) => {
    const pool = market.wholePools[number] as WholePool;
    const size = pool.tokens.length;
    const roles = { enters: new Uint8Array(size), leaves: new Uint8Array(size) };
    for (const edge of own) {
      const [from, to] = [pool.tokens.indexOf(market.from[edge] as number), pool.tokens.indexOf(market.to[edge] as number)];
      roles.enters[from] = (roles.enters[from] as number) + 1;
      roles.leaves[to] = (roles.leaves[to] as number) + 1;
    }
    return { pool, edges: own, roles, prices: new Float64Array(size), answer: poolAnswer(size) };
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
