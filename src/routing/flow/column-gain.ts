import { LIMITS } from '../../config/limits.ts';
import { curveFlowAt, curveOutput, curveTangent, emptyFlow, emptyTangent, type FlowCurve } from '../../curves/curves.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import { type Column, type ColumnHop, curveOf, startPriceOf } from './column.ts';

/** What a column would do if the prices of its ends stayed. */
export type ColumnGain = {
  /** Worth gained. By duality no network that takes the column in can gain more. */
  readonly gain: number;
  /** Input at which its marginal price has come down to that of its ends, base units. */
  readonly input: number;
};

/** The reduced gain of a column with at most `most` units going in: what tells a deep pool at a good price from dust at a splendid one. */
export function columnGain(column: Column, most: number): ColumnGain {
  const needed = column.priceFrom / column.priceTo;
  const input = column.hops.length === 1 ? flowOfEdge(column.hops[0] as ColumnHop, needed, most) : flowOfChain(column.hops, needed, most);
  return { gain: column.priceTo * carry(column.hops, input).output - column.priceFrom * input, input };
}

/** What a unit costs that comes to a hop, were all hops before it at their start prices. */
export function costAt({ hops, priceFrom }: Column, index: number): number {
  let cost = priceFrom;
  for (let at = 0; at < index; at++) cost /= startPriceOf(hops[at] as ColumnHop);
  return cost;
}

/** What a unit is worth that leaves a hop, were all hops after it at their start prices. */
export function valueAfter({ hops, priceTo }: Column, index: number): number {
  let value = priceTo;
  for (let at = index + 1; at < hops.length; at++) value *= startPriceOf(hops[at] as ColumnHop);
  return value;
}

/** The most that an edge gains between two such prices. Closed form, where `columnGain` is a search. A column gains no more than any of its hops does so. */
export function edgeGain(curve: FlowCurve, cost: number, value: number): number {
  curveFlowAt(curve, cost / value, flow);
  return value * flow.output - cost * flow.input;
}

/** How many times the least gain an edge would make of a trial, were it to keep its start price. */
const TRIAL = 4;

/** Whether an edge gains more than `least` between two such prices: deep ones do already on a trade so small that their price hardly moves, which is quickly tried. */
export function gainsMore({ curve, startPrice }: EdgeModel, cost: number, value: number, least: number): boolean {
  const input = (TRIAL * least) / (startPrice * value - cost);
  return (input <= curve.capacity && value * curveOutput(curve, input) - cost * input > least) || edgeGain(curve, cost, value) > least;
}

/** The hop whose price comes down most where a column carries an input. */
export function shallowestHop({ hops }: Column, input: number): ColumnHop {
  let shallowest = hops[0] as ColumnHop;
  let least = Infinity;
  let amount = input;
  for (const hop of hops.length === 1 ? [] : hops) {
    const curve = curveOf(hop);
    curveTangent(curve, Math.min(amount, curve.capacity), tangent);
    amount = tangent.output;
    const left = tangent.marginal / startPriceOf(hop);
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
  for (const hop of hops) {
    const curve = curveOf(hop);
    if (amount > curve.capacity) marginal = 0;
    curveTangent(curve, Math.min(amount, curve.capacity), tangent);
    amount = tangent.output;
    marginal *= tangent.marginal;
  }
  return { output: amount, marginal };
}

const tangent = emptyTangent();
const flow = emptyFlow();

function flowOfEdge(hop: ColumnHop, needed: number, most: number): number {
  curveFlowAt(curveOf(hop), needed, flow);
  return Math.min(flow.input, most);
}

/**
 * The input at which the marginal price of a chain has come down to what is needed. Of constant products in a row 1 / √price is a line in the input, which a chord meets at once; by turns with halving on the logarithm, since others
 * are no lines.
 */
function flowOfChain(hops: readonly ColumnHop[], needed: number, most: number): number {
  const wanted = 1 / Math.sqrt(needed);
  const start = 1 / Math.sqrt(hops.reduce((price, hop) => price * startPriceOf(hop), 1));
  let [low, high] = [0, most];
  let [atLow, atHigh] = [start, 1 / Math.sqrt(carry(hops, most).marginal)];
  if (atHigh <= wanted) return most;
  for (let step = 0; step < LIMITS.routing.columnSteps; step++) {
    const chord = low + ((wanted - atLow) / (atHigh - atLow)) * (high - low);
    const middle = step % 2 === 0 && chord > low ? chord : Math.sqrt(Math.max(low, most * SMALLEST) * high);
    const at = 1 / Math.sqrt(carry(hops, middle).marginal);
    if (Math.abs(at - wanted) <= CLOSE * (wanted - start)) return middle;
    if (at < wanted) [low, atLow] = [middle, at];
    else [high, atHigh] = [middle, at];
  }
  return low;
}

/** Share of the most below which a column counts as carrying nothing; and how close to the needed price it has to come, as a part of how far it falls: the gain is flat there. */
const SMALLEST = 1e-12;
const CLOSE = 0.02;
