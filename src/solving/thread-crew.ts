// Called from the main thread only.
import { LIMITS } from '../config/limits.ts';
import type { SolveJob } from '../routing/routing.ts';
import { cancelReader, releaseReaderRows } from '../snapshot/snapshot.ts';
import type { SolvingEvent } from './outcome.ts';
import { watchProbe } from './probe-watch.ts';
import { processorTimeMs } from './processor-time.ts';
import type { SolverAnswer, SolverThreadData, SolverWork } from './solver-thread.ts';
import { ThreadPool } from './thread-pool.ts';

export type ThreadCrewOptions = {
  /** Threads that work. One more is kept warm in reserve, so that the place of one that ends is filled at once. */
  readonly threads: number;
  readonly workerFile: URL;
  readonly data: SolverThreadData;
  readonly heapMegabytes: number;
  /** Nothing of the thread is left. */
  readonly onEnded: (threadId: number) => void;
  /** A thread has become free, or has come into reserve. */
  readonly onIdle: () => void;
  /** All threads are about to end, whatever they do, since one did not come back. */
  readonly onRebuild: () => void;
  readonly onEvent: (event: SolvingEvent) => void;
};

/** Threads that exist when none is missing: reader rows of snapshots are needed for twice as many, since a thread that ends and its successor overlap. */
export function threadsStarted(threads: number): number {
  return threads + LIMITS.solving.reserveThreads;
}

/** The solver threads from their probe to their end: which of them are free, which work, which wait in reserve. */
export class ThreadCrew {
  readonly #options: ThreadCrewOptions;
  readonly #pool: ThreadPool;
  readonly #idle = new Set<number>();
  readonly #busy = new Set<number>();
  readonly #reserve = new Set<number>();
  /** Of the reserve, or just called from it: those that do something meanwhile. */
  readonly #rehearsing = new Set<number>();
  readonly #risked = new Set<number>();
  /** What the system calls the threads. */
  readonly #kernelThreads = new Map<number, number>();
  /** When places became empty that still are, oldest first. */
  readonly #emptySince: number[] = [];
  /** When the threads that load now were called for, oldest first. */
  readonly #loadingSince: number[] = [];
  /** How long the last one took from there until it was ready. */
  #loadMs = 0;
  #missing: { stop(): void } | null = null;
  #closing = false;
  #hasStarted = false;
  #starting: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null;

