import { type Address, asAddress } from '../units/units.ts';
import type { ChainAnswer } from './track.ts';

// Answers and logs as 32-byte words, for contracts whose numbers lie one behind the other.

const WORD = 64;
const ADDRESS = 40;

/** null where there is no answer, or one that is not of whole words. */
export function allWords(data: ChainAnswer | undefined): readonly bigint[] | null {
  if (data === null || data === undefined || (data.length - 2) % WORD !== 0) return null;
  return Array.from({ length: (data.length - 2) / WORD }, (_, at) => wordAt(data, at));
}

/** null where it is anything but so many words, as contracts answer that have a fallback and not the function. */
export function exactWords(data: ChainAnswer | undefined, count: number): readonly bigint[] | null {
  return data?.length === 2 + WORD * count ? allWords(data) : null;
}

export function onlyWord(data: ChainAnswer | undefined): bigint | null {
  return exactWords(data, 1)?.[0] ?? null;
}

/** The words at the beginning, whatever comes after them; null where there are fewer. */
export function firstWords(data: ChainAnswer | undefined, count: number): readonly bigint[] | null {
  if (data === null || data === undefined || data.length < 2 + WORD * count) return null;
  return Array.from({ length: count }, (_, at) => wordAt(data, at));
}

/** One word of data that is long enough. Throws SyntaxError where it is not. */
export function wordAt(data: `0x${string}`, index: number): bigint {
  return BigInt(`0x${data.slice(2 + WORD * index, 2 + WORD * (index + 1))}`);
}

/** The same of a signed number that a float holds: a tick. */
export function signedAt(data: `0x${string}`, index: number): number {
  return Number(BigInt.asIntN(256, wordAt(data, index)));
}

/** The address in the low 20 bytes of a topic or of a word of data. Throws RangeError where there is none. */
export function addressAt(data: `0x${string}`, index = 0): Address {
  const end = 2 + WORD * (index + 1);
  if (data.length < end) throw new RangeError(`no word: ${data.slice(0, 80)}`);
  return asAddress(`0x${data.slice(end - ADDRESS, end)}`);
}

/** The address that a word is; null where it is none, or zero. */
export function addressOfWord(word: bigint | null): Address | null {
  return word === null || word === 0n || word >> 160n !== 0n ? null : asAddress(`0x${word.toString(16).padStart(ADDRESS, '0')}`);
}

/** Calldata of a function whose arguments are one word each. */
export function callData(selector: `0x${string}`, ...args: readonly (Address | bigint)[]): `0x${string}` {
  const words = args.map((arg) => (typeof arg === 'bigint' ? BigInt.asUintN(256, arg).toString(16) : arg.slice(2)).padStart(WORD, '0'));
  return `${selector}${words.join('')}`;
}
