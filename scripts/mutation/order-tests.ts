/** A test file that may notice. */
export type Candidate = {
  readonly test: string;
  /** Files from it to what is broken. */
  readonly distance: number;
  /** On the whole code. */
  readonly ms: number;
  /** Other mutants of the same file that it noticed. */
  readonly noticed: number;
};

/** One run of the test runner: starting it takes longer than most files do. */
export type Batch = { readonly tests: readonly string[]; readonly ms: number };

/** The first batch is small, since what notices is mostly in it. */
const BATCHES_MS = [6_000, 20_000, 60_000];

/** Those first that noticed something in the same file, then what is near and quick. Those beyond the time are left out; the first is never. */
export function orderTests(candidates: readonly Candidate[], withinMs: number): { readonly batches: readonly Batch[]; readonly leftOut: readonly string[] } {
  const cost = ({ distance, ms }: Candidate) => distance * distance * (ms + 500);
  const ordered = [...candidates].sort((a, b) => b.noticed - a.noticed || cost(a) - cost(b));
  const batches: { tests: string[]; ms: number }[] = [];
  const leftOut: string[] = [];
  let totalMs = 0;
  for (const { test, ms } of ordered) {
    if (totalMs > 0 && totalMs + ms > withinMs) {
      leftOut.push(test);
      continue;
    }
    totalMs += ms;
    const last = batches.at(-1);
    const room = BATCHES_MS[Math.min(batches.length, BATCHES_MS.length) - 1] ?? 0;
    if (last === undefined || last.ms + ms > room) batches.push({ tests: [test], ms });
    else {
      last.tests.push(test);
      last.ms += ms;
    }
  }
  return { batches, leftOut };
}
