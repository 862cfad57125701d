/** A JSON number given by its text, for decimals that a float would round. */
export type JsonNumber = { readonly jsonNumber: string };

const PLAIN_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;

/**
 * JSON text in which every number is exact and plain: integers of any length, decimals by their text ({ jsonNumber }), floats in full, never an exponent.
 * Members that are undefined are left out. Throws TypeError on NaN, the infinities and what JSON has no word for, instead of writing null.
 */
export function serialise(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map(serialise).join(',')}]`;
  if ('jsonNumber' in value) return checkedNumber(value.jsonNumber);
  const members = Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [`${JSON.stringify(name)}:${serialise(member)}`]));
  return `{${members.join(',')}}`;
}

function checkedNumber(text: unknown): string {
  if (typeof text !== 'string' || !PLAIN_NUMBER.test(text)) throw new TypeError('not the text of a plain JSON number');
  return text;
}

/** The shortest text that reads back as the same float, written out: String() turns to exponents from 1e21 up and below 1e-6. */
function plainNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const sign = value < 0 ? '-' : '';
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : sign + digits.padEnd(point, '0');
}
