import type { Curve } from '../snapshot/snapshot.ts';
import type { CurveFlow } from './flow.ts';
import type { FlowCurve } from './flow-curve.ts';
import { segmentsFlowAt, segmentsGas, segmentsInputFor, segmentsOutput, segmentsStartPrice, segmentsTangent } from './segments.ts';
import { stableFlowAt, stableInputFor, stableOutput, stableStartPrice, stableTangent } from './stable.ts';
import { depositInputAt, depositOutput, depositTangent, withdrawalInputAt, withdrawalOutput, withdrawalTangent } from './star.ts';
import type { CurveTangent } from './tangent.ts';
import { weightedFlowAt, weightedInputFor, weightedOutput, weightedStartPrice, weightedTangent } from './weighted.ts';

// The front door of the curves room: the float model of a pool in one direction. The search and the prices of tokens see no venue, only these questions to a curve.
// Inputs and outputs are base units (of a star's hub: units of its invariant), prices units out per unit in.

export { type CurveFlow, emptyFlow } from './flow.ts';
export type { FlowCurve } from './flow-curve.ts';
export { segmentsGas } from './segments.ts';
export { type DepositCurve, depositOutput, type WithdrawalCurve, withdrawalInputAt, withdrawalInputFor, withdrawalOutput } from './star.ts';
export { type Strand, strandsOf } from './strands.ts';
export { type CurveTangent, emptyTangent } from './tangent.ts';

/** Marginal price at no flow. */
export function curveStartPrice(curve: Curve): number {
  switch (curve.kind) {
    case 'segments':
      return segmentsStartPrice(curve);
    case 'weighted':
      return weightedStartPrice(curve);
    case 'stable':
      return stableStartPrice(curve);
    default:
      return unknownKind(curve);
  }
}

/** Output for an input; −1 beyond the capacity. */
export function curveOutput(curve: FlowCurve, input: number): number {
  if (!(input <= curve.capacity)) return -1;
  switch (curve.kind) {
    case 'segments':
      return segmentsOutput(curve, input);
    case 'weighted':
      return weightedOutput(curve, input);
    case 'stable':
      return stableOutput(curve, input);
    case 'deposit':
      return depositOutput(curve, input);
    case 'withdrawal':
      return withdrawalOutput(curve, input);
    default:
      return unknownKind(curve);
  }
}

/** Writes output, marginal price and bend at an input of 0 … capacity into `tangent`. */
export function curveTangent(curve: FlowCurve, input: number, tangent: CurveTangent): void {
  switch (curve.kind) {
    case 'segments':
      segmentsTangent(curve, input, tangent);
      return;
    case 'weighted':
      weightedTangent(curve, input, tangent);
      return;
    case 'stable':
      stableTangent(curve, input, tangent);
      return;
    case 'deposit':
      depositTangent(curve, input, tangent);
      return;
    case 'withdrawal':
      withdrawalTangent(curve, input, tangent);
      return;
    default:
      unknownKind(curve);
  }
}

/** The smallest input that yields an output; Infinity when none does. */
export function curveInputFor(curve: Curve, output: number): number {
  switch (curve.kind) {
    case 'segments':
      return segmentsInputFor(curve, output);
    case 'weighted':
      return weightedInputFor(curve, output);
    case 'stable':
      return stableInputFor(curve, output);
    default:
      return unknownKind(curve);
  }
}

/** Writes the largest flow whose marginal price is at least `price` (above 0) into `flow`. */
export function curveFlowAt(curve: FlowCurve, price: number, flow: CurveFlow): void {
  switch (curve.kind) {
    case 'segments':
      segmentsFlowAt(curve, price, flow);
      return;
    case 'weighted':
      weightedFlowAt(curve, price, flow);
      return;
    case 'stable':
      stableFlowAt(curve, price, flow);
      return;
    case 'deposit':
      flow.input = depositInputAt(curve, price);
      flow.output = depositOutput(curve, flow.input);
      return;
    case 'withdrawal':
      flow.input = withdrawalInputAt(curve, price);
      flow.output = withdrawalOutput(curve, flow.input);
      return;
    default:
      unknownKind(curve);
  }
}

/** Gas units of a swap of this input. */
export function curveGas(curve: Curve, input: number): number {
  return curve.kind === 'segments' ? segmentsGas(curve, input) : curve.gas;
}

function unknownKind(curve: never): never {
  throw new TypeError(`no curve of this kind: ${JSON.stringify(curve)}`);
}
