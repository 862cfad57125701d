import type { Outlook } from '../solving/solving.ts';
import type { DurationMs } from '../units/units.ts';

/** The bounds by which room in the solver is judged (config/limits.ts, admission). */
export type AdmissionLimits = {
  readonly waitMs: number;
  readonly suspectWaitMs: number;
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
 * Is there room for a request? Refuses at arrival what would wait too long, so that under any overload the solver works at capacity on answers that
 * still matter and everybody else hears so at once. The wait is what the queue in front of this client's job is estimated to take, so a job for which a
 * thread is free always has room, whatever others do (decisions B5). `eventLoopLateFor` is 0 unless the event loop is late.
 */
export function admit(outlook: Outlook, remainingBudget: DurationMs, eventLoopLateFor: DurationMs, limits: AdmissionLimits): AdmissionDecision {
  const estimatedWait = outlook.waitMs as DurationMs;
  const waitLimit = Math.min(outlook.suspect ? limits.suspectWaitMs : limits.waitMs, limits.waitShare * remainingBudget) as DurationMs;
  const reason = refusalOf(outlook, waitLimit, eventLoopLateFor);
  if (reason === null) return { admitted: true, estimatedWait, waitLimit };
  return { admitted: false, reason, estimatedWait, waitLimit, retryAfterSeconds: retryAfterSeconds(Math.max(estimatedWait, eventLoopLateFor) as DurationMs) };
}

function refusalOf({ full, waitMs }: Outlook, waitLimit: DurationMs, eventLoopLateFor: DurationMs) {
  if (eventLoopLateFor > 0) return 'event-loop-late';
  if (full) return 'queue-full';
  return waitMs > waitLimit ? 'wait-too-long' : null;
}

/** Whole seconds after which a wait is over: at least 1. */
export function retryAfterSeconds(wait: DurationMs): number {
  return Math.max(1, Math.ceil(wait / 1000));
}
