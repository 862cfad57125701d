import type { Curve, StableCurve } from '../../snapshot/snapshot.ts';

/** Base units out per base unit in of a vanishingly small trade, after the fee; 0 where the curve takes nothing. */
export function startRate(curve: Curve): number {
  const rate = rateOf(curve);
  return curve.capacity > 0 && rate > 0 && rate < Infinity ? rate : 0;
}

function rateOf(curve: Curve): number {
  switch (curve.kind) {
    case 'segments':
      return (curve.keep * (curve.columns[3] ?? 0)) / (curve.columns[2] ?? 0);
    case 'weighted':
      return (curve.keep * curve.exponent * curve.balanceOut) / curve.balanceIn;
    case 'stable':
      return stableRate(curve);
    default:
      return unknownKind(curve);
  }
}

/** How much input lets the rate fall to an e-th, if it went on falling as at first; at most what the curve takes. */
export function startDepth(curve: Curve): number {
  return Math.min(curve.capacity, depthOf(curve));
}

function depthOf(curve: Curve): number {
  switch (curve.kind) {
    case 'segments':
      return (curve.columns[2] ?? 0) / (2 * curve.keep);
    case 'weighted':
      return curve.balanceIn / ((1 + curve.exponent) * curve.keep);
    case 'stable':
      return stableDepth(curve);
    default:
      return unknownKind(curve);
  }
}

/** Share of a balance by which it is moved to see how the rate answers. */
const NUDGE = 1e-4;

/** The rate beside what it is after a small trade, which the slope tells well enough. */
function stableDepth(curve: StableCurve): number {
  const { balances, slotIn, slotOut, scaleIn, scaleOut, keep } = curve;
  const rate = stableRate(curve);
  const [balanceIn, balanceOut] = [balances[slotIn] ?? 0, balances[slotOut] ?? 0];
  const slope = (rate * scaleOut) / (keep * scaleIn);
  const input = Math.min(balanceIn, balanceOut / slope) * NUDGE;
  const moved = balances.map((balance, slot) => (slot === slotIn ? balance + input : slot === slotOut ? balance - input * slope : balance));
  return input / scaleIn / keep / Math.max(Number.MIN_VALUE, Math.log(rate / stableRate({ ...curve, balances: moved })));
}

/** By implicit differentiation of Ann·Σx + D = Ann·D + D^(n+1) / (n^n · Πx). */
function stableRate({ keep, ann, invariant, balances, slotIn, slotOut, scaleIn, scaleOut }: StableCurve): number {
  let curved = invariant;
  for (const balance of balances) curved *= invariant / (balances.length * balance);
  const slope = (ann + curved / (balances[slotIn] ?? 0)) / (ann + curved / (balances[slotOut] ?? 0));
  return (keep * slope * scaleIn) / scaleOut;
}

function unknownKind(curve: never): never {
  throw new TypeError(`no curve kind ${String(curve)}`);
}
