/** Above every range that a parameter has. */
const BEYOND = 10n ** 78n;

/**
 * Decodes `^-?[0-9]+$`. Values with more than 78 digits, leading zeros aside, come out as ±10^78: they are out of every range, and to convert thousands of
 * digits takes longer than all the rest of a request's decoding.
 */
export function decodeInteger(text: string): bigint {
  const negative = text.startsWith('-');
  const digits = text.replace(/^-?0*/, '');
  const magnitude = digits.length > 78 ? BEYOND : BigInt(digits);
  return negative ? -magnitude : magnitude;
}
