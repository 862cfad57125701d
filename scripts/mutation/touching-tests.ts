import { isMarkable, type Mark, marked } from './marked.ts';
import type { Mutant } from './mutants.ts';
import type { Reach } from './reaching-tests.ts';
import { keyOf, type RunRecord } from './run-record.ts';
import { shareOut } from './share-out.ts';
import type { WorkingCopy } from './working-copy.ts';

export type TouchingOptions = {
  readonly record: RunRecord;
  readonly reach: Reach;
  readonly textOf: (file: string) => string;
  readonly digestOf: (test: string) => string;
  readonly say: (line: string) => void;
};

/** What tests are run in. */
type Copy = Pick<WorkingCopy, 'test' | 'withTexts' | 'takeTouched' | 'touchedFile'>;

const LONGEST_MS = 300_000;

/** Runs each test that reaches a place of the sample once, with the places marked: afterwards the record says which tests run which place. Returns at once where it says so already. */
export async function recordTouches(sample: readonly Mutant[], copies: readonly Copy[], options: TouchingOptions): Promise<void> {
  const { record, reach, textOf, digestOf, say } = options;
  const marks = sample.map((mutant, id): Mark => ({ id, mutant })).filter(({ mutant }) => isMarkable(mutant));
  const keys = sample.map((mutant) => keyOf(mutant, textOf(mutant.file)));
  const asked = new Map<string, number[]>();
  for (const { id, mutant } of marks) {
    for (const test of reach(mutant.file).keys()) {
      if (record.touches(test, digestOf(test), keys[id] as string) !== undefined) continue;
      asked.set(test, [...(asked.get(test) ?? []), id]);
    }
  }
  const files = new Set(marks.map(({ mutant }) => mutant.file));
  const marksOf = (file: string) => marks.filter(({ mutant }) => mutant.file === file);
  let done = 0;
  const run = async ([test, ids]: readonly [string, readonly number[]], copy: Copy) => {
    copy.takeTouched();
    const { end, ms } = await copy.test([test], LONGEST_MS);
    const touched = copy.takeTouched();
    const text = digestOf(test);
    say(`${++done}/${asked.size} ${test} runs ${touched.size} of the places${end === 'pass' ? '' : ` and ends in ${end}`}`);
    // Of one that was held up or minds the marks it is not known what it would have run.
    const keysOf = (isTouched: boolean) => ids.filter((id) => touched.has(id) === isTouched).map((id) => keys[id] as string);
    record.add({ kind: 'touches', test, text, touched: keysOf(true), untouched: end === 'pass' ? keysOf(false) : [] });
    if (end === 'pass' && record.baseline(test, text) === undefined) record.add({ kind: 'baseline', test, text, ms: Math.round(ms) });
  };
  // Heavy ones first: the last to end is waited for alone.
  const ordered = [...asked].sort(([a], [b]) => Number(b.endsWith('.heavy.ts')) - Number(a.endsWith('.heavy.ts')));
  const marking = (copy: Copy) => new Map([...files].map((file) => [file, marked(textOf(file), marksOf(file), copy.touchedFile)]));
  // Every copy is marked until all are done.
  const withMarks = ([copy, ...others]: readonly Copy[], work: () => Promise<void>): Promise<void> =>
    copy === undefined ? work() : copy.withTexts(marking(copy), () => withMarks(others, work));
  await withMarks(copies, () => shareOut(ordered, copies, run));
}
