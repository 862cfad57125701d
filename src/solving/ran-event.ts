import type { Lane } from './fair-queue.ts';
import { longMsOf } from './long-jobs.ts';
import type { SolvingEvent } from './outcome.ts';
import type { SolverAnswer, SolverWork } from './solver-thread.ts';

type Ran = Extract<SolvingEvent, { kind: 'ran' }>;

/** What is told of a run that held a thread for `ranMs`; null: the thread was lost. */
export function ranEvent({ kind, job }: SolverWork, lane: Lane, answer: SolverAnswer | null, ranMs: number): Ran {
  return { kind: 'ran', chainId: job.chainId, work: kind, end: endOf(answer), runMs: answer?.runMs ?? ranMs, longMs: longMsOf(lane, ranMs) };
}

function endOf(answer: SolverAnswer | null): Ran['end'] {
  if (!answer?.result) return 'lost';
  if (answer.result.ok) return 'answered';
  const { reason } = answer.result;
  return reason === 'refused' || reason === 'cancelled' ? reason : 'answered';
}
