// Entry point of a solver thread. It pins the snapshot, solves, unpins; it does no I/O and logs nothing.
// Loading happens while the module is imported, because Piscina calls a thread ready only after that.
import { existsSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { threadId, workerData } from 'node:worker_threads';
import { LIMITS } from '../src/config/limits.ts';
import { type CertifyResult, createSolver, type SolveResult } from '../src/routing/routing.ts';
import { SnapshotReader } from '../src/snapshot/snapshot.ts';
import type { SolverAnswer, SolverTask, SolverThreadData } from '../src/solving/solving.ts';
import { type InstantMs, instantNow } from '../src/units/units.ts';
import { loadSolverVenues } from '../src/venues/venues.ts';

// Answers, refusals, new blocks, and the solves of threads that are there come before what this one does, its start included: much of that is spent on a cold start (decision 182). On Linux a
// thread has a priority of its own; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + LIMITS.solving.niceness));

const { chains } = workerData as SolverThreadData;
// What the system calls this thread, where it tells: "<process>/task/<thread>".
const named = existsSync('/proc/thread-self') ? { kernelThread: Number(readlinkSync('/proc/thread-self').split('/').at(-1)) } : {};
const venues = await loadSolverVenues();

const solvers = new Map(
  chains.map(({ buffers, ...chain }) => {
    const reader = SnapshotReader.claim(buffers, threadId);
    const solver = createSolver({ chain, venues, now: instantNow, cancelled: () => reader.cancelled() });
    return [chain.chainId, { reader, solver }];
  }),
);

for (const { reader, solver } of solvers.values()) {
  const view = reader.pin();
  if (view === null) continue;
  solver.warmUp(view, (instantNow() + LIMITS.solving.warmUpMs) as InstantMs);
  reader.unpin();
}

function doTask(task: SolverTask): SolveResult | CertifyResult | null {
  if (task.kind === 'probe') return null;
  const chain = solvers.get(task.job.chainId);
  if (chain === undefined) throw new Error(`no snapshot of chain ${task.job.chainId} in this thread`);
  const view = chain.reader.pin();
  if (view === null) return { ok: false, reason: 'no-snapshot' };
  try {
    return task.kind === 'certify' ? chain.solver.certify(task.job, view) : chain.solver.solve(task.job, view);
  } finally {
    chain.reader.unpin();
  }
}

export default function answerTask(task: SolverTask): SolverAnswer {
  const startedAt = performance.now();
  const result = doTask(task);
  const { used_heap_size: heapBytes, external_memory: externalBytes } = getHeapStatistics();
  return { result, runMs: performance.now() - startedAt, heapBytes, heldBytes: heapBytes + externalBytes, ...named };
}
