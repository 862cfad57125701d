import type { StableCurve } from '../snapshot/snapshot.ts';
import type { PoolAnswer, PoolRoles, WholePool } from './pool-trade.ts';

type Pair = { readonly from: number; readonly to: number; readonly curve: StableCurve };

/**
 * A pool at a fixed invariant D: g(b) = A·n·Σb − D^(n+1) / (n^n · Πb) may not fall, with b the balances in their common unit. g is concave, so the best trade at prices p is where
 * p = μ · ∂g/∂b = μ · (A·n + P / b) for what moves, with P = D^(n+1) / (n^n · Πb): b = P / (p / μ − A·n). For each μ the logarithm of P is found from a sum that is piecewise linear in it, and μ
 * from g, which grows with it.
 */
export function stablePool(tokens: Int32Array, pairs: readonly Pair[]): WholePool | null {
  const facts = readPairs(tokens.length, pairs);
  if (facts === null) return null;
  return {
    tokens,
    gain: (prices, roles, answer) => gainOf(facts, prices, roles, answer),
    returned: (prices, { net }) => net.reduce((sum, amount, token) => sum + (amount > 0 ? (prices[token] as number) * returnedOf(facts, token, amount) : 0), 0),
  };
}

type Facts = {
  readonly ann: number;
  readonly balances: Float64Array;
  /** Base units that come in or go out for one common unit of the invariant, fee included. */
  readonly unitIn: Float64Array;
  readonly unitOut: Float64Array;
  /** What stays of each unit that goes out; 0 where the fee is on what enters. */
  readonly fee: number;
  /** The largest balance that what enters can lead to. */
  readonly most: Float64Array;
  /** P at the balances. */
  readonly product: number;
};

function readPairs(size: number, pairs: readonly Pair[]): Facts | null {
  const known = pairs[0]?.curve;
  if (known === undefined) return null;
  const [balances, scales, room] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  for (const { from, to, curve } of pairs) {
    balances[from] = curve.balances[curve.slotIn] as number;
    balances[to] = curve.balances[curve.slotOut] as number;
    scales[from] = curve.scaleIn;
    scales[to] = curve.scaleOut;
    room[from] = (room[from] as number) + curve.capacity;
  }
  if (scales.some((scale) => !(scale > 0))) return null;
  // Where the fee depends on the pair, the smallest of them bounds the others.
  const keep = Math.max(...pairs.map(({ curve }) => curve.keep));
  const unitIn = scales.map((scale) => 1 / (scale * (known.feeOnOutput ? 1 : keep)));
  const unitOut = scales.map((scale) => (known.feeOnOutput ? keep : 1) / scale);
  const most = balances.map((balance, token) => balance + (room[token] as number) / (unitIn[token] as number));
  // Over all tokens of the pool, those that no pair trades included.
  const product = known.balances.reduce((terms, balance) => terms * (known.invariant / (balance * known.balances.length)), known.invariant);
  return { fee: known.feeOnOutput ? (1 - keep) / keep : 0, ann: known.ann, balances, unitIn, unitOut, most, product };
}

/**
 * A fee on the output stays as balance of the token that left. More of it gives a later entry more: on a constant product the part of it that the trade takes of the balance, here up to twice
 * that, and never more than the fee.
 */
function returnedOf({ fee, balances, unitOut }: Facts, token: number, amount: number): number {
  const part = amount / (unitOut[token] as number) / (balances[token] as number);
  return amount * fee * Math.min(1, 2 * part);
}

/** Rounds of the searches; all end well before. */
const MOST_TURNS = 80;

function gainOf(facts: Facts, prices: Float64Array, { enters, leaves }: PoolRoles, { net, stiffness }: PoolAnswer): number {
  const { ann, balances, unitIn, unitOut, most, product } = facts;
  const size = balances.length;
  net.fill(0);
  stiffness.fill(0);
  // What a common unit costs to put in, and brings when taken out.
  const cost = unitIn.map((unit, token) => (enters[token] !== 0 ? unit * (prices[token] as number) : Number.POSITIVE_INFINITY));
  const worth = unitOut.map((unit, token) => (leaves[token] !== 0 ? unit * (prices[token] as number) : 0));
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (let token = 0; token < size; token++) {
    const slope = ann + product / (balances[token] as number);
    low = Math.min(low, (cost[token] as number) / slope);
    high = Math.max(high, (worth[token] as number) / slope);
  }
  if (!(low < high)) return 0;
  const above = rootOf((multiplier) => ({ multiplier, ...pointAt(facts, cost, worth, multiplier) }), low, high);
  const { multiplier, ends, scale, excess } = above;
  // What is left of g is taken out too, so that the trade lies on the surface.
  const taker = ends.reduce((best, end, token) => (end < (balances[token] as number) && end > (ends[best] ?? 0) ? token : best), -1);
  if (taker >= 0) ends[taker] = (ends[taker] as number) - excess / (ann + scale / (ends[taker] as number));
  let gain = 0;
  for (let token = 0; token < size; token++) {
    const entered = (ends[token] as number) - (balances[token] as number);
    net[token] = -entered * ((entered > 0 ? unitIn[token] : unitOut[token]) as number);
    gain += (prices[token] as number) * (net[token] as number);
  }
  addStiffness({ ends, scale, multiplier, cost, worth, balances, most }, stiffness);
  return gain;
}

