import type { Curve, StableCurve } from '../../src/snapshot/snapshot.ts';

/** How much the output of a stable pool moves, in output base units, when its own rounding moves the term c of the invariant or D by a few last digits. */
export function stableRoundingUnits(curve: Curve, amountIn: number, coarse: number): number {
  const { balances, slotIn, slotOut, scaleIn, scaleOut, invariant, ann, keep, feeOnOutput } = stableOf(curve);
  const x = (balances[slotIn] ?? 0) + amountIn * scaleIn * (feeOnOutput ? 1 : keep);
  const y0 = balances[slotOut] ?? 0;
  let c = (invariant / x) * (invariant / balances.length) * (invariant / balances.length / ann);
  let sum = x;
  for (const [slot, balance] of balances.entries()) {
    if (slot === slotIn || slot === slotOut) continue;
    c *= invariant / (balance * balances.length);
    sum += balance;
  }
  const b = sum + invariant / ann - invariant;
  const root = Math.sqrt(b * b + 4 * c);
  const y = b > 0 ? (2 * c) / (b + root) : (root - b) / 2;
  // ∂y/∂D = (y·(1 − 1/ann) + (n+1)·c/D) / (2y + b), ∂y/∂c = 1 / (2y + b).
  const digitsOfInvariant = (y + ((balances.length + 1) * c) / invariant) / root;
  const digitsOfTerm = (coarse * (y0 + y)) / root;
  return (12 * balances.length * (1 + digitsOfInvariant) + digitsOfTerm) / scaleOut + 2 + unitOut(curve);
}

/** What one base unit of the input is worth at the start, in output base units. */
function unitOut(curve: Curve): number {
  const { balances, slotIn, slotOut, scaleIn, scaleOut, invariant, ann } = stableOf(curve);
  const [x, y] = [balances[slotIn] ?? 0, balances[slotOut] ?? 0];
  const bend = balances.reduce((product, balance) => product * (invariant / (balance * balances.length)), invariant) / ann;
  return ((1 + bend / x) / (1 + bend / y)) * (scaleIn / scaleOut + 1 / scaleOut);
}

/** Output base units per input base unit after a swap. */
export function stableEndPrice(curve: Curve, amountIn: number): number {
  const { balances, slotIn, slotOut, scaleIn, scaleOut, invariant, ann, keep, feeOnOutput } = stableOf(curve);
  const x = (balances[slotIn] ?? 0) + amountIn * scaleIn * (feeOnOutput ? 1 : keep);
  let c = (invariant / x) * (invariant / balances.length) * (invariant / balances.length / ann);
  let sum = x;
  for (const [slot, balance] of balances.entries()) {
    if (slot === slotIn || slot === slotOut) continue;
    c *= invariant / (balance * balances.length);
    sum += balance;
  }
  const b = sum + invariant / ann - invariant;
  const root = Math.sqrt(b * b + 4 * c);
  const y = b > 0 ? (2 * c) / (b + root) : (root - b) / 2;
  return (((1 + c / (x * y)) / (1 + c / (y * y))) * keep * scaleIn) / scaleOut;
}

function stableOf(curve: Curve): StableCurve {
  if (curve.kind !== 'stable') throw new Error('not a stable curve');
  return curve;
}
