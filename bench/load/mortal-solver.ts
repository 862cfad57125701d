// A solver thread that dies when it is told to: for load tests and chaos. It is the real one, apart from that.
import { readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import type { SolverAnswer, SolverTask } from '../../src/solving/solving.ts';
import answerTask from '../../workers/solver.ts';
import { POISON_AMOUNT } from './poison-amount.ts';

/** Whoever wants a thread to die puts a file into this folder: the thread that takes it away dies. */
const folder = process.env.BRAID_KILL_FOLDER ?? '';

export default function mortal(task: SolverTask): SolverAnswer {
  if (task.kind === 'solve' && task.job.amount === POISON_AMOUNT) process.exit(13);
  // In the middle of its work, as far as anybody else can tell: the answer is there and is never given.
  const answer = answerTask(task);
  // A thread that rehearses has nobody's request: its death would show nothing.
  if ((task.kind === 'solve' || task.kind === 'certify') && folder !== '' && takeOrder()) process.exit(13);
  return answer;
}

function takeOrder(): boolean {
  const [order] = readdirSync(folder);
  if (order === undefined) return false;
  try {
    unlinkSync(path.join(folder, order));
    return true;
  } catch {
    // Another thread was faster.
    return false;
  }
}
