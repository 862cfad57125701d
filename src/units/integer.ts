const DECIMAL = /^-?[0-9]+$/;
const MOST_DIGITS = 78;
/** Above every range that a parameter, an amount or a setting has. */
const BEYOND = 10n ** BigInt(MOST_DIGITS);

/**
 * Decodes `^-?[0-9]+$`, which was checked before. Values with more than 78 digits, leading zeros aside, come out as ±10^78: they are out of every range, and to convert thousands of
 * digits takes longer than all the rest of a request's decoding.
 */
export function decodeInteger(text: string): bigint {
  const negative = text.startsWith('-');
  const digits = text.replace(/^-?0*/, '');
  const magnitude = digits.length > MOST_DIGITS ? BEYOND : BigInt(digits);
  return negative ? -magnitude : magnitude;
}

/** An integer of `least` … `most`, both within ±10^77, from decimal text: digits, behind a minus sign where the range has negative ones. null: the text is none. Nothing else that Number or BigInt read is taken: no blanks, no +, no 0x, no 1e3. */
export function parseInteger(text: string, least: bigint, most: bigint): bigint | null {
  if (!DECIMAL.test(text) || (text.startsWith('-') && least >= 0n)) return null;
  const value = text.length > MOST_DIGITS ? decodeInteger(text) : BigInt(text);
  return value >= least && value <= most ? value : null;
}

/** The same as a number, within ±(2^53 − 1). */
export function parseSafeInteger(text: string, least: number, most: number): number | null {
  const value = parseInteger(text, BigInt(least), BigInt(most));
  return value === null ? null : Number(value);
}
