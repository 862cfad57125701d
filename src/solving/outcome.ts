import type { SolveJob, SolveResult } from '../routing/routing.ts';

/** Readings of the queue and the threads, for admission and metrics. */
export type SolvingGauge = {
  readonly queueLimit: number;
  readonly threads: number;
  queueDepth(): number;
  inflight(): number;
  /** Moving average of a job's run time on a thread, in ms. */
  averageRunMs(): number;
};

export type SolveOutcome = {
  /** 'expired': the budget ended, or there was no room, before a thread started. 'failed': the thread died or overran. */
  readonly result: SolveResult | { readonly ok: false; readonly reason: 'expired' | 'failed' };
  readonly queueMs: number;
  readonly runMs: number;
};

export type SolvingEvent =
  | { readonly kind: 'restart'; readonly reason: 'exit' | 'overrun' | 'rebuild' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'error'; readonly message: string };

export type Solving = SolvingGauge & {
  /** Never rejects. Aborting the signal takes a waiting job out of the queue, and a running one to its end with 'cancelled'. */
  solve(job: SolveJob, signal: AbortSignal): Promise<SolveOutcome>;
  workers(): { readonly live: number; readonly starting: number };
  close(): Promise<void>;
};
