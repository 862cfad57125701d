// A solver thread that dies when it is told to: for load tests and chaos. It is the real one, apart from that.
import { appendFileSync, readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import type { SolverAnswer, SolverTask } from '../../src/solving/solving.ts';
import answerTask from '../../workers/solver.ts';
import { HEAP_AMOUNT, POISON_AMOUNT, SPIN_AMOUNT } from './deadly-amounts.ts';

/** Whoever wants a thread to die puts a file into this folder: the thread that takes it away dies. */
const folder = process.env.BRAID_KILL_FOLDER ?? '';
/** Who died when, a line each: what the process hears of later. */
const deathsFile = process.env.BRAID_DEATHS_FILE ?? '';

export default function mortal(task: SolverTask): SolverAnswer {
  if (task.kind === 'solve') misbehave(task.job.amount);
  // In the middle of its work, as far as anybody else can tell: the answer is there and is never given.
  const answer = answerTask(task);
  // A thread that rehearses has nobody's request: its death would show nothing.
  if ((task.kind === 'solve' || task.kind === 'certify') && folder !== '' && takeOrder()) die();
  return answer;
}

function misbehave(amount: bigint): void {
  if (amount === POISON_AMOUNT) die();
  if (amount === HEAP_AMOUNT) for (const kept: number[][] = []; ; ) kept.push(new Array<number>(2 ** 20).fill(kept.length));
  if (amount === SPIN_AMOUNT) for (;;) Math.sqrt(2);
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
