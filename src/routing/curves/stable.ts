import type { StableCurve } from '../../snapshot/snapshot.ts';
import type { CurveFlow } from './flow.ts';
import type { CurveTangent } from './tangent.ts';

/** Bounds of the two Newton iterations; both end far earlier. */
const BALANCE_STEPS = 64;
const PRICE_STEPS = 96;
/** Share of the balance over which the bend is measured. */
const BEND_STEP = 1e-5;

export function stableStartPrice(curve: StableCurve): number {
  return stableMarginal(curve, 0);
}

export function stableOutput(curve: StableCurve, input: number): number {
  const start = curve.balances[curve.slotOut] as number;
  const left = balanceOut(curve, balanceIn(curve, input));
  return (Math.max(0, start - left) * (curve.feeOnOutput ? curve.keep : 1)) / curve.scaleOut;
}

function stableMarginal(curve: StableCurve, input: number): number {
  const x = balanceIn(curve, input);
  return (pieceRate(curve, x, balanceOut(curve, x)) * curve.keep * curve.scaleIn) / curve.scaleOut;
}

export function stableTangent(curve: StableCurve, input: number, tangent: CurveTangent): void {
  tangent.output = stableOutput(curve, input);
  tangent.marginal = stableMarginal(curve, input);
  const nearby = BEND_STEP * ((curve.balances[curve.slotIn] as number) / curve.scaleIn + input);
  tangent.bend = Math.max(0, (tangent.marginal - stableMarginal(curve, input + nearby)) / nearby);
}

/** The smallest input that yields an output, Infinity when no input does. The invariant is symmetric: the other balance solves the same equation. */
export function stableInputFor(curve: StableCurve, output: number): number {
  const start = curve.balances[curve.slotOut] as number;
  const left = start - (output * curve.scaleOut) / (curve.feeOnOutput ? curve.keep : 1);
  if (!(left > 0)) return Infinity;
  const grown = otherBalance(curve, left, curve.slotOut, curve.slotIn);
  const input = Math.max(0, grown - (curve.balances[curve.slotIn] as number)) / (curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep));
  return input <= curve.capacity ? input : Infinity;
}

/** The flow at which the marginal price has fallen to `price`: safeguarded Newton on the logarithm of the balance. */
export function stableFlowAt(curve: StableCurve, price: number, flow: CurveFlow): void {
  flow.input = 0;
  flow.output = 0;
  if (!(price < stableStartPrice(curve))) return;
  const unit = curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep);
  const x0 = curve.balances[curve.slotIn] as number;
  const last = curve.capacity * unit + x0;
  if (Number.isFinite(last) && stableMarginal(curve, curve.capacity) >= price) {
    settle(curve, curve.capacity, flow);
    return;
  }
  const target = Math.log((price * curve.scaleOut) / (curve.keep * curve.scaleIn));
  let low = Math.log(x0);
  let high = Number.isFinite(last) ? Math.log(last) : Infinity;
  let u = low;
  for (let step = 0; step < PRICE_STEPS; step++) {
    const value = logRate(curve, u) - target;
    if (value > 0) low = u;
    else high = u;
    const steep = Math.min(-1e-9, (logRate(curve, u + 1e-6) - logRate(curve, u - 1e-6)) / 2e-6);
    const newton = u - value / steep;
    const next = newton > low && newton < high ? newton : Number.isFinite(high) ? (low + high) / 2 : low + 1;
    if (Math.abs(next - u) < 1e-14) break;
    u = next;
  }
  settle(curve, Math.max(0, Math.exp(u) - x0) / unit, flow);
}

function settle(curve: StableCurve, input: number, flow: CurveFlow): void {
  flow.input = input;
  flow.output = stableOutput(curve, input);
}

function logRate(curve: StableCurve, u: number): number {
  const x = Math.exp(u);
  return Math.log(pieceRate(curve, x, balanceOut(curve, x)));
}

function balanceIn(curve: StableCurve, input: number): number {
  return (curve.balances[curve.slotIn] as number) + input * curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep);
}

function balanceOut(curve: StableCurve, x: number): number {
  return otherBalance(curve, x, curve.slotIn, curve.slotOut);
}

/** The balance of `wanted` that keeps the invariant when `known` is at `value`: y² + (b − D)·y = c, by Newton from above. */
function otherBalance(curve: StableCurve, value: number, known: number, wanted: number): number {
  const { invariant, ann } = curve;
  const { length } = curve.balances;
  let sum = value;
  let c = (invariant / (value * length)) * invariant;
  for (let slot = 0; slot < length; slot++) {
    if (slot === known || slot === wanted) continue;
    const balance = curve.balances[slot] as number;
    sum += balance;
    c *= invariant / (balance * length);
  }
  c *= invariant / (ann * length);
  const b = sum + invariant / ann;
  let y = invariant;
  for (let step = 0; step < BALANCE_STEPS; step++) {
    const next = (y * y + c) / (2 * y + b - invariant);
    if (Math.abs(next - y) <= y * 1e-16) return next;
    y = next;
  }
  return y;
}

/** −dy/dx at (x, y), in the common unit: the ratio of the invariant's partial derivatives. */
function pieceRate(curve: StableCurve, x: number, y: number): number {
  const { invariant, ann } = curve;
  const { length } = curve.balances;
  let product = (invariant / (length * x)) * (invariant / (length * y));
  for (let slot = 0; slot < length; slot++) {
    if (slot === curve.slotIn || slot === curve.slotOut) continue;
    product *= invariant / ((curve.balances[slot] as number) * length);
  }
  const bend = product * invariant;
  return (ann + bend / x) / (ann + bend / y);
}
