import type { Curve, StableCurve, WeightedCurve } from '../snapshot/snapshot.ts';

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
  return weightedOutput(curve, input);
}

/** out = B·(1 − (b / (b + x))^e), so out' = keep·B·e/b·(b / (b + x))^(e + 1). */
function weightedSupply(curve: WeightedCurve, rate: number, supply: Supply): void {
  const { keep, exponent, balanceIn, balanceOut, capacity } = curve;
  const start = (keep * exponent * balanceOut) / balanceIn;
  const growth = rate < start ? Math.expm1(Math.log(start / rate) / (exponent + 1)) : 0;
  const unbounded = (balanceIn * growth) / keep;
  const input = Math.min(unbounded, capacity);
  supply.input = input;
  supply.output = weightedOutput(curve, input);
  supply.compliance = growth > 0 && unbounded < capacity ? (balanceIn + input * keep) / ((exponent + 1) * keep * rate) : 0;
}

/** Keeps the digits of a trade that is tiny against the pool. */
function weightedOutput({ keep, exponent, balanceIn, balanceOut }: WeightedCurve, input: number): number {
  return -balanceOut * Math.expm1(-exponent * Math.log1p((input * keep) / balanceIn));
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

/**
 * Output and marginal output at an input. At a fixed invariant D, y² + (b − D)·y = c with b = Σ others + D / ann and c inversely as the other balances.
 * Solved for what leaves rather than for what stays, so that a small trade in a deep pool keeps its digits: with dx more in, what leaves is the smaller root of
 * d² − (2y + b − D)·d + dx·(y + c / x) = 0, all at the new x.
 */
function stablePoint(curve: StableCurve, input: number): Point {
  const { keep, feeOnOutput, ann, invariant, balances, slotIn, slotOut, scaleIn, scaleOut } = curve;
  const before = balances[slotIn] as number;
  const held = balances[slotOut] as number;
  const entered = input * scaleIn * (feeOnOutput ? 1 : keep);
  const x = before + entered;
  let sum = x;
  let product = invariant / (before * balances.length);
  for (let slot = 0; slot < balances.length; slot++) {
    if (slot === slotOut || slot === slotIn) continue;
    sum += balances[slot] as number;
    product *= invariant / ((balances[slot] as number) * balances.length);
  }
  const c = ((product * invariant) / (ann * balances.length)) * invariant;
  const middle = 2 * held + sum + invariant / ann - invariant;
  const rest = entered * (held + c / x);
  const left = (2 * rest) / (middle + Math.sqrt(Math.max(0, middle * middle - 4 * rest)));
  // Slope by implicit differentiation; `curved` is D^(n+1) / (n^n · Πx) at the new balances.
  const y = held - left;
  const curved = (ann * c * (before / x)) / y;
  const slope = (ann + curved / x) / (ann + curved / y);
  return { output: (left / scaleOut) * (feeOnOutput ? keep : 1), marginal: (keep * slope * scaleIn) / scaleOut };
}
