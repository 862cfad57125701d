import { LIMITS } from '../config/limits.ts';
import type { SolveJob } from '../routing/routing.ts';
import { type InstantMs, instantNow } from '../units/units.ts';

/**
 * What threads in reserve do over, of what was answered lately: a thread's first solves pay for code that is still interpreted and for markets that it has not met, tens of
 * times what they cost later. Only what ran to a route, and quickly: nothing is tried here that might end a thread. Bounded: one job of a pair and mode, the latest pairs.
 */
export class RehearsalPieces {
  // Insertion order is the order of the last touch.
  readonly #jobs = new Map<string, SolveJob>();
  readonly #done = new Map<number, { runs: number; at: number }>();

  /** A thread found a route for a job. */
  note(job: SolveJob, runMs: number): void {
    if (runMs > LIMITS.solving.shortRunMs) return;
    const key = `${job.chainId}/${job.mode}/${job.sellToken}/${job.buyToken}`;
    this.#jobs.delete(key);
    this.#jobs.set(key, job);
    for (const oldest of this.#jobs.keys()) {
      if (this.#jobs.size <= LIMITS.solving.rehearsal.jobs) return;
      this.#jobs.delete(oldest);
    }
  }

  /** The thread's next job, one after the other; null while there is none. A thread that has done enough only goes on following the market. */
  next(threadId: number): SolveJob | null {
    const { runs, everyMs, budgetMs } = LIMITS.solving.rehearsal;
    const done = this.#done.get(threadId) ?? { runs: 0, at: Number.NEGATIVE_INFINITY };
    if (this.#jobs.size === 0 || (done.runs >= runs && performance.now() - done.at < everyMs)) return null;
    this.#done.set(threadId, { runs: done.runs + 1, at: performance.now() });
    let skipped = done.runs % this.#jobs.size;
    for (const job of this.#jobs.values()) if (skipped-- === 0) return { ...job, deadline: (instantNow() + budgetMs) as InstantMs };
    return null;
  }

  threadEnded(threadId: number): void {
    this.#done.delete(threadId);
  }

  clear(): void {
    this.#jobs.clear();
  }
}
