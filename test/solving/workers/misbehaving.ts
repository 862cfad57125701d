// A solver thread for tests of faults: the job's maxHops says how it behaves, its amount for how long, in ms.
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { Plan, SolveJob } from '../../../src/routing/routing.ts';
import type { SolverAnswer, SolverTask } from '../../../src/solving/solving.ts';
import type { EpochSeconds } from '../../../src/units/units.ts';

export const BEHAVIOUR = {
  answer: 1,
  exit: 2,
  spin: 3,
  exitLate: 4,
  throw: 5,
  fillHeap: 6,
  growOutside: 7,
  leak: 8,
  reject: 9,
  exitFirst: 10,
  route: 11,
  routeFirst: 12,
  exitThenGiveUp: 13,
} as const;

const leaked: Buffer[] = [];

const attempts = new Int32Array(new SharedArrayBuffer(4));

/** Files by which threads of one process know what others have run. */
const marks = `braid-misbehaving-${process.pid}-`;

/** Whether no thread of this process has run such a job yet. True every other time. */
function isFirst({ maxHops, amount, sellToken }: SolveJob): boolean {
  const mark = path.join(tmpdir(), `${marks}${maxHops}-${amount}-${sellToken}`);
  try {
    closeSync(openSync(mark, 'wx'));
    return true;
  } catch {
    rmSync(mark);
    return false;
  }
}

/** Makes every job a first one again. */
export function forgetRuns(): void {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(marks)) rmSync(path.join(tmpdir(), name), { force: true });
}

function behave(job: SolveJob): void {
  const millis = Number(job.amount);
  if (job.maxHops === BEHAVIOUR.exitFirst && isFirst(job)) process.exit(7);
  if (job.maxHops === BEHAVIOUR.exitThenGiveUp && isFirst(job)) process.exit(7);
  if (job.maxHops === BEHAVIOUR.routeFirst && !isFirst(job)) process.exit(7);
  if (job.maxHops === BEHAVIOUR.exit) process.exit(7);
  if (job.maxHops === BEHAVIOUR.exitLate) {
    Atomics.wait(attempts, 0, 0, millis);
    process.exit(7);
  }
  if (job.maxHops === BEHAVIOUR.fillHeap) for (const kept: number[][] = []; ; ) kept.push(Array.from({ length: 10_000 }, (_, index) => index + kept.length));
  if (job.maxHops === BEHAVIOUR.growOutside) {
    for (const kept: Buffer[] = []; kept.length < 110; Atomics.wait(attempts, 0, 0, 40)) kept.push(Buffer.alloc(2 ** 24, 1));
  }
  if (job.maxHops === BEHAVIOUR.leak) leaked.push(Buffer.alloc(2 ** 20 * millis, 1));
  if (job.maxHops === BEHAVIOUR.reject) void Promise.reject(new Error('nobody handles this'));
  if (job.maxHops === BEHAVIOUR.throw) throw new Error('a bug in the solver');
  if (job.maxHops === BEHAVIOUR.spin) for (;;) Math.sqrt(2);
  Atomics.wait(attempts, 0, 0, millis);
}

function held(): Pick<SolverAnswer, 'heapBytes' | 'heldBytes'> {
  const { used_heap_size: heapBytes, external_memory: externalBytes } = getHeapStatistics();
  return { heapBytes, heldBytes: heapBytes + externalBytes };
}

export default function answerTask(task: SolverTask): SolverAnswer {
  if (task.kind === 'probe') return { result: null, runMs: 0, ...held() };
  const startedAt = performance.now();
  if (task.kind === 'certify') throw new Error('this worker certifies nothing');
  behave(task.job);
  // The queue looks at no route.
  if (task.job.maxHops === BEHAVIOUR.route || task.job.maxHops === BEHAVIOUR.routeFirst)
    return { result: { ok: true, plan: {} as Plan }, runMs: performance.now() - startedAt, ...held() };
  // As when its client hangs up meanwhile.
  if (task.job.maxHops === BEHAVIOUR.exitThenGiveUp) return { result: { ok: false, reason: 'cancelled' }, runMs: performance.now() - startedAt, ...held() };
  const block = { number: 1, hash: '0x01', timestamp: 1 as EpochSeconds, baseFeePerGas: null } as const;
  return { result: { ok: false, reason: 'no-route', maxHops: Number(task.job.amount), block }, runMs: performance.now() - startedAt, ...held() };
}
