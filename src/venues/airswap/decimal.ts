/** A decimal number, exactly: `digits` over ten to the power of `places`. */
export type Decimal = { readonly digits: bigint; readonly places: number };

const DECIMAL = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?$/;

/** null where a text is no plain decimal number, none below zero among them. */
export function parseDecimal(text: unknown): Decimal | null {
  if (typeof text !== 'string') return null;
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? null : { digits: BigInt(whole + fraction), places: fraction.length };
}

export function product(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, places: one.places + other.places };
}

export function sum(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places);
  return { digits: at(one, places) + at(other, places), places };
}

/** May be below zero. */
export function difference(one: Decimal, other: Decimal): Decimal {
  return sum(one, { digits: -other.digits, places: other.places });
}

/** Base units of a token of so many decimals. */
export function baseUnitsDown({ digits, places }: Decimal, decimals: number): bigint {
  return (digits * 10n ** BigInt(decimals)) / 10n ** BigInt(places);
}

export function baseUnitsUp({ digits, places }: Decimal, decimals: number): bigint {
  const whole = 10n ** BigInt(places);
  return (digits * 10n ** BigInt(decimals) + whole - 1n) / whole;
}

function at({ digits, places }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - places);
}
