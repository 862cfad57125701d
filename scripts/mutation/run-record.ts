import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './mutants.ts';

/** A test file on the code as it is; null: it does not pass there. */
export type Baseline = { readonly kind: 'baseline'; readonly test: string; readonly text: string; readonly ms: number | null };

/** What became of a mutant. */
export type Tried = {
  readonly kind: 'tried';
  /** Of the mutant in its file's text. */
  readonly key: string;
  readonly end: 'fail' | 'timeout' | 'lives';
  /** The test file that noticed; null where none did. */
  readonly by: string | null;
  /** Digests of test files that let it through. */
  readonly passed: readonly string[];
  /** Digests of test files that reach it and were not run, for want of time. */
  readonly leftOut: readonly string[];
  /** The time that it was given. */
  readonly withinMs: number;
};

/** Which of the places that were asked about, by their keys, a test file runs. */
export type Touches = {
  readonly kind: 'touches';
  readonly test: string;
  readonly text: string;
  readonly touched: readonly string[];
  readonly untouched: readonly string[];
};

type Line = Baseline | Touches | Tried;

/** What earlier runs found out, one line each, so that a run that was ended goes on where it was. What it says of a file holds for that text of it only. */
export class RunRecord {
  readonly #file: string;
  readonly #baselines = new Map<string, Baseline>();
  readonly #tried = new Map<string, Tried>();
  /** By test file and its text, by the key of a place. */
  readonly #touches = new Map<string, Map<string, boolean>>();

  constructor(file: string) {
    this.#file = file;
    mkdirSync(path.dirname(file), { recursive: true });
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue;
      const known = JSON.parse(line) as Line;
      // What did not pass may have been held up by whatever ran beside it.
      if (known.kind !== 'baseline' || known.ms !== null) this.#keep(known);
    }
  }

  add(line: Line): void {
    this.#keep(line);
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** Of a test file with that text. */
  baseline(test: string, text: string): Baseline | undefined {
    const known = this.#baselines.get(test);
    return known?.text === text ? known : undefined;
  }

  /** Whether a test file with that text runs a place; undefined where that was not found out. */
  touches(test: string, text: string, key: string): boolean | undefined {
    return this.#touches.get(`${test} ${text}`)?.get(key);
  }

  tried(key: string): Tried | undefined {
    return this.#tried.get(key);
  }

  #keep(line: Line): void {
    if (line.kind === 'baseline') this.#baselines.set(line.test, line);
    else if (line.kind === 'touches') {
      const name = `${line.test} ${line.text}`;
      const known = this.#touches.get(name) ?? new Map<string, boolean>();
      this.#touches.set(name, known);
      for (const key of line.touched) known.set(key, true);
      for (const key of line.untouched) known.set(key, false);
    } else this.#tried.set(line.key, line);
  }
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The same change of the same text. */
export function keyOf({ file, start, end, replacement }: Mutant, text: string): string {
  return digest(JSON.stringify([file, digest(text), start, end, replacement]));
}