  constructor(options: ThreadCrewOptions) {
    this.#options = options;
    const { threads, workerFile, data, heapMegabytes, onEvent } = options;
    for (let i = 0; i < threadsStarted(threads); i++) this.#loadingSince.push(performance.now());
    this.#pool = new ThreadPool({
      threads: threadsStarted(threads),
      workerFile,
      data,
      heapMegabytes,
      onReady: (threadId) => this.#probe(threadId),
      onExit: (threadId) => this.#forget(threadId),
      // Ended on purpose, threads fail.
      onError: (error) => this.#closing || onEvent({ kind: 'error', message: error.message }),
    });
  }

  counts(): { readonly live: number; readonly starting: number; readonly reserve: number } {
    const live = this.#idle.size + this.#busy.size;
    return { live, starting: Math.max(0, this.#options.threads - live), reserve: this.#reserve.size };
  }

  get closing(): boolean {
    return this.#closing;
  }

  get idle(): number {
    return this.#idle.size;
  }

  /** Settles when as many threads as work have answered their probe, or one has failed it. */
  async started(): Promise<void> {
    let overdue: { stop(): void } | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#starting = { resolve, reject };
        overdue = watchProbe(() => reject(new Error(`a solver thread did not answer within ${LIMITS.solving.probeMs} ms`)));
      });
    } finally {
      overdue?.stop();
      this.#starting = null;
    }
    this.#hasStarted = true;
  }

  /** Whether the start is over. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** About how long until a thread is in reserve and all places are filled, ms; 0: now, or nobody can tell. */
  msUntilReserve(): number {
    const { starting, reserve } = this.counts();
    if (starting === 0 && reserve > 0) return 0;
    const since = this.#loadingSince[Math.min(starting, this.#loadingSince.length - 1)];
    return since === undefined ? 0 : Math.max(0, since + this.#loadMs - performance.now());
  }

  /** Takes a free thread, which works until it is given back by `free` or ended by `end`. */
  take(): number | undefined {
    const [threadId] = this.#idle;
    if (threadId === undefined) return undefined;
    this.#idle.delete(threadId);
    this.#busy.add(threadId);
    return threadId;
  }

  /** Takes a thread in reserve, while no place is empty, until it is given back by `free` or ended by `end`. One that rehearses is told to stop, and is free soon. */
  takeReserve(): number | undefined {
    if (this.counts().starting > 0) return undefined;
    const threadId = this.understudy;
    if (threadId !== undefined) this.#risked.add(threadId);
    else for (const rehearsing of this.#rehearsing) this.#stopRehearsing(rehearsing);
    return threadId;
  }

  /** Whether the thread has one of the places of those that work. */
  isPlaced(threadId: number): boolean {
    return this.#busy.has(threadId) || this.#idle.has(threadId);
  }

  /** Rejects when the thread dies under the work, or throws. */
  run(threadId: number, work: SolverWork): Promise<SolverAnswer> {
    return this.#pool.run(threadId, work);
  }

  /** Milliseconds that a thread has had a processor for since it began; null where nobody can tell. */
  processorTimeMs(threadId: number): number | null {
    const kernelThread = this.#kernelThreads.get(threadId);
    return kernelThread === undefined ? null : processorTimeMs(kernelThread);
  }

  /** A thread in reserve that does nothing. */
  get understudy(): number | undefined {
    for (const threadId of this.#reserve) if (!this.#isAtWork(threadId)) return threadId;
    return undefined;
  }

  /** Has a thread in reserve solve what nobody waits for. Called to a place meanwhile, it stops and comes. Rejects, and ends the thread, when it dies under the job or throws. */
  async rehearse(threadId: number, job: SolveJob): Promise<SolverAnswer> {
    this.#rehearsing.add(threadId);
    try {
      return await this.#pool.run(threadId, { kind: 'rehearse', job });
    } catch (error) {
      this.end(threadId);
      throw error;
    } finally {
      this.#rehearsing.delete(threadId);
      if (this.#busy.has(threadId)) {
        this.free(threadId);
        this.#options.onIdle();
      }
    }
  }

  free(threadId: number): void {
    this.#risked.delete(threadId);
    if (this.#busy.delete(threadId)) this.#idle.add(threadId);
  }

  /** Ends a thread whatever it is doing. */
  end(threadId: number): void {
    this.#leave(threadId);
    void this.#pool.terminate(threadId);
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#missing !== null) this.#missing.stop();
    await this.#pool.close();
  }

  #probe(threadId: number): void {
    const overdue = watchProbe(() => void this.#pool.terminate(threadId));
    this.#pool
      .run(threadId, { kind: 'probe' })
      .then(({ kernelThread }) => {
        if (kernelThread !== undefined) this.#kernelThreads.set(threadId, kernelThread);
        this.#admit(threadId);
      })
      .catch((error: Error) => {
        if (this.#closing) return;
        const failure = new Error(`a solver thread failed its probe: ${error.message}`, { cause: error });
        if (this.#starting === null) this.#options.onEvent({ kind: 'error', message: failure.message });
        else this.#starting.reject(failure);
      })
      .finally(() => overdue.stop());
  }

  #admit(threadId: number): void {
    this.#reserve.add(threadId);
    const since = this.#loadingSince.shift();
    if (since !== undefined) this.#loadMs = performance.now() - since;
    this.#fill();
    if (this.#reserve.has(threadId)) this.#options.onIdle();
    if (this.counts().starting === 0) this.#starting?.resolve();
    // Threads do load: each gets the whole time.
    if (this.#missing !== null) this.#missing.stop();
    this.#missing = null;
    if (!this.#isWhole()) this.#expectReplacement();
  }

  #isWhole(): boolean {
    const { starting, reserve } = this.counts();
    return starting === 0 && reserve >= LIMITS.solving.reserveThreads;
  }

  /** Moves threads from the reserve to places that are empty. */
  #fill(): void {
    for (const threadId of this.#reserve) {
      if (this.counts().starting === 0) return;
      this.#reserve.delete(threadId);
      const since = this.#emptySince.shift();
      if (since !== undefined) this.#options.onEvent({ kind: 'refilled', ms: performance.now() - since });
      if (this.#isAtWork(threadId)) {
        // It is free when what it does has ended.
        this.#busy.add(threadId);
        if (this.#rehearsing.has(threadId)) this.#stopRehearsing(threadId);
        continue;
      }
      this.#idle.add(threadId);
      this.#options.onIdle();
    }
  }

  #isAtWork(threadId: number): boolean {
    return this.#rehearsing.has(threadId) || this.#risked.has(threadId);
  }

  #stopRehearsing(threadId: number): void {
    for (const chain of this.#options.data.chains) cancelReader(chain.buffers, threadId);
  }

  #leave(threadId: number): void {
    this.#risked.delete(threadId);
    const held = this.#idle.delete(threadId) || this.#busy.delete(threadId);
    if (held && !this.#closing) this.#emptySince.push(performance.now());
    // Called twice for a thread that is ended.
    if (this.#reserve.delete(threadId) || held) this.#loadingSince.push(performance.now());
    if (this.#closing) return;
    this.#expectReplacement();
    this.#fill();
  }

  #forget(threadId: number): void {
    let count = 0;
    for (const chain of this.#options.data.chains) count += releaseReaderRows(chain.buffers, threadId);
    if (count > 0) this.#options.onEvent({ kind: 'pins-reclaimed', count });
    this.#kernelThreads.delete(threadId);
    this.#options.onEnded(threadId);
    this.#leave(threadId);
  }

  #expectReplacement(): void {
    if (this.#missing !== null || this.#closing) return;
    this.#missing = watchProbe(() => {
      this.#missing = null;
      if (this.#closing || this.#isWhole()) return;
      this.#options.onEvent({ kind: 'restart', reason: 'rebuild' });
      this.#options.onRebuild();
      for (const threadId of this.#reserve) if (this.#reserve.delete(threadId)) this.#loadingSince.push(performance.now());
      for (const threadId of this.#idle) this.#leave(threadId);
      void this.#pool.rebuild();
      this.#expectReplacement();
    }, LIMITS.solving.missingThreadMs);
  }
}