type Multiplied = Ends & { readonly multiplier: number };

/**
 * The multiplier at which g is what it was, from just above. Without any trade that gains the two starts would be in the other order: what leaves makes what enters dearer, so the root may lie
 * outside of them, and they are moved apart.
 */
function rootOf(at: (multiplier: number) => Multiplied, low: number, high: number): Multiplied {
  let [below, above] = [at(low), at(high)];
  let apart = high / low - 1;
  for (let turn = 0; turn < MOST_TURNS && below.excess > 0; turn++, apart *= 2) [above, below] = [below, at(below.multiplier / (1 + apart))];
  for (let turn = 0; turn < MOST_TURNS && above.excess < 0; turn++, apart *= 2) [below, above] = [above, at(above.multiplier * (1 + apart))];
  // False position with halving of the stale end (Illinois).
  let [fall, rise] = [below.excess, above.excess];
  for (let turn = 0; turn < MOST_TURNS && rise > 0; turn++) {
    const width = above.multiplier - below.multiplier;
    const guess = turn % 8 === 7 ? below.multiplier + width / 2 : below.multiplier - (fall * width) / (rise - fall);
    if (!(guess > below.multiplier && guess < above.multiplier)) break;
    const next = at(guess);
    if (next.excess >= 0) [above, rise, fall] = [next, next.excess, fall / 2];
    else [below, fall, rise] = [next, next.excess, rise / 2];
  }
  return above;
}

type Ends = { readonly ends: Float64Array; readonly scale: number; readonly excess: number };

/** Balances for a multiplier, P there, and how much g is above where it started. */
function pointAt({ ann, balances, most, product }: Facts, cost: Float64Array, worth: Float64Array, multiplier: number): Ends {
  const size = balances.length;
  const [enters, leaves] = [new Float64Array(size), new Float64Array(size)];
  for (let token = 0; token < size; token++) {
    const [dear, cheap] = [(cost[token] as number) / multiplier - ann, (worth[token] as number) / multiplier - ann];
    // Balances over P; without end where even an infinite one is worth it, or no finite one is given away.
    enters[token] = dear > 0 ? 1 / dear : Number.POSITIVE_INFINITY;
    leaves[token] = cheap > 0 ? 1 / cheap : Number.POSITIVE_INFINITY;
  }
  const endOf = (token: number, scale: number): number => {
    const balance = balances[token] as number;
    const entered = scale * (enters[token] as number);
    if (entered > balance) return Math.min(entered, most[token] as number);
    return Math.min(balance, scale * (leaves[token] as number));
  };
  // log(P / product) + Σ log(b / balance) = 0, by Newton: it has straight pieces, and grows.
  let scale = product;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    let [sum, moving] = [Math.log(scale / product), 1];
    for (let token = 0; token < size; token++) {
      const end = endOf(token, scale);
      sum += Math.log(end / (balances[token] as number));
      if (end !== balances[token] && end !== most[token]) moving++;
    }
    // From bend to bend it may go back and forth; with the steepest slope it does not.
    const next = scale * Math.exp(-sum / (turn < MOST_TURNS / 4 ? moving : size + 1));
    if (!(Math.abs(next - scale) > 1e-16 * scale)) break;
    scale = next;
  }
  const ends = balances.map((_, token) => endOf(token, scale));
  // P as the balances have it, not as the search left it.
  const exact = ends.reduce((terms, end, token) => terms * ((balances[token] as number) / end), product);
  const moved = ends.reduce((sum, end, token) => sum + (end - (balances[token] as number)), 0);
  return { ends, scale: exact, excess: ann * moved - (exact - product) };
}

type Moved = {
  readonly ends: Float64Array;
  readonly scale: number;
  readonly multiplier: number;
  readonly cost: Float64Array;
  readonly worth: Float64Array;
  readonly balances: Float64Array;
  readonly most: Float64Array;
};

/**
 * By implicit differentiation on what moves: −db = (M⁻¹ − h·hᵀ / (hᵀ∇g))·dp, with M = μP·(diag(1/b²) + (1/b)(1/b)ᵀ) and h = M⁻¹∇g. On the logarithms of prices, so times p on both sides;
 * rows then add up to zero since p = μ∇g.
 */
function addStiffness({ ends, scale, multiplier, cost, worth, balances, most }: Moved, stiffness: Float64Array): void {
  const size = ends.length;
  const moving = [...ends.keys()].filter((token) => ends[token] !== balances[token] && ends[token] !== most[token]);
  // p · b of each.
  const held = moving.map((token) => (ends[token] as number) * (((ends[token] as number) > (balances[token] as number) ? cost : worth)[token] as number));
  const whole = multiplier * scale;
  const sum = held.reduce((total, each) => total + each, 0);
  const share = 1 / (1 + held.length);
  // p · h up to a factor, and its product with p.
  const along = held.map((each) => each * each - each * sum * share);
  const total = along.reduce((all, each) => all + each, 0);
  if (!(total > 0)) return;
  moving.forEach((i, row) => {
    moving.forEach((j, column) => {
      if (i === j) return;
      const inverse = -(held[row] as number) * (held[column] as number) * share;
      stiffness[i * size + j] = -(inverse - ((along[row] as number) * (along[column] as number)) / total) / whole;
    });
  });
}
