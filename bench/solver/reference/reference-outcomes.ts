import type { BenchRequest, BenchSet } from '../bench-set.ts';
import type { Outcome } from '../candidates.ts';
import { type ReferenceOutcome, searchReference } from './reference.ts';

/** What the reference is asked beside the solvers. */
export type ReferenceChoice = {
  /** Milliseconds of the processor for a search. */
  readonly budget: number;
  /** Every n-th of the measured requests. */
  readonly every: number;
};

export type ReferenceOutcomes = {
  /** Within the hops that the solvers have. */
  readonly limited: Outcome;
  /** With any number of hops. */
  readonly unlimited: Outcome;
  /** Basis points of the net that the limit on hops costs; NaN where there is no net above zero. */
  readonly limitBps: number;
  /** One of the two searches ended by its time. */
  readonly cutOff: boolean;
};

export function referenceOutcomes(set: BenchSet, request: BenchRequest, maxHops: number, perGas: number, { budget }: ReferenceChoice): ReferenceOutcomes {
  const limited = searchReference(set, request, { maxHops, perGas, budget });
  const unlimited = searchReference(set, request, { maxHops: null, perGas, budget }, limited.settled);
  // A route within the limit is a route.
  const better = unlimited.net > limited.net ? unlimited : { ...limited, millis: unlimited.millis };
  return {
    limited: outcomeOf(limited),
    unlimited: outcomeOf(better),
    limitBps: limited.route !== null && better.net !== 0 ? ((better.net - limited.net) / Math.abs(better.net)) * 10_000 : Number.NaN,
    cutOff: limited.cutOff || unlimited.cutOff,
  };
}

function outcomeOf({ route, millis }: Pick<ReferenceOutcome, 'route' | 'millis'>): Outcome {
  if (route === null) return { output: null, gas: 0, millis, why: 'no route' };
  return { output: route.output, input: route.input, gas: route.gas, millis };
}
