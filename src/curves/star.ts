import type { CurveTangent } from './tangent.ts';

/*
 * The sides of a pool that is a star around a hub (market/star.ts). A side earns or spends weight · ln(balance) units of the hub; of a pool with an invariant also `linear` units for each unit of balance, where its sum is taken
 * at a price. `keep` is 1 − fee.
 */

/** Into a pool: weight · ln(1 + kept / balance) + linear · kept units of the hub, where kept = keep · input. Capacity in base units. */
export type DepositCurve = {
  readonly kind: 'deposit';
  readonly keep: number;
  readonly capacity: number;
  readonly balance: number;
  readonly weight: number;
  readonly linear: number;
};

/** Out of a pool: keep · taken base units, where −weight · ln(1 − taken / balance) + linear · taken are the units of the hub spent. Capacity in those. */
export type WithdrawalCurve = {
  readonly kind: 'withdrawal';
  readonly keep: number;
  readonly capacity: number;
  readonly balance: number;
  readonly weight: number;
  readonly linear: number;
};

export function depositOutput({ keep, balance, weight, linear }: DepositCurve, input: number): number {
  const kept = input * keep;
  return weight * Math.log1p(kept / balance) + linear * kept;
}

export function depositTangent(curve: DepositCurve, input: number, tangent: CurveTangent): void {
  const { keep, balance, weight, linear } = curve;
  const reach = balance + keep * input;
  tangent.output = depositOutput(curve, input);
  tangent.marginal = keep * (weight / reach + linear);
  tangent.bend = (((weight * keep) / reach) * keep) / reach;
}

export function withdrawalOutput(curve: WithdrawalCurve, units: number): number {
  return curve.keep * takenFor(curve, units);
}

/** Units of the hub that an output of less than the balance takes. */
export function withdrawalInputFor({ keep, balance, weight, linear }: WithdrawalCurve, output: number): number {
  const taken = output / keep;
  return linear * taken - weight * Math.log1p(-taken / balance);
}

export function withdrawalTangent(curve: WithdrawalCurve, units: number, tangent: CurveTangent): void {
  const { keep, balance, weight, linear } = curve;
  const taken = takenFor(curve, units);
  // What is left, with its digits where next to nothing is.
  const left = linear === 0 ? balance * Math.exp(-units / weight) : balance - taken;
  const slope = weight / left + linear;
  tangent.output = keep * taken;
  tangent.marginal = keep / slope;
  tangent.bend = tangent.marginal * (weight / left / slope / left / slope);
}

export function depositInputAt({ keep, balance, weight, linear, capacity }: DepositCurve, price: number): number {
  const needed = price / keep - linear;
  return needed <= 0 ? capacity : Math.min(capacity, Math.max(0, weight / needed - balance) / keep);
}

export function withdrawalInputAt({ keep, balance, weight, linear, capacity }: WithdrawalCurve, price: number): number {
  const slope = keep / price - linear;
  if (!(slope > weight / balance)) return 0;
  const left = weight / slope;
  return Math.min(capacity, weight * Math.log(balance / left) + linear * (balance - left));
}

/** Newton steps towards what is taken: from above, where each stays above. */
const STEPS = 64;

function takenFor({ balance, weight, linear }: WithdrawalCurve, units: number): number {
  const alone = -balance * Math.expm1(-units / weight);
  if (linear === 0) return alone;
  let taken = Math.min(alone, units / linear);
  for (let step = 0; step < STEPS; step++) {
    const left = balance - taken;
    const off = linear * taken - weight * Math.log1p(-taken / balance) - units;
    const next = left > 0 ? taken - off / (linear + weight / left) : taken * (1 - Number.EPSILON);
    if (!(next < taken)) break;
    taken = next;
  }
  return Math.max(0, taken);
}
