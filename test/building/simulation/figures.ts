// The figures of an answer as the interface specification and its decisions have them, in integers, by nothing of what the service reckons with.

const WHOLE_BPS = 10_000n;

/** Of a gross output, rounded down (decisions S5). */
export function feeOn(gross: bigint, feeBps: number): bigint {
  return (gross * BigInt(feeBps)) / WHOLE_BPS;
}

/** The smallest gross output of which the fee leaves the target (decisions S5), looked for around where it must be. */
export function grossFor(target: bigint, feeBps: number): bigint {
  let gross = (target * WHOLE_BPS) / (WHOLE_BPS - BigInt(feeBps));
  while (gross - feeOn(gross, feeBps) < target) gross++;
  while (gross - 1n - feeOn(gross - 1n, feeBps) >= target) gross--;
  return gross;
}

/** What is left of an amount after so many percent, numerator / 10^scale, rounded down (decisions S4). */
export function lessPercent(amount: bigint, { numerator, scale }: { readonly numerator: bigint; readonly scale: number }): bigint {
  const hundred = 100n * 10n ** BigInt(scale);
  return (amount * (hundred - numerator)) / hundred;
}

/** A fraction, both parts above or at zero. */
export type Fraction = { readonly over: bigint; readonly under: bigint };

/** The decimals by which a number is written. */
export function fractionOf(number: number): Fraction {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [whole = '', places = ''] = digits.split('.');
  const scale = places.length - Number(exponent);
  const all = BigInt(whole + places);
  return scale < 0 ? { over: all * 10n ** BigInt(-scale), under: 1n } : { over: all, under: 10n ** BigInt(scale) };
}

/** What an amount in base units is worth at a price of the whole token. */
export function worth(amount: bigint, { usd, decimals }: { readonly usd: number; readonly decimals: number }): Fraction {
  const { over, under } = fractionOf(usd);
  return { over: amount * over, under: under * 10n ** BigInt(decimals) };
}

/** Whether two fractions differ by no more than one part in so many of the second. */
export function isWithin(one: Fraction, other: Fraction, parts: bigint): boolean {
  const difference = one.over * other.under - other.over * one.under;
  return (difference < 0n ? -difference : difference) * parts <= other.over * one.under;
}

export function significantDigits(number: number): number {
  const [digits = ''] = String(number).split('e');
  return digits.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
}
