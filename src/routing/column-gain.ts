import { LIMITS } from '../config/limits.ts';
import { curveFlowAt, curveTangent } from './curves/curves.ts';
import { emptyFlow } from './curves/flow.ts';
import { emptyTangent } from './curves/tangent.ts';
import type { EdgeModel } from './pool-models.ts';
import type { Column, ColumnHop } from './profitable-columns.ts';
import type { SetAside } from './set-aside.ts';

/** What a column would do if the prices of its ends stayed. */
export type ColumnGain = {
  /** Worth gained. By duality no network that takes the column in can gain more. */
  readonly gain: number;
  /** Input at which its marginal price has come down to that of its ends, base units. */
  readonly input: number;
};

/** The gain of a column with at most `most` base units going in: what tells a deep pool at a good price from dust at a splendid one. */
export function columnGain(column: Column, most: number): ColumnGain {
  const needed = column.priceFrom / column.priceTo;
  const input = column.hops.length === 1 ? flowOfEdge(column.hops[0] as ColumnHop, needed, most) : flowOfChain(column.hops, needed, most);
  return { gain: column.priceTo * carry(column.hops, input).output - column.priceFrom * input, input };
}

/**
 * Sets aside the edges of a column that could not gain `least` though all the other hops kept their start prices, with the edges beside them that are no better: no column
 * through them is worth more. Closed form, where the gain of the whole column is a search. Says whether there were any.
 */
export function setAsideShallow(column: Column, least: number, setAside: SetAside): boolean {
  const product = column.hops.reduce((price, { edge }) => price * edge.startPrice, 1);
  let before = 1;
  let found = false;
  for (const { edge, edges } of column.hops) {
    // Worth of a base unit that goes in, and that comes out.
    const cost = column.priceFrom / before;
    const value = (column.priceTo * product) / (before * edge.startPrice);
    before *= edge.startPrice;
    const ratio = value / cost;
    if (setAside.hasAt(edge, ratio)) found = true;
    else if (edgeGain(edge, cost, value) <= least) {
      found = true;
      for (const beside of edges) {
        if (beside.startPrice * value <= cost) break;
        if (!setAside.hasAt(beside, ratio) && edgeGain(beside, cost, value) <= least) setAside.add(beside, ratio);
      }
    }
  }
  return found;
}

function edgeGain({ curve }: EdgeModel, cost: number, value: number): number {
  curveFlowAt(curve, cost / value, flow);
  return value * flow.output - cost * flow.input;
}

/** The hop whose price comes down most where a column carries an input. */
export function shallowestHop({ hops }: Column, input: number): ColumnHop {
  let shallowest = hops[0] as ColumnHop;
  let least = Infinity;
  let amount = input;
  for (const hop of hops.length === 1 ? [] : hops) {
    const { curve, startPrice } = hop.edge;
    curveTangent(curve, Math.min(amount, curve.capacity), tangent);
    amount = tangent.output;
    const left = tangent.marginal / startPrice;
    if (left >= least) continue;
    least = left;
    shallowest = hop;
  }
  return shallowest;
}

/** Output of a chain of edges, and its marginal price; 0 beyond a capacity. */
function carry(hops: readonly ColumnHop[], input: number): { readonly output: number; readonly marginal: number } {
  let amount = input;
  let marginal = 1;
  for (const { edge } of hops) {
    if (amount > edge.curve.capacity) marginal = 0;
    curveTangent(edge.curve, Math.min(amount, edge.curve.capacity), tangent);
    amount = tangent.output;
    marginal *= tangent.marginal;
  }
  return { output: amount, marginal };
}

const tangent = emptyTangent();
const flow = emptyFlow();

function flowOfEdge({ edge }: ColumnHop, needed: number, most: number): number {
  curveFlowAt(edge.curve, needed, flow);
  return Math.min(flow.input, most);
}

/** Bisection on the logarithm of the input. */
function flowOfChain(hops: readonly ColumnHop[], needed: number, most: number): number {
  if (carry(hops, most).marginal >= needed) return most;
  let low = most * SMALLEST;
  let high = most;
  for (let step = 0; step < LIMITS.routing.columnBisections; step++) {
    const middle = Math.sqrt(low * high);
    if (carry(hops, middle).marginal >= needed) low = middle;
    else high = middle;
  }
  return low;
}

/** Share of the most below which a column counts as carrying nothing. */
const SMALLEST = 1e-12;
