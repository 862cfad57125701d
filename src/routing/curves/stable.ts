import type { StableCurve } from '../../snapshot/snapshot.ts';
import type { CurveFlow } from './flow.ts';

/** Bound of the Newton iteration; it ends far earlier. */
const PRICE_STEPS = 96;

export function stableStartPrice(curve: StableCurve): number {
  return stableMarginal(curve, 0);
}

/** Output for an input of 0 … capacity. */
export function stableOutput(curve: StableCurve, input: number): number {
  return (outputFor(curve, balanceMore(curve, input)) * (curve.feeOnOutput ? curve.keep : 1)) / curve.scaleOut;
}

export function stableMarginal(curve: StableCurve, input: number): number {
  return (rateAfter(curve, balanceMore(curve, input)) * curve.keep * curve.scaleIn) / curve.scaleOut;
}

/** The smallest input that yields an output, Infinity when no input does. */
export function stableInputFor(curve: StableCurve, output: number): number {
  const y0 = curve.balances[curve.slotOut] as number;
  const less = (output * curve.scaleOut) / (curve.feeOnOutput ? curve.keep : 1);
  if (!(less < y0)) return Infinity;
  const input = inputFor(curve, less) / (curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep));
  return input <= curve.capacity ? input : Infinity;
}

/** The flow at which the marginal price has fallen to `price`: safeguarded Newton on the logarithm of the balance. */
export function stableFlowAt(curve: StableCurve, price: number, flow: CurveFlow): void {
  flow.input = 0;
  flow.output = 0;
  flow.slope = 0;
  if (!(price < stableStartPrice(curve))) return;
  const unit = curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep);
  const x0 = curve.balances[curve.slotIn] as number;
  const last = curve.capacity * unit + x0;
  if (Number.isFinite(last) && stableMarginal(curve, curve.capacity) >= price) {
    settle(curve, curve.capacity, 0, flow);
    return;
  }
  const target = Math.log((price * curve.scaleOut) / (curve.keep * curve.scaleIn));
  let low = Math.log(x0);
  let high = Number.isFinite(last) ? Math.log(last) : Infinity;
  let u = low;
  let steep = -1;
  for (let step = 0; step < PRICE_STEPS; step++) {
    const value = logRate(curve, u) - target;
    if (value > 0) low = u;
    else high = u;
    steep = Math.min(-1e-9, (logRate(curve, u + 1e-6) - logRate(curve, u - 1e-6)) / 2e-6);
    const newton = u - value / steep;
    const next = newton > low && newton < high ? newton : Number.isFinite(high) ? (low + high) / 2 : low + 1;
    if (Math.abs(next - u) < 1e-14) break;
    u = next;
  }
  settle(curve, Math.max(0, Math.exp(u) - x0) / unit, -Math.exp(u) / (steep * unit), flow);
}

function settle(curve: StableCurve, input: number, slope: number, flow: CurveFlow): void {
  flow.input = input;
  flow.output = stableOutput(curve, input);
  flow.slope = slope;
}

function logRate(curve: StableCurve, u: number): number {
  return Math.log(rateAfter(curve, Math.exp(u) - (curve.balances[curve.slotIn] as number)));
}

/** What an input adds to the balance, in the common unit. */
function balanceMore(curve: StableCurve, input: number): number {
  return input * curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep);
}

/*
 * With all but two balances fixed the invariant is y² + (b − D)·y = c for y, where c is proportional to 1/x, and the same for x. Subtracting it at the start
 * leaves a quadratic in the change itself: a difference of two balances would lose the digits of an amount that is small against them.
 */

/** The fall of the output balance for a rise d of the input balance: e² − e·(y + c/y + d) + d·(y + c/(x + d)) = 0, its smaller root. */
function outputFor(curve: StableCurve, d: number): number {
  const x = curve.balances[curve.slotIn] as number;
  const y = curve.balances[curve.slotOut] as number;
  const c = product(curve) / x;
  const p = y + c / y + d;
  const q = d * (y + c / (x + d));
  return Math.min(y, (2 * q) / (p + Math.sqrt(Math.max(0, p * p - 4 * q))));
}

/** The rise of the input balance for a fall e of the output balance: d² + d·(x + c/x − e) − e·(x + c/(y − e)) = 0, its positive root. */
function inputFor(curve: StableCurve, e: number): number {
  const x = curve.balances[curve.slotIn] as number;
  const y = curve.balances[curve.slotOut] as number;
  const c = product(curve) / y;
  const p = x + c / x - e;
  const r = e * (x + c / (y - e));
  const root = Math.sqrt(p * p + 4 * r);
  return p > 0 ? (2 * r) / (p + root) : (root - p) / 2;
}

/** The output balance after a rise d of the input balance, with all its digits also where next to nothing is left: y² + y·(c/y0 − y0 + d) − c·x/(x + d) = 0. */
function outputLeft(curve: StableCurve, d: number): number {
  const x = curve.balances[curve.slotIn] as number;
  const y = curve.balances[curve.slotOut] as number;
  const c = product(curve) / x;
  const p = c / y - y + d;
  const r = product(curve) / (x + d);
  const root = Math.sqrt(p * p + 4 * r);
  return p > 0 ? (2 * r) / (p + root) : (root - p) / 2;
}

/** −dy/dx after a rise d of the input balance, in the common unit: the ratio of the invariant's partial derivatives. */
function rateAfter(curve: StableCurve, d: number): number {
  const x = (curve.balances[curve.slotIn] as number) + d;
  const y = outputLeft(curve, d);
  const bend = product(curve) / (x * y);
  return (1 + bend / x) / (1 + bend / y);
}

/** c·x, the same for both balances: D^(n+1) / (A·n · n^n · Π of the others). */
function product({ ann, balances, invariant, slotIn, slotOut }: StableCurve): number {
  const { length } = balances;
  let term = ((invariant / length) * (invariant / length) * invariant) / ann;
  for (let slot = 0; slot < length; slot++) {
    if (slot !== slotIn && slot !== slotOut) term *= invariant / ((balances[slot] as number) * length);
  }
  return term;
}
