// Called from the main thread only.
import { Piscina } from 'piscina';
import type { SolverAnswer, SolverTask, SolverThreadData } from './solver-thread.ts';

export type ThreadPoolOptions = {
  readonly threads: number;
  readonly workerFile: URL;
  readonly data: SolverThreadData;
  readonly heapMegabytes: number;
  /** A thread is ready for work: at start, or as a replacement. */
  readonly onReady: (threadId: number) => void;
  /** A thread has ended for good; nothing of it runs any more, so its reader rows may be released. */
  readonly onExit: (threadId: number) => void;
  readonly onError: (error: Error) => void;
};

/**
 * A fixed set of solver threads on Piscina, addressed one by one. Piscina's load balancer is how a task reaches a chosen thread: `run` names the thread, and
 * the balancer, which Piscina calls before `run` returns, picks exactly that one. So Piscina never queues, and a thread that overruns is known by its id.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  #pool: Piscina;
  #chosen = -1;
  #closing = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#pool = this.#createPool();
  }

  /** Runs a task on a ready, idle thread. Rejects when the thread dies under it. */
  run(threadId: number, task: SolverTask): Promise<SolverAnswer> {
    this.#chosen = threadId;
    return this.#pool.run(task);
  }

  /** Ends a thread whatever it is doing. Its task rejects, and Piscina starts a replacement. */
  async terminate(threadId: number): Promise<void> {
    const worker = this.#pool.threads.find((candidate) => candidate.threadId === threadId);
    await worker?.terminate();
  }

  /** Throws the pool away and starts a new one: Piscina replaces no thread any more once a replacement failed while loading. */
  async rebuild(): Promise<void> {
    const old = this.#pool;
    await old.destroy();
    if (!this.#closing) this.#pool = this.#createPool();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#pool.destroy();
  }

  #createPool(): Piscina {
    const { threads, workerFile, data, heapMegabytes, onError } = this.#options;
    const pool = new Piscina({
      filename: workerFile.href,
      workerData: data,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      maxQueue: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      atomics: 'sync',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      loadBalancer: (_task, workers) => workers.find((worker) => worker.id === this.#chosen) ?? null,
    });
    pool.on('workerCreate', (worker: { readonly id: number }) => this.#watch(pool, worker.id));
    pool.on('error', onError);
    return pool;
  }

  #watch(pool: Piscina, threadId: number): void {
    const worker = pool.threads.find((candidate) => candidate.threadId === threadId);
    if (worker === undefined) return;
    // After its exit a worker's own threadId reads −1: the id is kept here.
    worker.once('exit', () => this.#options.onExit(threadId));
    this.#options.onReady(threadId);
  }
}
