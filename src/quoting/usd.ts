import type { TokenPrice } from '../routing/routing.ts';
import { decodeDecimal } from '../validation/validation.ts';

const SIGNIFICANT_DIGITS = 12;

/** USD value of an amount in base units, to 12 significant digits (decisions S10). null when unpriced or beyond what a float holds. */
export function usdOf(amount: bigint, price: TokenPrice | null): number | null {
  if (price === null) return null;
  const value = Number(((Number(amount) / 10 ** price.decimals) * price.usd).toPrecision(SIGNIFICANT_DIGITS));
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/** Decimal places of the quotient before it becomes a float. Two values of 12 digits whose ratio is not a bound of few digits differ from it by far more. */
const RATIO_PLACES = 20n;

/**
 * The quotient of the two reported values, as the decimals that they are: floats would show 0.952 / 1.12 as less than 0.85, which it is not. null when either is unpriced, or the input is
 * worth nothing.
 */
export function priceImpactOf(amountInUsd: number | null, amountOutUsd: number | null): number | null {
  if (amountInUsd === null || amountOutUsd === null) return null;
  const [input, output] = [decodeDecimal(String(amountInUsd)), decodeDecimal(String(amountOutUsd))];
  if (input === null || output === null || input.numerator === 0n) return null;
  const quotient = (output.numerator * 10n ** (BigInt(input.scale) + RATIO_PLACES)) / (input.numerator * 10n ** BigInt(output.scale));
  const ratio = Number(`${quotient}e-${RATIO_PLACES}`);
  return Number.isFinite(ratio) ? ratio : null;
}
