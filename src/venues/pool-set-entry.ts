import { parseInteger } from '../units/units.ts';
import { PoolRefused } from './venue.ts';

/** One pool of a pool set, as JSON gave it. */
export type PoolSetEntry = Readonly<Record<string, unknown>>;

/** An amount: decimal text, 0 … 2^bits − 1. Throws PoolRefused on anything else. */
export function readUnsigned(value: unknown, name: string, bits: number): bigint {
  const amount = typeof value === 'string' ? parseInteger(value, 0n, (1n << BigInt(bits)) - 1n) : null;
  if (amount === null) throw malformed(name, value, `decimal text of at most 2^${bits} − 1`);
  return amount;
}

/** A signed amount: decimal text, −2^(bits−1) … 2^(bits−1) − 1. Throws PoolRefused on anything else. */
export function readSigned(value: unknown, name: string, bits: number): bigint {
  const half = 1n << BigInt(bits - 1);
  const amount = typeof value === 'string' ? parseInteger(value, -half, half - 1n) : null;
  if (amount === null) throw malformed(name, value, `decimal text of an int${bits}`);
  return amount;
}

/** An integer JSON number within bounds. Throws PoolRefused on anything else. */
export function readInteger(value: unknown, name: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) throw malformed(name, value, `an integer ${min} … ${max}`);
  return value;
}

/** An amplification: decimal text that may carry a fraction, as a multiple of 1 / precision. What is finer is cut off, as contracts do. Throws PoolRefused on anything else. */
export function readAmplification(value: unknown, precision: bigint): bigint {
  const [, whole, fraction = ''] = (typeof value === 'string' && /^([0-9]{1,20})(?:\.([0-9]{1,20}))?$/.exec(value)) || [];
  if (whole === undefined) throw malformed('amp', value, 'decimal text');
  return (BigInt(whole + fraction) * precision) / 10n ** BigInt(fraction.length);
}

/** A list. Throws PoolRefused on anything else. */
export function readList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name, value, 'a list');
  return value;
}

function malformed(name: string, value: unknown, right: string): PoolRefused {
  return new PoolRefused('malformed', `${name} is ${String(JSON.stringify(value)).slice(0, 60)}; it has to be ${right}`);
}
