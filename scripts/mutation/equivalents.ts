import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './mutants.ts';

/** A change that was looked at and changes no answer. It stands for that change of that line only: who edits the line has to look again. */
export type Equivalent = {
  readonly file: string;
  /** The whole line that the change begins in, without the spaces around it. */
  readonly line: string;
  /** What is changed, with each run of spaces and line ends as one space, and what it becomes, likewise. */
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
};

const FOLDER = 'scripts/mutation/equivalent';

/** A file for each room. */
export function readEquivalents(root: string): readonly Equivalent[] {
  const names = readdirSync(path.join(root, FOLDER)).filter((name) => name.endsWith('.json'));
  return names.flatMap((name) => JSON.parse(readFileSync(path.join(root, FOLDER, name), 'utf8')) as Equivalent[]);
}

/** `text` is the file's. */
export function isJudged(mutant: Mutant, text: string, known: Equivalent): boolean {
  return (
    known.file === mutant.file &&
    known.line === lineAt(text, mutant.start) &&
    known.original === oneLine(mutant.original) &&
    known.replacement === oneLine(mutant.replacement)
  );
}

/** Whether the line is still in the file, and what is changed begins in it. */
export function isCurrent(known: Equivalent, text: string): boolean {
  const flat = oneLine(text);
  return text.split('\n').some((line) => line.trim() === known.line) && flat.includes(known.original) && known.original !== known.replacement;
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? text.length : end).trim();
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
