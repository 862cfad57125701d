// Called from the main thread only.
import { LIMITS } from '../config/limits.ts';
import type { CertifyJob, SolveJob } from '../routing/routing.ts';
import { cancelReader, releaseReaderRows } from '../snapshot/snapshot.ts';
import { instantNow } from '../units/units.ts';
import { JobQueue } from './job-queue.ts';
import type { CertifyOutcome, SolveOutcome, Solving, SolvingEvent, Undone } from './outcome.ts';
import type { SolverAnswer, SolverThreadData, SolverWork } from './solver-thread.ts';
import { ThreadPool } from './thread-pool.ts';

export type SolvingOptions = {
  readonly threads: number;
  /** workers/solver, or in tests of faults a worker that misbehaves. */
  readonly workerFile: URL;
  readonly data: SolverThreadData;
  readonly onEvent: (event: SolvingEvent) => void;
};

type Entry = {
  readonly work: SolverWork;
  readonly arrived: number;
  readonly settle: (result: Done | Undone, runMs: number) => void;
  queueMs: number;
  attempts: number;
  threadId: number | null;
};

type Done = NonNullable<SolverAnswer['result']>;

/** How much a new run time weighs in the moving average. */
const AVERAGE_WEIGHT = 0.1;
const FIRST_GUESS_MS = 3;

/** Starts the threads and waits until each has answered a probe. Rejects when one does not in time: a pool that can not load its code would hang, not fail. */
export async function createSolving(options: SolvingOptions): Promise<Solving> {
  const dispatcher = new Dispatcher(options);
  try {
    await dispatcher.started();
  } catch (error) {
    await dispatcher.close();
    throw error;
  }
  return dispatcher;
}

class Dispatcher implements Solving {
  readonly queueLimit = LIMITS.solving.queue;
  readonly threads: number;
  readonly #options: SolvingOptions;
  readonly #queue = new JobQueue<Entry>(LIMITS.solving.queue);
  readonly #idle = new Set<number>();
  readonly #running = new Map<number, Entry>();
  readonly #heapBytes = new Map<number, number>();
  readonly #pool: ThreadPool;
  #average = FIRST_GUESS_MS;
  #missing: NodeJS.Timeout | null = null;
  #closing = false;
  #starting: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null;

