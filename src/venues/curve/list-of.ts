import { allWords } from '../abi-words.ts';
import type { ChainAnswer } from '../track.ts';

/** A list of so many numbers: with its place and length before it, as contracts give lists of any length, or bare, as they give those of a fixed one. */
export function listOf(data: ChainAnswer | undefined, count: number): readonly bigint[] | null {
  const words = allWords(data);
  if (words?.length === count) return words;
  return words?.length === count + 2 && words[0] === 32n && words[1] === BigInt(count) ? words.slice(2) : null;
}
