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
