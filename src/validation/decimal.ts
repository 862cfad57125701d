/** An exact decimal number: numerator / 10^scale, in lowest scale. */
export type Decimal = { readonly numerator: bigint; readonly scale: number };

const GRAMMAR = /^(-?[0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/;

/** Decodes the number grammar of decisions R7. null when the text does not follow it. Bound the length first: the exponent alone can make 1,000 digits. */
export function decodeDecimal(text: string): Decimal | null {
  const [, whole, fraction = '', exponent = '0'] = GRAMMAR.exec(text) ?? [];
  if (whole === undefined) return null;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? { numerator: digits * 10n ** BigInt(-scale), scale: 0 } : inLowestScale(digits, scale);
}

function inLowestScale(numerator: bigint, scale: number): Decimal {
  if (numerator === 0n) return { numerator, scale: 0 };
  let value = numerator;
  let places = scale;
  while (places > 0 && value % 10n === 0n) {
    value /= 10n;
    places -= 1;
  }
  return { numerator: value, scale: places };
}

/** Negative, zero or positive, as a is below, equal to or above b. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const difference = a.numerator * 10n ** BigInt(b.scale) - b.numerator * 10n ** BigInt(a.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The nearest value within [least, most]. */
export function clampDecimal(value: Decimal, least: Decimal, most: Decimal): Decimal {
  if (compareDecimals(value, least) < 0) return least;
  return compareDecimals(value, most) > 0 ? most : value;
}

/** Plain decimal text, never an exponent: 0.00001. */
export function decimalText({ numerator, scale }: Decimal): string {
  if (scale === 0) return numerator.toString();
  const negative = numerator < 0n;
  const digits = (negative ? -numerator : numerator).toString().padStart(scale + 1, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