  constructor(options: SolvingOptions) {
    this.#options = options;
    this.threads = options.threads;
    this.#pool = new ThreadPool({
      threads: options.threads,
      workerFile: options.workerFile,
      data: options.data,
      heapMegabytes: LIMITS.solving.heapMegabytes,
      onReady: (threadId) => this.#admitThread(threadId),
      onExit: (threadId) => this.#forgetThread(threadId),
      onError: (error) => options.onEvent({ kind: 'error', message: error.message }),
    });
  }

  queueDepth(): number {
    return this.#queue.depth;
  }

  inflight(): number {
    return this.#running.size;
  }

  averageRunMs(): number {
    return this.#average;
  }

  workers(): { live: number; starting: number; largestHeapBytes: number } {
    const live = this.#idle.size + this.#running.size;
    return { live, starting: Math.max(0, this.threads - live), largestHeapBytes: Math.max(0, ...this.#heapBytes.values()) };
  }

  /** Settles when every thread has answered its probe, or one has failed it. */
  async started(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#starting = { resolve, reject };
        timer = setTimeout(() => reject(new Error(`a solver thread did not answer within ${LIMITS.solving.probeMs} ms`)), LIMITS.solving.probeMs);
      });
    } finally {
      clearTimeout(timer);
      this.#starting = null;
    }
  }

  solve(job: SolveJob, signal: AbortSignal): Promise<SolveOutcome> {
    return this.#enter({ kind: 'solve', job }, signal, false) as Promise<SolveOutcome>;
  }

  solveAgain(job: SolveJob, signal: AbortSignal): Promise<SolveOutcome> {
    return this.#enter({ kind: 'solve', job }, signal, true) as Promise<SolveOutcome>;
  }

  certify(job: CertifyJob, signal: AbortSignal): Promise<CertifyOutcome> {
    return this.#enter({ kind: 'certify', job }, signal, true) as Promise<CertifyOutcome>;
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#missing !== null) clearTimeout(this.#missing);
    for (let entry = this.#queue.shift(); entry !== undefined; entry = this.#queue.shift()) entry.settle({ ok: false, reason: 'failed' }, 0);
    await this.#pool.close();
  }

  /** A thread answers each kind of work with its own kind of result, so the callers above may narrow the type. */
  #enter(work: SolverWork, signal: AbortSignal, first: boolean): Promise<{ result: Done | Undone; queueMs: number; runMs: number }> {
    return new Promise((resolve) => {
      const expiry = setTimeout(() => this.#expire(entry), Math.max(0, work.job.deadline - instantNow()));
      const onAbort = () => this.#cancel(entry);
      const entry: Entry = {
        work,
        arrived: performance.now(),
        queueMs: 0,
        attempts: 0,
        threadId: null,
        settle: (result, runMs) => {
          clearTimeout(expiry);
          signal.removeEventListener('abort', onAbort);
          resolve({ result, queueMs: entry.queueMs, runMs });
        },
      };
      if (signal.aborted) return entry.settle({ ok: false, reason: 'cancelled' }, 0);
      signal.addEventListener('abort', onAbort, { once: true });
      if (this.#closing) return entry.settle({ ok: false, reason: 'expired' }, 0);
      if (first) this.#queue.pushFront(entry);
      else if (!this.#queue.push(entry)) return entry.settle({ ok: false, reason: 'expired' }, 0);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const threadId of this.#idle) {
      const entry = this.#queue.shift();
      if (entry === undefined) return;
      this.#idle.delete(threadId);
      void this.#start(threadId, entry);
    }
  }

  async #start(threadId: number, entry: Entry): Promise<void> {
    this.#running.set(threadId, entry);
    entry.threadId = threadId;
    entry.attempts++;
    const startedAt = performance.now();
    entry.queueMs = startedAt - entry.arrived;
    let overran = false;
    const budget = Math.max(0, entry.work.job.deadline - instantNow());
    // Where this process itself is late, the answer may lie unread behind the timer: once more around the event loop before a thread is ended for it.
    let watchdog = setTimeout(() => {
      watchdog = setTimeout(() => {
        overran = true;
        void this.#pool.terminate(threadId);
      }, LIMITS.solving.secondChanceMs);
    }, budget + LIMITS.solving.overrunMs);
    let answer: SolverAnswer | null = null;
    try {
      answer = await this.#pool.run(threadId, entry.work);
    } catch (error) {
      this.#options.onEvent({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
    } finally {
      clearTimeout(watchdog);
    }
    this.#running.delete(threadId);
    entry.threadId = null;
    const { work } = entry;
    const ranMs = performance.now() - startedAt;
    this.#options.onEvent({ kind: 'ran', chainId: work.job.chainId, work: work.kind, end: endOf(answer), runMs: answer?.runMs ?? ranMs });
    if (answer?.result) {
      this.#heapBytes.set(threadId, answer.heapBytes);
      // Admission asks how long a solve takes; a certification is a fraction of one.
      if (entry.work.kind === 'solve') this.#average += AVERAGE_WEIGHT * (answer.runMs - this.#average);
      entry.settle(answer.result, answer.runMs);
      this.#idle.add(threadId);
    } else {
      this.#lost(threadId, entry, overran, ranMs);
    }
    this.#dispatch();
  }

  /** The thread died under a job, or threw. The job gets one more try while its budget lasts. */
  #lost(threadId: number, entry: Entry, overran: boolean, ranMs: number): void {
    if (this.#closing) {
      entry.settle({ ok: false, reason: 'failed' }, ranMs);
      return;
    }
    this.#options.onEvent({ kind: 'restart', reason: overran ? 'overrun' : 'exit' });
    // A thread that threw is alive but its state is doubtful: it goes, like one that died.
    void this.#pool.terminate(threadId);
    this.#expectReplacement();
    if (entry.attempts < LIMITS.solving.attempts && entry.work.job.deadline > instantNow()) this.#queue.pushFront(entry);
    else entry.settle({ ok: false, reason: 'failed' }, ranMs);
  }

  #expire(entry: Entry): void {
    if (!this.#queue.remove(entry)) return;
    entry.queueMs = performance.now() - entry.arrived;
    this.#options.onEvent({ kind: 'expired', chainId: entry.work.job.chainId });
    entry.settle({ ok: false, reason: 'expired' }, 0);
  }

  #cancel(entry: Entry): void {
    if (this.#queue.remove(entry)) {
      entry.settle({ ok: false, reason: 'cancelled' }, 0);
      return;
    }
    if (entry.threadId === null) return;
    for (const chain of this.#options.data.chains) cancelReader(chain.buffers, entry.threadId);
  }

  #admitThread(threadId: number): void {
    const overdue = setTimeout(() => void this.#pool.terminate(threadId), LIMITS.solving.probeMs);
    this.#pool
      .run(threadId, { kind: 'probe' })
      .then(() => {
        this.#idle.add(threadId);
        if (this.workers().starting === 0) {
          this.#starting?.resolve();
          if (this.#missing !== null) clearTimeout(this.#missing);
          this.#missing = null;
        }
        this.#dispatch();
      })
      .catch((error: Error) => {
        if (this.#closing) return;
        const failure = new Error(`a solver thread failed its probe: ${error.message}`, { cause: error });
        if (this.#starting === null) this.#options.onEvent({ kind: 'error', message: failure.message });
        else this.#starting.reject(failure);
      })
      .finally(() => clearTimeout(overdue));
  }

  #forgetThread(threadId: number): void {
    this.#idle.delete(threadId);
    this.#heapBytes.delete(threadId);
    let count = 0;
    for (const chain of this.#options.data.chains) count += releaseReaderRows(chain.buffers, threadId);
    if (count > 0) this.#options.onEvent({ kind: 'pins-reclaimed', count });
    if (!this.#closing) this.#expectReplacement();
  }

  #expectReplacement(): void {
    if (this.#missing !== null || this.#closing) return;
    this.#missing = setTimeout(() => {
      this.#missing = null;
      if (this.#closing || this.workers().starting === 0) return;
      this.#options.onEvent({ kind: 'restart', reason: 'rebuild' });
      this.#idle.clear();
      void this.#pool.rebuild();
      this.#expectReplacement();
    }, LIMITS.solving.missingThreadMs + LIMITS.solving.probeMs);
  }
}

function endOf(answer: SolverAnswer | null): Extract<SolvingEvent, { kind: 'ran' }>['end'] {
  if (!answer?.result) return 'lost';
  if (answer.result.ok) return 'answered';
  const { reason } = answer.result;
  return reason === 'refused' || reason === 'cancelled' ? reason : 'answered';
}
