import type { WeightedCurve } from '../snapshot/snapshot.ts';
import type { CurveFlow } from './flow.ts';
import type { CurveTangent } from './tangent.ts';

export function weightedStartPrice(curve: WeightedCurve): number {
  return (curve.keep * curve.balanceOut * curve.exponent) / curve.balanceIn;
}

export function weightedOutput(curve: WeightedCurve, input: number): number {
  // −expm1(−e·ln(1 + x)) equals 1 − (b / (b + x))^e without losing the digits of a small trade.
  return -curve.balanceOut * Math.expm1(-curve.exponent * Math.log1p((input * curve.keep) / curve.balanceIn));
}

export function weightedTangent(curve: WeightedCurve, input: number, tangent: CurveTangent): void {
  const growth = Math.log1p((input * curve.keep) / curve.balanceIn);
  tangent.output = -curve.balanceOut * Math.expm1(-curve.exponent * growth);
  tangent.marginal = weightedStartPrice(curve) * Math.exp(-(curve.exponent + 1) * growth);
  tangent.bend = (tangent.marginal * (curve.exponent + 1) * curve.keep) / (curve.balanceIn + input * curve.keep);
}

/** The smallest input that yields an output, Infinity when no input does. */
export function weightedInputFor(curve: WeightedCurve, output: number): number {
  if (output >= curve.balanceOut) return Infinity;
  const input = (curve.balanceIn * Math.expm1(-Math.log1p(-output / curve.balanceOut) / curve.exponent)) / curve.keep;
  return input <= curve.capacity ? input : Infinity;
}

/** The flow at which the marginal price has fallen to `price`. */
export function weightedFlowAt(curve: WeightedCurve, price: number, flow: CurveFlow): void {
  const growth = Math.log(weightedStartPrice(curve) / price) / (curve.exponent + 1);
  const input = Math.max(0, (curve.balanceIn * Math.expm1(growth)) / curve.keep);
  flow.input = Math.min(input, curve.capacity);
  flow.output = weightedOutput(curve, flow.input);
}
