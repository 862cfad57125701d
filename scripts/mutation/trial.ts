import type { Mutant } from './mutants.ts';
import { orderTests } from './order-tests.ts';
import type { Reach } from './reaching-tests.ts';
import type { Baseline, RunRecord, Tried } from './run-record.ts';
import type { TestRun, WorkingCopy } from './working-copy.ts';

/** What is tried on. */
type Copy = Pick<WorkingCopy, 'test' | 'withMutant'>;

export type TrialOptions = {
  readonly record: RunRecord;
  readonly reach: Reach;
  /** Of a test file's text. */
  readonly digestOf: (test: string) => string;
  /** For people. */
  readonly say: (line: string) => void;
  /** For one mutant, in what its tests take on the whole code. */
  readonly withinMs: number;
};

/** `ran`: those of the tests that pass with the code whole. */
type TriedOn = Pick<TestRun, 'end' | 'by'> & { readonly ran: readonly string[] };

/** Tests that take so many times as long as with the code whole do not end. */
const PATIENCE = 3;
const PATIENCE_MS = 12_000;
const LONGEST_BASELINE_MS = 300_000;
/** A busy machine fails a test now and then. */
const BASELINE_ATTEMPTS = 2;
/** How long a test file is taken to run that was never timed: only those are whose failing decides something. With a chain in it a test takes longer. */
const ASSUMED_MS = 4_000;
const ASSUMED_WITH_CHAIN_MS = 25_000;
const ASSUMED_HEAVY_MS = 60_000;
const WITH_CHAIN = /^test\/(chain|e2e|client|http\/conformance)\//;

/** Tries mutants, each on the tests that reach it, up to the first that notices. */
export class Trial {
  readonly #options: TrialOptions;
  /** By file, by test. */
  readonly #noticed = new Map<string, Map<string, number>>();

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** What was found out about it before is not tried again, and tests that let it through are not run again. */
  async run(mutant: Mutant, key: string, copy: Copy): Promise<Tried> {
    const { record, digestOf, withinMs } = this.#options;
    const known = record.tried(key);
    if (known !== undefined && known.end !== 'lives') return this.#note(mutant, known);
    const passed = new Set(known?.passed);
    const skipped = new Set(known !== undefined && known.withinMs >= withinMs ? known.leftOut : []);
    const { batches, leftOut } = this.#batches(mutant, key, (text) => !passed.has(text) && !skipped.has(text));
    for (const { tests } of batches) {
      const { end, by, ran } = await this.#tryOn(tests, mutant, copy);
      if (end !== 'pass') {
        const noticed: Tried = { kind: 'tried', key, end, by, passed: [], leftOut: [], withinMs };
        record.add(noticed);
        return this.#note(mutant, noticed);
      }
      for (const test of ran) passed.add(digestOf(test));
    }
    const living: Tried = { kind: 'tried', key, end: 'lives', by: null, passed: [...passed], leftOut: [...skipped, ...leftOut.map(digestOf)], withinMs };
    if (batches.length > 0 || known === undefined) record.add(living);
    return living;
  }

  /** What tests fail at counts only where they pass with the code whole. */
  async #tryOn(batch: readonly string[], mutant: Mutant, copy: Copy): Promise<TriedOn> {
    for (;;) {
      const tests = batch.filter((test) => this.#baselineOf(test)?.ms !== null);
      if (tests.length === 0) return { end: 'pass', by: null, ran: [] };
      const limitMs = this.#limitMs(tests);
      const run = { ...(await copy.withMutant(mutant, () => copy.test(tests, limitMs))), ran: tests };
      if (run.end === 'pass') return run;
      if (run.by === null && tests.length > 1) return this.#tryEach(tests, mutant, copy);
      const by = run.by ?? (tests[0] as string);
      if (this.#baselineOf(by) === undefined) await this.#measure(by, copy);
      const isWhole = this.#baselineOf(by)?.ms !== null;
      const hadTime = run.end === 'fail' || this.#limitMs(tests) <= limitMs;
      if (isWhole && hadTime) return { ...run, by };
    }
  }

  /** It is not known which of them did not end, or could not even be loaded. */
  async #tryEach(tests: readonly string[], mutant: Mutant, copy: Copy): Promise<TriedOn> {
    const ran: string[] = [];
    for (const test of tests) {
      const run = await this.#tryOn([test], mutant, copy);
      ran.push(...run.ran);
      if (run.end !== 'pass') return { ...run, ran };
    }
    return { end: 'pass', by: null, ran };
  }

  /** How long a test file takes with the code whole. */
  async #measure(test: string, copy: Copy): Promise<void> {
    const { record, digestOf, say } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const { end, ms } = await copy.test([test], LONGEST_BASELINE_MS);
      if (end !== 'pass' && attempt < BASELINE_ATTEMPTS) continue;
      if (end !== 'pass') say(`${test} is left out: with the code whole it ends in ${end}`);
      record.add({ kind: 'baseline', test, text: digestOf(test), ms: end === 'pass' ? Math.round(ms) : null });
      return;
    }
  }

  #baselineOf(test: string): Baseline | undefined {
    return this.#options.record.baseline(test, this.#options.digestOf(test));
  }

  #limitMs(tests: readonly string[]): number {
    return PATIENCE_MS + PATIENCE * tests.reduce((sum, test) => sum + (this.#baselineOf(test)?.ms ?? assumedMs(test)), 0);
  }

  #batches({ file }: Mutant, key: string, isNew: (text: string) => boolean): ReturnType<typeof orderTests> {
    const { record, reach, digestOf, withinMs } = this.#options;
    const noticed = this.#noticed.get(file);
    const candidates = [...reach(file)].flatMap(([test, distance]) => {
      const baseline = this.#baselineOf(test);
      if (baseline?.ms === null || !isNew(digestOf(test)) || record.touches(test, digestOf(test), key) === false) return [];
      const near = distance / (1 + sharedWords(test, file));
      return [{ test, distance: near, ms: baseline?.ms ?? assumedMs(test), noticed: noticed?.get(test) ?? 0 }];
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

/** Tests are named after what they are for: the tests of a room have a folder of its name, those of a venue its name in theirs. */
function sharedWords(test: string, file: string): number {
  const words = new Set(wordsOf(file));
  return new Set(wordsOf(test).filter((word) => words.has(word))).size;
}

function wordsOf(file: string): readonly string[] {
  return file
    .split(/[^a-z0-9]+/)
    .slice(1)
    .filter((word) => word !== 'ts' && word !== 'test');
}

function assumedMs(test: string): number {
  if (test.endsWith('.heavy.ts')) return ASSUMED_HEAVY_MS;
  return WITH_CHAIN.test(test) ? ASSUMED_WITH_CHAIN_MS : ASSUMED_MS;
}
