import type { Lane } from './fair-queue.ts';
import type { RestartReason, Undone } from './outcome.ts';
import type { SolverAnswer, SolverWork } from './solver-thread.ts';

/** A job from when it enters until it is settled. */
export type Entry = {
  readonly work: SolverWork;
  readonly client: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly arrived: number;
  readonly settle: (result: Done | Undone, runMs: number) => void;
  estimateMs: number;
  lane: Lane;
  /** In the short lane though its estimate is long. */
  isTrial: boolean;
  queueMs: number;
  attempts: number;
  startedAt: number;
  threadId: number | null;
  /** Why its thread was ended, if it is. */
  endedFor: RestartReason;
};

/** What a thread answered. */
export type Done = NonNullable<SolverAnswer['result']>;
