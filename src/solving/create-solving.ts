// Called from the main thread only.
import { LIMITS } from '../config/limits.ts';
import type { CertifyJob, SolveJob } from '../routing/routing.ts';
import { cancelReader } from '../snapshot/snapshot.ts';
import { instantNow } from '../units/units.ts';
import type { Done, Entry } from './entry.ts';
import { FairQueue, type Lane } from './fair-queue.ts';
import { LaneChoice } from './lane-choice.ts';
import { longPlacesOf } from './long-jobs.ts';
import { MemoryWatch } from './memory-watch.ts';
import type { Caller, CertifyOutcome, Outlook, SolveOutcome, Solving, SolvingEvent, Undone } from './outcome.ts';
import { watchOverrun } from './overrun-watch.ts';
import { ranEvent } from './ran-event.ts';
import { Rehearsal } from './rehearsal.ts';
import { RehearsalPieces } from './rehearsal-pieces.ts';
import { RunEstimator } from './run-estimator.ts';
import type { SolverAnswer, SolverThreadData, SolverWork } from './solver-thread.ts';
import { Suspicion } from './suspicion.ts';
import { ThreadCrew } from './thread-crew.ts';
import { Trials } from './trials.ts';

export type SolvingOptions = {
  readonly threads: number;
  /** workers/solver, or in tests of faults a worker that misbehaves. */
  readonly workerFile: URL;
  readonly data: SolverThreadData;
  readonly onEvent: (event: SolvingEvent) => void;
  /** Heap of one thread. */
  readonly heapMegabytes?: number;
  /** Resident memory of the process above which the thread that holds most is replaced; none when left out. */
  readonly memoryLimitBytes?: number;
};

/** How much one handover weighs in their average. */
const HANDOVER_WEIGHT = 0.05;

