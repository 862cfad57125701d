import type { QuoteResponse, SwapWarning } from '../../schemas/types.gen.ts';
import { LIMITS } from '../config/limits.ts';

/** Warns where both sides are priced and less than the bound is left (decisions B16: strictly below). The ratio compared is the one that the response shows. */
export function impactWarning({
  amountInUsd,
  amountOutUsd,
  priceImpact,
}: Pick<QuoteResponse, 'amountInUsd' | 'amountOutUsd' | 'priceImpact'>): readonly SwapWarning[] {
  if (priceImpact === null || priceImpact === undefined || priceImpact >= LIMITS.building.highImpactRatio) return [];
  return [{ code: 'HIGH_PRICE_IMPACT', detail: `the output is worth ${amountOutUsd} USD, the input ${amountInUsd} USD` }];
}
