// A solver thread that dies when it is told to: for load tests and chaos. It is the real one, apart from that.
import { appendFileSync, readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import type { SolveJob } from '../../src/routing/routing.ts';
import type { SolverAnswer, SolverTask } from '../../src/solving/solving.ts';
import answerTask from '../../workers/solver.ts';
import { GROW_AMOUNT, HEAP_AMOUNT, POISON_AMOUNT, SPIN_AMOUNT, UNENCODABLE_AMOUNT } from './deadly-amounts.ts';

/** Whoever wants a thread to die puts a file into this folder: the thread that takes it away dies. */
const folder = process.env.BRAID_KILL_FOLDER ?? '';
/** Who died when, a line each: what the process hears of later. */
const deathsFile = process.env.BRAID_DEATHS_FILE ?? '';

/** How memory is taken: in pieces, with a moment between two for others, and no more than a machine for tests has. */
const PIECE_BYTES = 2 ** 25;
const PAUSE_MS = 5;
const MOST_PIECES = 96;
const PAUSED = new Int32Array(new SharedArrayBuffer(4));

export default function mortal(task: SolverTask): SolverAnswer {
  if (task.kind === 'solve') misbehave(task.job.amount);
  // In the middle of its work, as far as anybody else can tell: the answer is there and is never given.
  const answer = answerTask(task.kind === 'solve' && task.job.amount === SPIN_AMOUNT ? { ...task, job: endless(task.job) } : task);
  // A thread that rehearses has nobody's request: its death would show nothing.
  if ((task.kind === 'solve' || task.kind === 'certify') && folder !== '' && takeOrder()) die();
  return task.kind === 'solve' && task.job.amount === UNENCODABLE_AMOUNT ? withoutVenues(answer) : answer;
}

function misbehave(amount: bigint): void {
  if (amount === POISON_AMOUNT) die();
  if (amount === HEAP_AMOUNT) for (const kept: number[][] = []; ; ) kept.push(new Array<number>(2 ** 20).fill(kept.length));
  if (amount === GROW_AMOUNT)
    for (const kept: Buffer[] = []; ; Atomics.wait(PAUSED, 0, 0, PAUSE_MS)) if (kept.length < MOST_PIECES) kept.push(Buffer.alloc(PIECE_BYTES, 1));
}

/** A job that a solve never gets to the end of, while it holds the block that it began with. */
function endless(job: SolveJob): SolveJob {
  return {
    ...job,
    get maxHops(): never {
      for (;;) Math.sqrt(2);
    },
  };
}

/** A plan that no venue will own to, as a bug in a solver might make one. */
function withoutVenues(answer: SolverAnswer): SolverAnswer {
  const { result } = answer;
  if (result === null || !result.ok || !('plan' in result)) return answer;
  const { plan } = result;
  return { ...answer, result: { ...result, plan: { ...plan, hops: plan.hops.map((hop) => ({ ...hop, venue: 'nobody' })) } } };
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
