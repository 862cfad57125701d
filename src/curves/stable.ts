import type { StableCurve } from '../snapshot/snapshot.ts';
import type { CurveFlow } from './flow.ts';
import type { CurveTangent } from './tangent.ts';

/*
 * With all but two balances fixed the invariant is y² + (b − D)·y = c for the output balance y, where c·x is the same for every input balance x, and the same
 * equation holds for x. Taking the start away from it leaves a quadratic in the change itself: a difference of two balances would lose the digits of an
 * amount that is small against them. All below is in the common unit but for what the exported functions take and give.
 */

/** Bound of the Newton iteration; it ends far earlier. */
const PRICE_STEPS = 96;

export function stableStartPrice(curve: StableCurve): number {
  return pointAfter(curve, 0).rate * priceUnit(curve);
}

/** Output for an input of 0 … capacity. */
export function stableOutput(curve: StableCurve, input: number): number {
  return (outputFor(curve, input * inputUnit(curve)) * (curve.feeOnOutput ? curve.keep : 1)) / curve.scaleOut;
}

export function stableTangent(curve: StableCurve, input: number, tangent: CurveTangent): void {
  const more = input * inputUnit(curve);
  tangent.output = stableOutput(curve, input);
  const { rate, steepness } = pointAfter(curve, more);
  tangent.marginal = rate * priceUnit(curve);
  tangent.bend = tangent.marginal * steepness * inputUnit(curve);
}

/** The smallest input that yields an output, Infinity when no input does. */
export function stableInputFor(curve: StableCurve, output: number): number {
  const less = (output * curve.scaleOut) / (curve.feeOnOutput ? curve.keep : 1);
  if (!(less < (curve.balances[curve.slotOut] as number))) return Infinity;
  const input = inputFor(curve, less) / inputUnit(curve);
  return input <= curve.capacity ? input : Infinity;
}

/** The flow at which the marginal price has fallen to `price`: safeguarded Newton on the logarithm of the balance. */
export function stableFlowAt(curve: StableCurve, price: number, flow: CurveFlow): void {
  flow.input = 0;
  flow.output = 0;
  if (!(price < stableStartPrice(curve))) return;
  const unit = inputUnit(curve);
  const x0 = curve.balances[curve.slotIn] as number;
  const most = curve.capacity * unit;
  const rate = price / priceUnit(curve);
  if (Number.isFinite(most) && pointAfter(curve, most).rate >= rate) {
    settle(curve, curve.capacity, flow);
    return;
  }
  const target = Math.log(rate);
  let low = Math.log(x0);
  let high = Number.isFinite(most) ? Math.log(most + x0) : Infinity;
  let u = low;
  for (let step = 0; step < PRICE_STEPS; step++) {
    const more = Math.exp(u) - x0;
    const { rate: there, steepness } = pointAfter(curve, more);
    const value = Math.log(there) - target;
    if (value > 0) low = u;
    else high = u;
    const newton = u + value / Math.max(1e-9, steepness * (more + x0));
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

/** What a base unit of input adds to the balance. */
function inputUnit(curve: StableCurve): number {
  return curve.scaleIn * (curve.feeOnOutput ? 1 : curve.keep);
}

/** What a rate of one in the common unit is in base units, fee included. */
function priceUnit(curve: StableCurve): number {
  return (curve.keep * curve.scaleIn) / curve.scaleOut;
}

/** The fall e of the output balance for a rise d of the input balance: e² − e·(y + c/y + d) + d·(y + c/(x + d)) = 0, its smaller root. */
function outputFor(curve: StableCurve, d: number): number {
  const x = curve.balances[curve.slotIn] as number;
  const y = curve.balances[curve.slotOut] as number;
  const c = pairTerm(curve) / x;
  const p = y + c / y + d;
  const q = d * (y + c / (x + d));
  return Math.min(y, (2 * q) / (p + Math.sqrt(Math.max(0, p * p - 4 * q))));
}

/** The rise d of the input balance for a fall e of the output balance: d² + d·(x + c/x − e) − e·(x + c/(y − e)) = 0, its positive root. */
function inputFor(curve: StableCurve, e: number): number {
  const x = curve.balances[curve.slotIn] as number;
  const y = curve.balances[curve.slotOut] as number;
  const c = pairTerm(curve) / y;
  return positiveRoot(x + c / x - e, e * (x + c / (y - e)));
}

/** The output balance after a rise d of the input balance, with all its digits also where next to nothing is left. */
function outputLeft(curve: StableCurve, d: number): number {
  const x = curve.balances[curve.slotIn] as number;
  const y = curve.balances[curve.slotOut] as number;
  return positiveRoot(pairTerm(curve) / x / y - y + d, pairTerm(curve) / (x + d));
}

/** After a rise d of the input balance: −dy/dx, the ratio of the invariant's partial derivatives, and how fast its logarithm falls with d, which is not negative. */
function pointAfter(curve: StableCurve, d: number): { readonly rate: number; readonly steepness: number } {
  const x = (curve.balances[curve.slotIn] as number) + d;
  const y = outputLeft(curve, d);
  const bend = pairTerm(curve) / x / y;
  const [acrossX, acrossY] = [1 + bend / x, 1 + bend / y];
  const rate = acrossX / acrossY;
  const falling = ((bend / x) * (2 / x - rate / y)) / acrossX + ((bend / y) * ((2 * rate) / y - 1 / x)) / acrossY;
  return { rate, steepness: Math.max(0, falling) };
}

/** D^(n+1) / (A·n · n^n · Π of the other balances): c·x. */
function pairTerm({ ann, balances, invariant, slotIn, slotOut }: StableCurve): number {
  const { length } = balances;
  let term = ((invariant / length) * (invariant / length) * invariant) / ann;
  for (let slot = 0; slot < length; slot++) {
    if (slot !== slotIn && slot !== slotOut) term *= invariant / ((balances[slot] as number) * length);
  }
  return term;
}

/** The root of z² + p·z − r = 0 for r > 0. */
function positiveRoot(p: number, r: number): number {
  const root = Math.sqrt(p * p + 4 * r);
  return p > 0 ? (2 * r) / (p + root) : (root - p) / 2;
}
