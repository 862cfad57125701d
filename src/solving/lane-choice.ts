import { LIMITS } from '../config/limits.ts';
import type { Entry } from './entry.ts';
import type { Lane } from './fair-queue.ts';
import { longPlacesOf } from './long-jobs.ts';
import type { RunEstimator } from './run-estimator.ts';
import type { SolverWork } from './solver-thread.ts';
import type { Suspicion } from './suspicion.ts';
import type { ThreadCrew } from './thread-crew.ts';
import type { Trials } from './trials.ts';

export type LaneChoiceOptions = {
  readonly threads: number;
  readonly crew: ThreadCrew;
  readonly estimator: RunEstimator;
  readonly suspicion: Suspicion;
  readonly trials: Trials;
  /** Jobs that run now. */
  readonly running: ReadonlySet<Entry>;
};

/** Which lane a job waits in, when it comes and when more or less is known of its client, and which lanes a free thread may serve. */
export class LaneChoice {
  readonly #options: LaneChoiceOptions;

  constructor(options: LaneChoiceOptions) {
    this.#options = options;
  }

  of(client: string, work: SolverWork, estimateMs: number): Lane {
    const { estimator, trials } = this.#options;
    if (this.#isSuspect(client, work)) return 'suspect';
    if (estimateMs <= LIMITS.solving.shortRunMs) return 'short';
    return this.longRunning() >= this.places && trials.mayTry(estimator.runsOf(work)) ? 'short' : 'long';
  }

  /** Where a job waits on whose client's other job a thread died. */
  whenAccused(waiting: Entry): Lane {
    if (!this.#isSuspect(waiting.client, waiting.work)) return waiting.lane;
    // Suspects run in reserve, so another may be tried.
    if (waiting.isTrial) this.#options.trials.ended(0);
    waiting.isTrial = false;
    return 'suspect';
  }

  /** Where a job waits one of whose client's jobs turned out not to have killed its thread. */
  whenCleared({ client, work, lane, attempts }: Entry): Lane {
    if (lane !== 'suspect' || this.#isSuspect(client, work)) return lane;
    // A second try never runs on the thread that is kept for short jobs.
    return attempts === 0 && this.#options.estimator.estimateMs(work) <= LIMITS.solving.shortRunMs ? 'short' : 'long';
  }

  /** Of the threads that live, how many may be held by jobs that are not short. */
  get places(): number {
    return longPlacesOf(this.#options.threads, this.#options.crew.counts().live);
  }

  /** Lanes that may be served by a free thread now. */
  open(): readonly Lane[] {
    return this.longRunning() >= this.places ? ['short'] : ['short', 'long'];
  }

  /** What was expected to be short and is not counts as what it turned out to be. */
  longRunning(): number {
    const now = performance.now();
    let count = 0;
    for (const { lane, startedAt, threadId } of this.#options.running) {
      if (threadId !== null && this.#options.crew.isPlaced(threadId) && (lane !== 'short' || now - startedAt > LIMITS.solving.shortRunMs)) count++;
    }
    return count;
  }

  #isSuspect(client: string, work: SolverWork): boolean {
    const { crew, estimator, suspicion } = this.#options;
    // Before the start is over every place is empty.
    const allThere = !crew.hasStarted || crew.counts().starting === 0;
    return suspicion.isSuspect({ client, work }, estimator.knows(work), allThere);
  }
}
