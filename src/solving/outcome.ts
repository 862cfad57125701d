import type { CertifyJob, CertifyResult, SolveJob, SolveResult } from '../routing/routing.ts';

/** Readings of the queue and the threads, for admission and metrics. */
export type SolvingGauge = {
  readonly queueLimit: number;
  readonly threads: number;
  /** Threads that jobs which are not short may hold together. */
  readonly longPlaces: number;
  queueDepth(): number;
  inflight(): number;
  /** How long all that waits now will take to reach a thread, ms: the wait of whoever is last. */
  estimatedWaitMs(): number;
  /** What a job of the client's would meet that came now. */
  outlook(job: SolveJob, client: string): Outlook;
};

export type Outlook = {
  /** Estimated time until a thread takes the job, ms. */
  readonly waitMs: number;
  /** Whether the queue has no place for the client. */
  readonly full: boolean;
  /** Whether the job may kill its thread, so that it has to wait for one that can be risked. */
  readonly suspect: boolean;
};

/** 'expired': the budget ended, or there was no room, before a thread started. 'failed': the thread died or overran. 'cancelled': the client left. */
export type Undone = { readonly ok: false; readonly reason: 'expired' | 'failed' | 'cancelled' };

export type SolveOutcome = Timed<SolveResult>;
export type CertifyOutcome = Timed<CertifyResult>;

type Timed<Result> = {
  readonly result: Result | Undone;
  readonly queueMs: number;
  readonly runMs: number;
  /** How long it was waited for tokens to be measured; absent where none had to be. */
  readonly measureMs?: number;
  /** How long it was waited for contracts to be asked again; absent where none had to be. */
  readonly requoteMs?: number;
};

/** Why a thread was replaced. 'exit': it ended by itself or threw; 'oom': its heap was full; 'overrun': it ran past a deadline; 'memory': the process grew too large; 'rebuild': none came in its place. */
export type RestartReason = 'exit' | 'oom' | 'overrun' | 'memory' | 'rebuild';

export type SolvingEvent =
  | { readonly kind: 'restart'; readonly reason: RestartReason }
  | { readonly kind: 'expired'; readonly chainId: number }
  /** A thread worked for a job, whatever came of it; 'lost': the thread died or overran. */
  | {
      readonly kind: 'ran';
      readonly chainId: number;
      readonly work: 'solve' | 'certify';
      readonly end: 'answered' | 'refused' | 'cancelled' | 'lost';
      readonly runMs: number;
      /** For how much of that, and of the thread's handover, it held one of the places that long jobs may hold. */
      readonly longMs: number;
    }
  /** A thread in reserve did a job over that nobody waited for. */
  | { readonly kind: 'rehearsed'; readonly chainId: number; readonly runMs: number }
  /** A thread took the place of one that ended so long ago. */
  | { readonly kind: 'refilled'; readonly ms: number }
  /** A job that killed threads was answered without being run. */
  | { readonly kind: 'poison-refused'; readonly chainId: number }
  /** A request whose token nobody measured lately found no place to wait for a probe at. */
  | { readonly kind: 'measuring-refused'; readonly chainId: number }
  /** Pins that threads held when they ended. */
  | { readonly kind: 'pins-reclaimed'; readonly count: number }
  | { readonly kind: 'error'; readonly message: string };

/** On whose behalf a job is run. */
export type Caller = {
  /** Threads are shared out fairly between clients of different names. */
  readonly client: string;
  /** Aborting it takes a waiting job out of the queue, and a running one to its end with 'cancelled'. */
  readonly signal: AbortSignal;
};

export type Solving = SolvingGauge & {
  /** Never rejects. */
  solve(job: SolveJob, caller: Caller): Promise<SolveOutcome>;
  /** The same for a request that is being built already: enters ahead of first solves and is never shed. */
  solveAgain(job: SolveJob, caller: Caller): Promise<SolveOutcome>;
  /** Prices a plan on the newest snapshot; enters ahead of first solves like solveAgain. */
  certify(job: CertifyJob, caller: Caller): Promise<CertifyOutcome>;
  /** `largestHeapBytes`: of the thread that used most after its last job. */
  workers(): { readonly live: number; readonly starting: number; readonly reserve: number; readonly largestHeapBytes: number };
  close(): Promise<void>;
};
