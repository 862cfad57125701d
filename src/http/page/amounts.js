// Amounts between base units, which the service counts in, and whole tokens, which people read.

const LONGEST_NAME = 20;

/** Whole tokens as base units in decimal digits, or null where the text is no amount of so many decimals. `decimals` null: the text counts in base units already. */
export function toBaseUnits(text, decimals) {
  const clean = text.trim().replaceAll(',', '').replaceAll('_', '');
  const [, whole = '', part = ''] = /^(\d*)(?:\.(\d*))?$/.exec(clean) ?? [];
  if (whole === '' && part === '') return null;
  const scale = decimals ?? 0;
  const kept = part.replace(/0+$/, '');
  if (kept.length > scale) return null;
  return String(BigInt(`${whole}${kept.padEnd(scale, '0')}` || '0'));
}

/** Base units as whole tokens, every digit of them; base units where nobody knows the decimals. */
export function toWholeTokens(units, decimals) {
  if (decimals === null || decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  const part = digits.slice(-decimals).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${part}`;
}

/** A token's symbol as far as it can be shown: what its contract says may be anything. */
export function shownName(symbol, address) {
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`;
  if (typeof symbol !== 'string') return short;
  // Letters, marks, numbers, punctuation and signs: nothing that steers text, and nothing that is not seen.
  const seen = [...symbol.slice(0, 10 * LONGEST_NAME).normalize('NFKC')].filter((letter) => /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(letter));
  if (seen.length === 0) return short;
  return seen.length > LONGEST_NAME ? `${seen.slice(0, LONGEST_NAME).join('')}…` : seen.join('');
}

/** Basis points by which one amount is above another, to a hundredth. */
export function basisPointsAbove(one, other) {
  if (other === 0n) return null;
  return Number(((one - other) * 1_000_000n) / other) / 100;
}
