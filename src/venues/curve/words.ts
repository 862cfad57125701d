import type { ChainAnswer } from '../track.ts';

const WORD = 64;

/** The words of an answer or of a log's data; null where it is none, or not of whole words. */
export function wordsOf(data: ChainAnswer | undefined): readonly bigint[] | null {
  if (data === null || data === undefined || (data.length - 2) % WORD !== 0) return null;
  return Array.from({ length: (data.length - 2) / WORD }, (_, at) => BigInt(`0x${data.slice(2 + at * WORD, 2 + (at + 1) * WORD)}`));
}

/** The one word of an answer; null where it is anything else, as contracts answer that have a fallback and not the function. */
export function wordOf(data: ChainAnswer | undefined): bigint | null {
  const words = wordsOf(data);
  return words?.length === 1 ? (words[0] ?? null) : null;
}

/** A list of so many numbers: with its place and length before it, as contracts give lists of any length, or bare, as they give those of a fixed one. */
export function listOf(data: ChainAnswer | undefined, count: number): readonly bigint[] | null {
  const words = wordsOf(data);
  if (words?.length === count) return words;
  return words?.length === count + 2 && words[0] === 32n && words[1] === BigInt(count) ? words.slice(2) : null;
}
