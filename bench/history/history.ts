import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** One run of a benchmark, a line of bench/history.jsonl. No name of a machine and no path is in it. */
export type HistoryEntry = {
  readonly date: string;
  /** Of the tree that was measured; with a + where files of it were changed. */
  readonly commit: string;
  /** The npm script without `bench:`. */
  readonly bench: string;
  /** Behind it, without --record; of a path the last part. */
  readonly arguments: readonly string[];
  readonly node: string;
  readonly processors: number;
  readonly figures: unknown;
};

export const HISTORY = fileURLToPath(new URL('../history.jsonl', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Appends what a benchmark came to. Figures that are no JSON (bigints, NaN) become text or null. */
export function recordFigures(bench: string, figures: unknown, { file = HISTORY, args = process.argv.slice(2) } = {}): void {
  const entry: HistoryEntry = {
    date: new Date().toISOString().slice(0, 10),
    commit: measuredCommit(),
    bench,
    arguments: args.filter((argument) => argument !== '--record').map((argument) => path.basename(argument)),
    node: process.version,
    processors: availableParallelism(),
    figures,
  };
  appendFileSync(file, `${JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`);
}

export function readHistory(file = HISTORY): readonly HistoryEntry[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as HistoryEntry);
}

/** The command line of a benchmark that takes no other option: --json prints the figures as a line of JSON, --record appends them to the history. Throws on anything else, before it is measured. */
export function openReport(bench: string): (figures: unknown, print: () => void) => void {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } } });
  return (figures, print) => {
    if (values.json) process.stdout.write(`${JSON.stringify(figures)}\n`);
    else print();
    if (values.record) recordFigures(bench, figures);
  };
}

function measuredCommit(): string {
  const git = (...args: readonly string[]): string => execFileSync('git', [...args], { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    // The history itself grows with every run.
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/history.jsonl');
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