/** Node's word for a thread whose heap was full. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

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
  readonly longPlaces: number;
  readonly #options: SolvingOptions;
  readonly #queue = new FairQueue<Entry>(LIMITS.solving.queue);
  readonly #running = new Set<Entry>();
  readonly #heapBytes = new Map<number, number>();
  readonly #estimator = new RunEstimator();
  readonly #trials = new Trials();
  readonly #suspicion = new Suspicion();
  readonly #pieces = new RehearsalPieces();
  readonly #rehearsal: Rehearsal;
  readonly #memory: MemoryWatch;
  readonly #crew: ThreadCrew;
  readonly #lanes: LaneChoice;
  /** What a thread is busy with a job beyond its run, on average: messages wait where processors are short. */
  #handoverMs = 0;
  #revaluedAt = Number.NEGATIVE_INFINITY;
  #held: NodeJS.Timeout | null = null;
  #closing = false;

  constructor(options: SolvingOptions) {
    this.#options = options;
    this.threads = options.threads;
    this.longPlaces = longPlacesOf(options.threads);
    const { heapMegabytes = LIMITS.solving.heapMegabytes, memoryLimitBytes = Number.POSITIVE_INFINITY } = options;
    this.#memory = new MemoryWatch({ limitBytes: memoryLimitBytes, onCulprit: (threadId) => this.#endForMemory(threadId) });
    this.#crew = new ThreadCrew({
      ...options,
      heapMegabytes,
      // Not before it is known under which job a thread died whose place this one takes: the client's next job may be the same.
      onIdle: () => setImmediate(() => this.#dispatch()),
      onRebuild: () => {
        for (const entry of this.#running) entry.endedFor = 'rebuild';
      },
      onEnded: (threadId) => {
        this.#memory.threadEnded(threadId);
        this.#pieces.threadEnded(threadId);
        this.#heapBytes.delete(threadId);
      },
    });
    const { threads, onEvent } = options;
    this.#lanes = new LaneChoice({
      threads,
      crew: this.#crew,
      estimator: this.#estimator,
      suspicion: this.#suspicion,
      trials: this.#trials,
      running: this.#running,
    });
    this.#rehearsal = new Rehearsal({ crew: this.#crew, pieces: this.#pieces, memory: this.#memory, suspicion: this.#suspicion, onEvent });
  }

  queueDepth(): number {
    return this.#queue.depth;
  }

  inflight(): number {
    return this.#running.size;
  }

  workers(): { live: number; starting: number; reserve: number; largestHeapBytes: number } {
    return { ...this.#crew.counts(), largestHeapBytes: Math.max(0, ...this.#heapBytes.values()) };
  }

  estimatedWaitMs(): number {
    return this.#queue.backlogMs() / this.threads + (this.#crew.idle === 0 ? this.#residualMs(['short', 'long']) : 0);
  }

  outlook(job: SolveJob, client: string): Outlook {
    const work = { kind: 'solve', job } as const;
    const full = this.#queue.isFullFor(client);
    // Answered without being run, so it waits for nothing.
    if (this.#suspicion.isPoison({ client, work })) return { waitMs: 0, full, suspect: false };
    const lane = this.#lanes.of(client, work, this.#estimator.estimateMs(work));
    return { waitMs: this.#waitMs(client, lane), full, suspect: lane === 'suspect' };
  }

  async started(): Promise<void> {
    await this.#crew.started();
  }

  solve(job: SolveJob, caller: Caller): Promise<SolveOutcome> {
    return this.#enter({ kind: 'solve', job }, caller, false) as Promise<SolveOutcome>;
  }

  solveAgain(job: SolveJob, caller: Caller): Promise<SolveOutcome> {
    return this.#enter({ kind: 'solve', job }, caller, true) as Promise<SolveOutcome>;
  }

  certify(job: CertifyJob, caller: Caller): Promise<CertifyOutcome> {
    return this.#enter({ kind: 'certify', job }, caller, true) as Promise<CertifyOutcome>;
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#held !== null) clearTimeout(this.#held);
    this.#memory.close();
    for (const entry of this.#queue.drain()) entry.settle({ ok: false, reason: 'failed' }, 0);
    await this.#crew.close();
  }

  /** A thread answers each kind of work with its own kind of result, so the callers above may narrow the type. */
  #enter(work: SolverWork, { client, signal }: Caller, ahead: boolean): Promise<{ result: Done | Undone; queueMs: number; runMs: number }> {
    return new Promise((resolve) => {
      const expiry = setTimeout(() => this.#expire(entry), Math.max(0, work.job.deadline - instantNow()));
      const onAbort = () => this.#cancel(entry);
      const runEstimateMs = this.#estimator.estimateMs(work);
      const lane = this.#lanes.of(client, work, runEstimateMs);
      const entry: Entry = {
        work,
        client,
        signal,
        estimateMs: runEstimateMs + this.#handoverMs,
        lane,
        isTrial: lane === 'short' && runEstimateMs > LIMITS.solving.shortRunMs,
        arrived: performance.now(),
        startedAt: 0,
        queueMs: 0,
        attempts: 0,
        threadId: null,
        endedFor: 'exit',
        settle: (result, runMs) => {
          clearTimeout(expiry);
          signal.removeEventListener('abort', onAbort);
          if (entry.isTrial) this.#trials.ended(0);
          resolve({ result, queueMs: entry.queueMs, runMs });
        },
      };
      if (entry.isTrial) this.#trials.begun();
      if (signal.aborted) return entry.settle({ ok: false, reason: 'cancelled' }, 0);
      signal.addEventListener('abort', onAbort, { once: true });
      if (this.#closing) return entry.settle({ ok: false, reason: 'expired' }, 0);
      if (this.#suspicion.isPoison(entry)) {
        this.#options.onEvent({ kind: 'poison-refused', chainId: work.job.chainId });
        return entry.settle({ ok: false, reason: 'failed' }, 0);
      }
      // Suspects wait for each other alone, and none may come first by having been answered before.
      if (ahead && lane !== 'suspect') this.#queue.pushAhead(entry);
      else if (ahead) this.#queue.pushAnyway(entry);
      else if (!this.#queue.push(entry)) return entry.settle({ ok: false, reason: 'expired' }, 0);
      this.#dispatch();
    });
  }

  /** Whether a suspect may be run now: one at a time, and no faster than threads may be risked. */
  #mayRisk(): boolean {
    for (const { lane } of this.#running) if (lane === 'suspect') return false;
    const held = this.#suspicion.msUntilRisk();
    if (held === 0) return true;
    this.#held ??= setTimeout(() => {
      this.#held = null;
      this.#dispatch();
    }, Math.ceil(held));
    return false;
  }

  #dispatch(): void {
    this.#dispatchSuspect();
    while (this.#crew.idle > 0) {
      const entry = this.#queue.next(this.#lanes.open());
      if (entry === undefined) {
        if (this.#queue.depth === 0) void this.#rehearse();
        return;
      }
      const threadId = this.#crew.take();
      if (threadId === undefined) throw new Error('a free thread is not there');
      void this.#start(threadId, entry);
    }
  }

  /** What may end its thread runs in reserve: its death leaves no place empty, and the threads that are warm stay so. */
  #dispatchSuspect(): void {
    if (!this.#queue.waitsIn('suspect') || !this.#mayRisk()) return;
    const threadId = this.#crew.takeReserve();
    const entry = threadId === undefined ? undefined : this.#queue.next(['suspect']);
    if (threadId !== undefined && entry !== undefined) void this.#start(threadId, entry);
  }

  /** Nobody waits, and a thread is free. */
  async #rehearse(): Promise<void> {
    if (!this.#closing && (await this.#rehearsal.goOn())) this.#dispatch();
  }

  async #start(threadId: number, entry: Entry): Promise<void> {
    this.#running.add(entry);
    entry.threadId = threadId;
    entry.attempts++;
    entry.startedAt = performance.now();
    entry.queueMs = entry.startedAt - entry.arrived;
    entry.endedFor = 'exit';
    this.#memory.jobStarted(threadId);
    const onOverrun = () => {
      entry.endedFor = 'overrun';
      this.#crew.end(threadId);
    };
    const watchdog = watchOverrun(entry.work.job.deadline, () => this.#crew.processorTimeMs(threadId), onOverrun);
    let answer: SolverAnswer | null = null;
    try {
      answer = await this.#crew.run(threadId, entry.work);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY) entry.endedFor = 'oom';
      this.#options.onEvent({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
    } finally {
      watchdog.stop();
    }
    const ranMs = performance.now() - entry.startedAt;
    this.#running.delete(entry);
    this.#queue.ended(entry, ranMs);
    if (entry.isTrial) this.#trials.ended(ranMs);
    entry.isTrial = false;
    entry.threadId = null;
    if (answer !== null) {
      this.#memory.jobEnded(threadId, answer.heldBytes);
      this.#heapBytes.set(threadId, answer.heapBytes);
    }
    this.#options.onEvent(ranEvent(entry.work, entry.lane, answer, ranMs));
    if (answer?.result) this.#done(threadId, entry, { result: answer.result, runMs: answer.runMs }, ranMs);
    else this.#lost(threadId, entry, ranMs);
    this.#dispatch();
  }

  #done(threadId: number, entry: Entry, { result, runMs }: { readonly result: Done; readonly runMs: number }, ranMs: number): void {
    this.#handoverMs += HANDOVER_WEIGHT * (Math.max(0, ranMs - runMs) - this.#handoverMs);
    const reason = result.ok ? null : result.reason;
    // What waits to be measured or has no block was not searched, nor to its end what was given up: that says neither how long it takes nor that it would not have killed its thread.
    const searched = reason !== 'unmeasured' && reason !== 'no-snapshot' && reason !== 'cancelled';
    if (searched) this.#estimator.learn(entry.work, runMs, entry.work.job.deadline <= instantNow());
    this.#revalue(entry, ranMs);
    const cleared = searched ? this.#suspicion.survived(entry) : 0;
    if (cleared > 0) {
      this.#queue.charge(entry.client, -cleared * LIMITS.solving.restartMs);
      this.#queue.relane(entry.client, (waiting) => this.#lanes.whenCleared(waiting));
    }
    if (result.ok && entry.work.kind === 'solve') this.#pieces.note(entry.work.job, runMs);
    entry.settle(result, runMs);
    this.#crew.free(threadId);
  }

  /** A job that took far longer than was thought says that others like it will: those that wait were let in by the old estimate, and whoever comes now waits for all of them. */
  #revalue({ estimateMs }: Entry, ranMs: number): void {
    const { ratio, leastMs, everyMs } = LIMITS.solving.surprise;
    const now = performance.now();
    if (ranMs < ratio * estimateMs || ranMs - estimateMs < leastMs || now - this.#revaluedAt < everyMs) return;
    this.#revaluedAt = now;
    this.#queue.revalue((waiting) => this.#estimator.estimateMs(waiting.work) + this.#handoverMs);
  }

  /** The thread died under a job, or threw. The job gets one more try while its budget lasts, behind whoever waits. */
  #lost(threadId: number, entry: Entry, ranMs: number): void {
    if (this.#closing) {
      entry.settle({ ok: false, reason: 'failed' }, ranMs);
      return;
    }
    this.#options.onEvent({ kind: 'restart', reason: entry.endedFor });
    if (entry.endedFor !== 'rebuild') this.#accuse(entry);
    // A thread that threw is alive but its state is doubtful: it goes, like one that died.
    this.#crew.end(threadId);
    if (entry.signal.aborted) {
      // No other thread is risked for nobody.
      entry.settle({ ok: false, reason: 'cancelled' }, ranMs);
      return;
    }
    if (entry.attempts >= LIMITS.solving.attempts || entry.work.job.deadline <= instantNow()) {
      entry.settle({ ok: false, reason: 'failed' }, ranMs);
      return;
    }
    // Of a client with credit a second try does not wait for what others risk, or nobody innocent would be cleared; but never on the thread that is kept for short jobs.
    if (entry.endedFor !== 'rebuild') entry.lane = this.#suspicion.isTrusted(entry.client) ? 'long' : 'suspect';
    this.#queue.pushAnyway(entry);
  }

  /** Its thread died, of which the job may be the cause. */
  #accuse(entry: Entry): void {
    this.#suspicion.died(entry);
    this.#queue.charge(entry.client, LIMITS.solving.restartMs);
    this.#queue.relane(entry.client, (waiting) => this.#lanes.whenAccused(waiting));
  }

  #endForMemory(threadId: number): void {
    const entry = [...this.#running].find((candidate) => candidate.threadId === threadId);
    // With a job, the end of the job tells.
    if (entry !== undefined) entry.endedFor = 'memory';
    else if (this.#rehearsal.end(threadId, 'memory')) return;
    else this.#options.onEvent({ kind: 'restart', reason: 'memory' });
    this.#crew.end(threadId);
  }

  #expire(entry: Entry): void {
    if (!this.#queue.remove(entry)) return;
    entry.queueMs = performance.now() - entry.arrived;
    if (entry.attempts > 0) {
      // Its thread died, and no other could be risked on it in time.
      entry.settle({ ok: false, reason: 'failed' }, 0);
      return;
    }
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

  /** How long a job that the client added to the lane now would wait for a thread. */
  #waitMs(client: string, lane: Lane): number {
    // Suspects run in reserve, by themselves.
    if (lane === 'suspect')
      return Math.max(this.#queue.aheadOf(client, [lane]).suspect + this.#residualMs([lane]), this.#suspicion.msUntilRisk(), this.#crew.msUntilReserve());
    const free = this.#crew.idle > 0;
    const places = Math.max(1, this.#lanes.places);
    const all = this.#queue.aheadOf(client, ['short', 'long']);
    const sharedMs = (all.short + all.long) / this.threads;
    if (lane === 'long') {
      const placeFree = this.#lanes.longRunning() < places;
      return Math.max(all.long / places, sharedMs) + (free && placeFree ? 0 : this.#residualMs(placeFree ? ['short', 'long'] : ['long']));
    }
    const residualMs = free ? 0 : this.#residualMs(['short', 'long']);
    const heldByLong = Math.min(places, this.#lanes.longRunning() + (all.long > 0 ? 1 : 0));
    const kept = this.threads - heldByLong;
    return (kept === 0 ? sharedMs : Math.min(sharedMs, this.#queue.aheadOf(client, ['short']).short / kept)) + residualMs;
  }

  /** The time until the first of the running jobs of some lanes ends. One that has outrun its estimate is expected to take as long again. */
  #residualMs(lanes: readonly Lane[]): number {
    const now = performance.now();
    let least = Number.POSITIVE_INFINITY;
    for (const { lane, estimateMs, startedAt } of this.#running) {
      if (!lanes.includes(lane)) continue;
      const elapsed = now - startedAt;
      least = Math.min(least, elapsed < estimateMs ? estimateMs - elapsed : elapsed);
    }
    return least === Number.POSITIVE_INFINITY ? 0 : least;
  }
}
