import type { Curve, SegmentsCurve, StableCurve, WeightedCurve } from '../../src/snapshot/snapshot.ts';

/** The output of a curve as src/snapshot/curve.ts defines it, written for clearness and not for speed. */
export function evaluateCurve(curve: Curve, amountIn: number): number {
  switch (curve.kind) {
    case 'segments':
      return evaluateSegments(curve, amountIn);
    case 'weighted':
      return evaluateWeighted(curve, amountIn);
    case 'stable':
      return evaluateStable(curve, amountIn);
    default:
      return curve satisfies never;
  }
}

function evaluateSegments(curve: SegmentsCurve, amountIn: number): number {
  const x = amountIn * curve.keep;
  let output = 0;
  for (let at = 0; at < curve.columns.length; at += 4) {
    const [x0, y0, reserveIn, reserveOut] = curve.columns.subarray(at, at + 4);
    if (x0 === undefined || y0 === undefined || reserveIn === undefined || reserveOut === undefined) throw new Error('a piece has four numbers');
    if (x0 > x) break;
    output = y0 + (reserveOut * (x - x0)) / (reserveIn + (x - x0));
  }
  return output;
}

/** By logarithms of 1 + x: the quotient itself would lose the digits of an amount that is small against the balance. */
function evaluateWeighted({ keep, balanceIn, balanceOut, exponent }: WeightedCurve, amountIn: number): number {
  return -balanceOut * Math.expm1(-exponent * Math.log1p((amountIn * keep) / balanceIn));
}

/** Fractional digits that the integers below carry, in bits: two balances that hardly differ are subtracted. */
const FRACTION_BITS = 120n;
const ANN_PRECISION = 1_000_000_000n;

/** With integers far finer than a double: the output balance before less the one after, both by bisection of the invariant. */
function evaluateStable(curve: StableCurve, amountIn: number): number {
  const input = amountIn * curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep);
  const before = outputBalance(curve, 0n);
  const after = outputBalance(curve, fine(input));
  return (Number(before - after) / 2 ** Number(FRACTION_BITS) / curve.scaleOut) * (curve.feeOnOutput ? curve.keep : 1);
}

/** The y of A·n·Σx + D = A·n·D + D^(n+1) / (n^n · Πx), which rises in y as one side less the other does. */
function outputBalance({ balances, slotIn, slotOut, invariant, ann }: StableCurve, more: bigint): bigint {
  const count = BigInt(balances.length);
  const fineAnn = BigInt(Math.round(ann * Number(ANN_PRECISION)));
  const total = fine(invariant);
  let sum = 0n;
  // D^(n+1) / (n^n · Πx) without the factor 1/y.
  let bend = total * total;
  for (const [slot, balance] of balances.entries()) {
    if (slot === slotOut) continue;
    const held = fine(balance) + (slot === slotIn ? more : 0n);
    sum += held;
    bend = (bend * total) / (held * count);
  }
  const curvature = (bend * ANN_PRECISION) / count / fineAnn;
  const slope = sum + (total * ANN_PRECISION) / fineAnn - total;
  let low = 0n;
  let high = 1n;
  while (high * high + slope * high < curvature) high *= 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle + slope * middle < curvature) low = middle;
    else high = middle;
  }
  return high;
}

function fine(value: number): bigint {
  let exponent = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
    if (exponent > 1000) throw new Error(`${value} is too small`);
  }
  return (BigInt(mantissa) << FRACTION_BITS) >> BigInt(exponent);
}
