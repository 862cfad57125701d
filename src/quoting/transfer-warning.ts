import type { SwapWarning } from '../../schemas/types.gen.ts';
import type { LossyEnd, Plan } from '../routing/routing.ts';
import type { AddressText } from './address-text.ts';

/** Says what transfer fees a plan reckons with, in bps of each side (interface specification, FEE_ON_TRANSFER); nothing where neither token has one. */
export function transferWarning({ lossyEnds }: Pick<Plan, 'lossyEnds'>, addressText: AddressText): readonly SwapWarning[] {
  const taxed = [lossyEnds?.sell ?? null, lossyEnds?.buy ?? null].flatMap((end) => (end === null || end.tax === null ? [] : [{ ...end, tax: end.tax }]));
  if (taxed.length === 0) return [];
  const measured = taxed.map(({ token, tax }) => `${addressText(token)} measured at ${bps(tax.measuredPpm)} bps (${tax.scope}, block ${tax.block})`);
  const sides = `sell side ${modelled(lossyEnds?.sell)} bps, buy side ${modelled(lossyEnds?.buy)} bps`;
  return [{ code: 'FEE_ON_TRANSFER', detail: `the quote reckons with a transfer fee, margin included, of: ${sides}; ${measured.join('; ')}` }];
}

function modelled(end: LossyEnd | null | undefined): string {
  return bps(end?.loss.ppm ?? 0);
}

/** Parts per million in basis points, at most two decimals. */
function bps(ppm: number): string {
  return String(ppm / 100);
}
