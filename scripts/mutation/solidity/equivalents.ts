import { readFileSync } from 'node:fs';
import { broken, type Mutant } from '../mutants.ts';

/** A change that was looked at and changes nothing that is promised: a line of a contract, without the spaces around it, and what it becomes. */
export type Equivalent = { readonly file: string; readonly original: string; readonly becomes: string; readonly why: string };

export function readEquivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8')) as readonly Equivalent[];
}

/** `text` is the file's. */
export function isJudged(mutant: Mutant, text: string, known: Equivalent): boolean {
  const at = (whole: string) => whole.split('\n')[mutant.line - 1]?.trim();
  return known.file === mutant.file && known.original === at(text) && known.becomes === at(broken(text, mutant));
}
