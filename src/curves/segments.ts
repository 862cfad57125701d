import type { SegmentsCurve } from '../snapshot/snapshot.ts';
import type { CurveFlow } from './flow.ts';
import type { CurveTangent } from './tangent.ts';

/** Numbers a piece in the columns: x0, y0, reserveIn, reserveOut. */
const PIECE = 4;

export function segmentsStartPrice(curve: SegmentsCurve): number {
  return curve.keep * (at(curve, 3) / at(curve, 2));
}

/** Output for an input of 0 … capacity. */
export function segmentsOutput(curve: SegmentsCurve, input: number): number {
  const { columns } = curve;
  const x = input * curve.keep;
  const base = pieceAtInput(columns, x);
  const d = x - at(curve, base);
  return at(curve, base + 1) + (at(curve, base + 3) * d) / (at(curve, base + 2) + d);
}

export function segmentsTangent(curve: SegmentsCurve, input: number, tangent: CurveTangent): void {
  const x = input * curve.keep;
  const base = pieceAtInput(curve.columns, x);
  const reserveIn = at(curve, base + 2);
  const reserveOut = at(curve, base + 3);
  const d = x - at(curve, base);
  const reach = reserveIn + d;
  tangent.output = at(curve, base + 1) + (reserveOut * d) / reach;
  tangent.marginal = (curve.keep * reserveOut * (reserveIn / reach)) / reach;
  tangent.bend = (2 * curve.keep * tangent.marginal) / reach;
}

/** The smallest input that yields an output, Infinity when no input does. */
export function segmentsInputFor(curve: SegmentsCurve, output: number): number {
  const { columns } = curve;
  let low = 0;
  let high = columns.length / PIECE - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (at(curve, middle * PIECE + 1) <= output) low = middle;
    else high = middle - 1;
  }
  const base = low * PIECE;
  const out = output - at(curve, base + 1);
  const reserveOut = at(curve, base + 3);
  if (out >= reserveOut) return Infinity;
  const input = (at(curve, base) + (out * at(curve, base + 2)) / (reserveOut - out)) / curve.keep;
  return input <= curve.capacity ? input : Infinity;
}

/** The flow at which the marginal price has fallen to `price`: closed form in the one piece that a binary search finds. */
export function segmentsFlowAt(curve: SegmentsCurve, price: number, flow: CurveFlow): void {
  const { columns, keep } = curve;
  let low = 0;
  let high = columns.length / PIECE - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (keep * at(curve, middle * PIECE + 3) > price * at(curve, middle * PIECE + 2)) low = middle;
    else high = middle - 1;
  }
  const base = low * PIECE;
  const x0 = at(curve, base);
  const reserveIn = at(curve, base + 2);
  const reserveOut = at(curve, base + 3);
  const end = base + PIECE < columns.length ? at(curve, base + PIECE) : curve.capacity * keep;
  const width = Math.max(0, end - x0);
  const reach = reserveIn * Math.sqrt((keep * (reserveOut / reserveIn)) / price);
  const d = reach - reserveIn;
  if (!(d > 0)) setFlow(flow, x0 / keep, at(curve, base + 1));
  else if (d >= width) setFlow(flow, (x0 + width) / keep, at(curve, base + 1) + (reserveOut * width) / (reserveIn + width));
  else setFlow(flow, (x0 + d) / keep, at(curve, base + 1) + (reserveOut * d) / reach);
}

/** Gas units of a swap of this input. */
export function segmentsGas(curve: SegmentsCurve, input: number): number {
  const x = input * curve.keep;
  const base = pieceAtInput(curve.columns, x);
  const gas = curve.gas + curve.gasPerPiece * (base / PIECE);
  return curve.gasPerLogPrice === 0 ? gas : gas + curve.gasPerLogPrice * logPriceFall(curve, base, x);
}

/** How far the logarithm of the marginal price has fallen at x, in the piece at `base`. The fee is the same before and after. */
function logPriceFall(curve: SegmentsCurve, base: number, x: number): number {
  const reserveIn = at(curve, base + 2);
  const bend = (reserveIn + (x - at(curve, base))) / reserveIn;
  const start = at(curve, 3) / at(curve, 2);
  return Math.log((start / (at(curve, base + 3) / reserveIn)) * bend * bend);
}

function pieceAtInput(columns: Float64Array, x: number): number {
  let low = 0;
  let high = columns.length / PIECE - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((columns[middle * PIECE] as number) <= x) low = middle;
    else high = middle - 1;
  }
  return low * PIECE;
}

function at(curve: SegmentsCurve, index: number): number {
  return curve.columns[index] as number;
}

function setFlow(flow: CurveFlow, input: number, output: number): void {
  flow.input = input;
  flow.output = output;
}
