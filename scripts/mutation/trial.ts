import type { Mutant } from './mutants.ts';
import { orderTests } from './order-tests.ts';
import type { Reach } from './reaching-tests.ts';
import type { RunRecord, Tried } from './run-record.ts';
import type { WorkingCopy } from './working-copy.ts';

/** What is tried on. */
type Copy = Pick<WorkingCopy, 'test' | 'withMutant'>;

export type TrialOptions = {
  readonly record: RunRecord;
  readonly reach: Reach;
  /** Of a test file's text. */
  readonly digestOf: (test: string) => string;
  /** For one mutant, in what its tests take on the whole code. */
  readonly withinMs: number;
};

/** Tests that take so many times as long as with the code whole do not end. */
const PATIENCE = 3;
const PATIENCE_MS = 12_000;
const LONGEST_BASELINE_MS = 300_000;
/** A busy machine fails a test now and then. */
const BASELINE_ATTEMPTS = 2;

/** Tries mutants, each on the tests that reach it, up to the first that notices. */
export class Trial {
  readonly #options: TrialOptions;
  /** By file, by test. */
  readonly #noticed = new Map<string, Map<string, number>>();

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** How long a test file takes with the code whole. */
  async measure(test: string, copy: Copy): Promise<void> {
    const { record, digestOf } = this.#options;
    const text = digestOf(test);
    if (record.baseline(test, text) !== undefined) return;
    for (let attempt = 1; ; attempt++) {
      const { end, ms } = await copy.test([test], LONGEST_BASELINE_MS);
      if (end !== 'pass' && attempt < BASELINE_ATTEMPTS) continue;
      if (end !== 'pass') console.error(`${test} is left out: with the code whole it ends in ${end}`);
      record.add({ kind: 'baseline', test, text, ms: end === 'pass' ? Math.round(ms) : null });
      return;
    }
  }

  /** What was found out about it before is not tried again, and tests that let it through are not run again. */
  async run(mutant: Mutant, key: string, copy: Copy): Promise<Tried> {
    const { record, digestOf } = this.#options;
    const known = record.tried(key);
    if (known !== undefined && known.end !== 'lives') return this.#note(mutant, known);
    const passed = new Set(known?.passed);
    const skipped = new Set(known?.leftOut);
    const { batches, leftOut } = this.#batches(mutant, (text) => !passed.has(text) && !skipped.has(text));
    const tried = await copy.withMutant(mutant, async (): Promise<Tried> => {
      for (const { tests, ms } of batches) {
        const { end, by } = await copy.test(tests, PATIENCE_MS + PATIENCE * ms);
        if (end !== 'pass') return { kind: 'tried', key, end, by, passed: [], leftOut: [] };
        for (const test of tests) passed.add(digestOf(test));
      }
      return { kind: 'tried', key, end: 'lives', by: null, passed: [...passed], leftOut: [...skipped, ...leftOut.map(digestOf)] };
    });
    if (batches.length > 0 || known === undefined) record.add(tried);
    return this.#note(mutant, tried);
  }

  #batches({ file }: Mutant, isNew: (text: string) => boolean): ReturnType<typeof orderTests> {
    const { record, reach, digestOf, withinMs } = this.#options;
    const noticed = this.#noticed.get(file);
    const candidates = [...reach(file)].flatMap(([test, distance]) => {
      const text = digestOf(test);
      const ms = record.baseline(test, text)?.ms ?? null;
      const near = roomOf(test) === roomOf(file) ? distance / 2 : distance;
      return ms === null || !isNew(text) ? [] : [{ test, distance: near, ms, noticed: noticed?.get(test) ?? 0 }];
    });
    return orderTests(candidates, withinMs);
  }

  #note(mutant: Mutant, tried: Tried): Tried {
    const { file } = mutant;
    const counts = this.#noticed.get(file) ?? new Map<string, number>();
    if (tried.by !== null) this.#noticed.set(file, counts.set(tried.by, (counts.get(tried.by) ?? 0) + 1));
    return tried;
  }
}

/** The tests of a room have a folder of its name. */
function roomOf(file: string): string | undefined {
  return file.split('/')[1];
}
