import type { CurveTangent } from './tangent.ts';

/** Into a weighted pool: weight · ln(1 + keep · input / balance) units of the hub. `keep`: 1 − fee. Capacity in base units. */
export type DepositCurve = { readonly kind: 'deposit'; readonly keep: number; readonly capacity: number; readonly balance: number; readonly weight: number };

/** Out of a weighted pool: balance · (1 − e^(−units / weight)) base units. Capacity in units of the hub. */
export type WithdrawalCurve = { readonly kind: 'withdrawal'; readonly capacity: number; readonly balance: number; readonly weight: number };

export function depositOutput({ keep, balance, weight }: DepositCurve, input: number): number {
  return weight * Math.log1p((input * keep) / balance);
}

export function depositTangent(curve: DepositCurve, input: number, tangent: CurveTangent): void {
  const { keep, balance, weight } = curve;
  const reach = balance + keep * input;
  tangent.output = depositOutput(curve, input);
  tangent.marginal = (weight * keep) / reach;
  tangent.bend = (tangent.marginal * keep) / reach;
}

export function withdrawalOutput({ balance, weight }: WithdrawalCurve, units: number): number {
  return -balance * Math.expm1(-units / weight);
}

export function withdrawalTangent(curve: WithdrawalCurve, units: number, tangent: CurveTangent): void {
  const { balance, weight } = curve;
  tangent.output = withdrawalOutput(curve, units);
  tangent.marginal = (balance / weight) * Math.exp(-units / weight);
  tangent.bend = tangent.marginal / weight;
}

export function depositInputAt({ keep, balance, weight, capacity }: DepositCurve, price: number): number {
  return Math.min(capacity, Math.max(0, (weight * keep) / price - balance) / keep);
}

export function withdrawalInputAt({ balance, weight, capacity }: WithdrawalCurve, price: number): number {
  return Math.min(capacity, Math.max(0, weight * Math.log(balance / weight / price)));
}
