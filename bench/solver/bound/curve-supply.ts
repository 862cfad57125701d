import type { Curve, StableCurve, WeightedCurve } from '../../../src/snapshot/snapshot.ts';

/** What an edge trades at a price: input and output in base units, and how much more input it takes per unit that the price falls. */
export type Supply = { input: number; output: number; compliance: number };

/** Input at which the marginal output falls to `rate` (output per input), for the two kinds without pieces. Zero where the first unit gives less. */
export function supplyAt(curve: WeightedCurve | StableCurve, rate: number, supply: Supply): void {
  if (curve.kind === 'weighted') weightedSupply(curve, rate, supply);
  else stableSupply(curve, rate, supply);
}

/** Marginal output of the first unit, after the fee. */
export function firstRate(curve: Curve): number {
  if (curve.kind === 'segments') return (curve.keep * (curve.columns[3] as number)) / (curve.columns[2] as number);
  if (curve.kind === 'weighted') return (curve.keep * curve.exponent * curve.balanceOut) / curve.balanceIn;
  return stablePoint(curve, 0).marginal;
}

export function outputAt(curve: WeightedCurve | StableCurve, input: number): number {
  if (curve.kind === 'stable') return stablePoint(curve, input).output;
  return curve.balanceOut * (1 - (curve.balanceIn / (curve.balanceIn + input * curve.keep)) ** curve.exponent);
}

/** out = B·(1 − (b / (b + x))^e), so out' = keep·B·e/b·(b / (b + x))^(e + 1). */
function weightedSupply(curve: WeightedCurve, rate: number, supply: Supply): void {
  const { keep, exponent, balanceIn, balanceOut, capacity } = curve;
  const start = (keep * exponent * balanceOut) / balanceIn;
  const grown = rate < start ? (start / rate) ** (1 / (exponent + 1)) : 1;
  const unbounded = (balanceIn * (grown - 1)) / keep;
  const input = Math.min(unbounded, capacity);
  const base = balanceIn + input * keep;
  supply.input = input;
  supply.output = balanceOut * (1 - (balanceIn / base) ** exponent);
  supply.compliance = grown > 1 && unbounded < capacity ? base / ((exponent + 1) * keep * rate) : 0;
}

type Point = { readonly output: number; readonly marginal: number };

/** By bisection: the curve is concave, and no closed form is needed for a bound. */
function stableSupply(curve: StableCurve, rate: number, supply: Supply): void {
  supply.input = supply.output = supply.compliance = 0;
  if (!(stablePoint(curve, 0).marginal > rate)) return;
  let high = Math.min(curve.capacity, 1e6 * ((curve.balances[curve.slotIn] as number) / curve.scaleIn));
  let low = high * 1e-24;
  if (stablePoint(curve, high).marginal >= rate) low = high;
  for (let step = 0; step < 100 && high > low * (1 + 1e-15); step++) {
    const middle = Math.sqrt(low * high);
    if (stablePoint(curve, middle).marginal > rate) low = middle;
    else high = middle;
  }
  const nudge = low * 1e-4;
  const bend = (stablePoint(curve, low).marginal - stablePoint(curve, low + nudge).marginal) / nudge;
  supply.input = low;
  supply.output = stablePoint(curve, low).output;
  supply.compliance = low < curve.capacity && bend > 0 ? 1 / bend : 0;
}

/** Output and marginal output at an input. y solves y² + (b − D)·y = c at a fixed invariant D (StableSwap); Newton from D above. */
function stablePoint(curve: StableCurve, input: number): Point {
  const { keep, feeOnOutput, ann, invariant, balances, slotIn, slotOut, scaleIn, scaleOut } = curve;
  const x = (balances[slotIn] as number) + input * scaleIn * (feeOnOutput ? 1 : keep);
  let sum = 0;
  let product = 1;
  for (let slot = 0; slot < balances.length; slot++) {
    if (slot === slotOut) continue;
    const balance = slot === slotIn ? x : (balances[slot] as number);
    sum += balance;
    product *= invariant / (balance * balances.length);
  }
  const c = ((product * invariant) / (ann * balances.length)) * invariant;
  const b = sum + invariant / ann;
  let y = invariant;
  for (let step = 0; step < 64; step++) {
    const next = (y * y + c) / (2 * y + b - invariant);
    const settled = Math.abs(next - y) <= 1e-16 * y;
    y = next;
    if (settled) break;
  }
  const curved = (product * invariant * invariant) / (y * balances.length);
  const slope = (ann + curved / x) / (ann + curved / y);
  return { output: (((balances[slotOut] as number) - y) / scaleOut) * (feeOnOutput ? keep : 1), marginal: (keep * slope * scaleIn) / scaleOut };
}
