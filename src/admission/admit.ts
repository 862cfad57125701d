import type { SolvingGauge } from '../solving/solving.ts';
import type { DurationMs } from '../units/units.ts';

/** The bounds by which room in the solver is judged (config/limits.ts, admission). */
export type AdmissionLimits = {
  readonly waitMs: number;
  readonly waitShare: number;
};

export type AdmissionDecision =
  | { readonly admitted: true; readonly estimatedWait: DurationMs; readonly waitLimit: DurationMs }
  | {
      readonly admitted: false;
      readonly reason: 'queue-full' | 'wait-too-long' | 'event-loop-late';
      readonly estimatedWait: DurationMs;
      readonly waitLimit: DurationMs;
      /** When to try again: an integer, at least 1. */
      readonly retryAfterSeconds: number;
    };

/**
 * How long a job that joins the queue now would wait for a thread: the jobs ahead of it, worked off by all threads, and the rest of the runs that occupy
 * them. Runs that end at independent moments leave on average a run's time ÷ (threads + 1) until the first is free.
 */
export function estimateWait(gauge: SolvingGauge): DurationMs {
  const residual = gauge.inflight() >= gauge.threads ? gauge.averageRunMs() / (gauge.threads + 1) : 0;
  return ((gauge.queueDepth() * gauge.averageRunMs()) / gauge.threads + residual) as DurationMs;
}

/**
 * Is there room for a request? Refuses at arrival what would wait too long, so that under any overload the solver works at capacity on answers that
 * still matter and everybody else hears so at once. An idle thread always means room, whatever the averages say (decisions B5). `eventLoopLateFor` is 0
 * unless the event loop is late.
 */
export function admit(gauge: SolvingGauge, remainingBudget: DurationMs, eventLoopLateFor: DurationMs, limits: AdmissionLimits): AdmissionDecision {
  const estimatedWait = estimateWait(gauge);
  const waitLimit = Math.min(limits.waitMs, limits.waitShare * remainingBudget) as DurationMs;
  const reason = refusalOf(gauge, estimatedWait, waitLimit, eventLoopLateFor);
  if (reason === null) return { admitted: true, estimatedWait, waitLimit };
  return { admitted: false, reason, estimatedWait, waitLimit, retryAfterSeconds: retryAfterSeconds(Math.max(estimatedWait, eventLoopLateFor) as DurationMs) };
}

function refusalOf(gauge: SolvingGauge, estimatedWait: DurationMs, waitLimit: DurationMs, eventLoopLateFor: DurationMs) {
  if (eventLoopLateFor > 0) return 'event-loop-late';
  if (gauge.queueDepth() >= gauge.queueLimit) return 'queue-full';
  return estimatedWait > waitLimit ? 'wait-too-long' : null;
}

/** Whole seconds after which a wait is over: at least 1. */
export function retryAfterSeconds(wait: DurationMs): number {
  return Math.max(1, Math.ceil(wait / 1000));
}
