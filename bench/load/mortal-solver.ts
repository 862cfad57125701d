// A solver thread that dies when it is told to: for load tests and chaos. It is the real one, apart from that.
import { appendFileSync, readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import type { SolverAnswer, SolverTask } from '../../src/solving/solving.ts';
import answerTask from '../../workers/solver.ts';
import { POISON_AMOUNT } from './poison-amount.ts';

/** Whoever wants a thread to die puts a file into this folder: the thread that takes it away dies. */
const folder = process.env.BRAID_KILL_FOLDER ?? '';
/** Who died when, a line each: what the process hears of later. */
const deathsFile = process.env.BRAID_DEATHS_FILE ?? '';

export default function mortal(task: SolverTask): SolverAnswer {
  if (task.kind === 'solve' && task.job.amount === POISON_AMOUNT) die();
  // In the middle of its work, as far as anybody else can tell: the answer is there and is never given.
  const answer = answerTask(task);
  // A thread that rehearses has nobody's request: its death would show nothing.
  if ((task.kind === 'solve' || task.kind === 'certify') && folder !== '' && takeOrder()) die();
  return answer;
}

function die(): never {
  if (deathsFile !== '') appendFileSync(deathsFile, `${threadId} ${Date.now()}\n`);
  process.exit(13);
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
