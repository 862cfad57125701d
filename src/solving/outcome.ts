import type { CertifyJob, CertifyResult, SolveJob, SolveResult } from '../routing/routing.ts';

/** Readings of the queue and the threads, for admission and metrics. */
export type SolvingGauge = {
  readonly queueLimit: number;
  readonly threads: number;
  queueDepth(): number;
  inflight(): number;
  /** Moving average of a job's run time on a thread, in ms. */
  averageRunMs(): number;
};

/** 'expired': the budget ended, or there was no room, before a thread started. 'failed': the thread died or overran. 'cancelled': the client left. */
export type Undone = { readonly ok: false; readonly reason: 'expired' | 'failed' | 'cancelled' };

export type SolveOutcome = Timed<SolveResult>;
export type CertifyOutcome = Timed<CertifyResult>;

type Timed<Result> = {
  readonly result: Result | Undone;
  readonly queueMs: number;
  readonly runMs: number;
};

export type SolvingEvent =
  | { readonly kind: 'restart'; readonly reason: 'exit' | 'overrun' | 'rebuild' }
  | { readonly kind: 'expired'; readonly chainId: number }
  /** A thread worked for a job, whatever came of it; 'lost': the thread died or overran. */
  | {
      readonly kind: 'ran';
      readonly chainId: number;
      readonly work: 'solve' | 'certify';
      readonly end: 'answered' | 'refused' | 'cancelled' | 'lost';
      readonly runMs: number;
    }
  /** Pins that threads held when they ended. */
  | { readonly kind: 'pins-reclaimed'; readonly count: number }
  | { readonly kind: 'error'; readonly message: string };

export type Solving = SolvingGauge & {
  /** Never rejects. Aborting the signal takes a waiting job out of the queue, and a running one to its end with 'cancelled'. */
  solve(job: SolveJob, signal: AbortSignal): Promise<SolveOutcome>;
  /** The same for a request that is being built already: enters at the head of the queue and is never shed. */
  solveAgain(job: SolveJob, signal: AbortSignal): Promise<SolveOutcome>;
  /** Prices a plan on the newest snapshot; enters at the head of the queue like solveAgain. */
  certify(job: CertifyJob, signal: AbortSignal): Promise<CertifyOutcome>;
  /** `largestHeapBytes`: of the thread that used most after its last job. */
  workers(): { readonly live: number; readonly starting: number; readonly largestHeapBytes: number };
  close(): Promise<void>;
};
