// Called from the main thread only.
import type { MemoryWatch } from './memory-watch.ts';
import type { RestartReason, SolvingEvent } from './outcome.ts';
import { watchOverrun } from './overrun-watch.ts';
import type { RehearsalPieces } from './rehearsal-pieces.ts';
import type { Suspicion } from './suspicion.ts';
import type { ThreadCrew } from './thread-crew.ts';

export type RehearsalOptions = {
  readonly crew: ThreadCrew;
  readonly pieces: RehearsalPieces;
  readonly memory: MemoryWatch;
  readonly suspicion: Suspicion;
  readonly onEvent: (event: SolvingEvent) => void;
};

/** Threads in reserve do over what others did, so that what they are asked first is not the first that they solve. */
export class Rehearsal {
  readonly #options: RehearsalOptions;
  /** Threads at it, and why one will have ended if it does. */
  readonly #endings = new Map<number, RestartReason>();

  constructor(options: RehearsalOptions) {
    this.#options = options;
  }

  /** Has one thread in reserve do one job, if there are both. True when it did: there may be another. */
  async goOn(): Promise<boolean> {
    const { crew, pieces, memory, suspicion, onEvent } = this.#options;
    const threadId = crew.understudy;
    if (threadId === undefined || suspicion.msUntilRisk() > 0) return false;
    const job = pieces.next(threadId);
    if (job === null) return false;
    this.#endings.set(threadId, 'exit');
    const watchdog = watchOverrun(
      job.deadline,
      () => crew.processorTimeMs(threadId),
      () => this.end(threadId, 'overrun'),
    );
    memory.jobStarted(threadId);
    try {
      const answer = await crew.rehearse(threadId, job);
      memory.jobEnded(threadId, answer.heldBytes);
      onEvent({ kind: 'rehearsed', chainId: job.chainId, runMs: answer.runMs });
      return true;
    } catch (error) {
      if (crew.closing) return false;
      // None of the jobs is to end another.
      pieces.clear();
      suspicion.diedRehearsing();
      onEvent({ kind: 'restart', reason: this.#endings.get(threadId) ?? 'exit' });
      onEvent({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
      return false;
    } finally {
      watchdog.stop();
      this.#endings.delete(threadId);
    }
  }

  /** Ends a thread that rehearses. False when it does not. */
  end(threadId: number, reason: RestartReason): boolean {
    if (!this.#endings.has(threadId)) return false;
    this.#endings.set(threadId, reason);
    this.#options.crew.end(threadId);
    return true;
  }
}
