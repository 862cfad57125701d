// Ends its thread the first time; the second run of a job is given up, as when its client hangs up meanwhile.
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SolverAnswer, SolverTask } from '../../../src/solving/solving.ts';

const STILL = { runMs: 0, heapBytes: 0, heldBytes: 0 };

export default function answerTask(task: SolverTask): SolverAnswer {
  if (task.kind !== 'solve') return { result: null, ...STILL };
  try {
    // By the name that misbehaving.ts forgets.
    closeSync(openSync(path.join(tmpdir(), `braid-misbehaving-${process.pid}-given-up-${task.job.amount}`), 'wx'));
  } catch {
    return { result: { ok: false, reason: 'cancelled' }, ...STILL };
  }
  process.exit(7);
}
