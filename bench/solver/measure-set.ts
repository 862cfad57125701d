import { type BenchSet, openBenchSet, type SetChoice } from './bench-set.ts';
import { type Measured, type MeasureOptions, measure, type Selection, selectRequests } from './measure.ts';

export type SetRun = {
  readonly choice: SetChoice;
  readonly options: MeasureOptions;
  /** So many requests, each n-th of those that have a way within the hops; null: spread over all. */
  readonly limit: number;
  readonly every: number | null;
};

/** All solvers on one set. */
export type MeasuredSet = {
  readonly set: BenchSet;
  readonly selection: Selection;
  readonly options: MeasureOptions;
  readonly measured: Measured;
  readonly openedMillis: number;
};

export async function measureSet({ choice, options, limit, every }: SetRun): Promise<MeasuredSet> {
  const started = performance.now();
  const set = await openBenchSet(choice);
  const openedMillis = performance.now() - started;
  const selection = selectRequests(set, options.maxHops, limit, every);
  return { set, selection, options, measured: await measure(set, selection.requests, options), openedMillis };
}
