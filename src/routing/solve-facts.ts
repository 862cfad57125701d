import type { InstantMs } from '../units/units.ts';
import type { Growth } from './flow/columns.ts';
import type { Halt } from './pace.ts';
import type { SolveFacts, SolvePhase } from './plan.ts';

/** Keeps account of one solve. */
export type Ledger = {
  /** The phase that time goes to from now on. */
  enter(phase: SolvePhase): void;
  considered(paths: number): void;
  grew(growth: Growth, approxOutput: number): void;
  close(halt: Halt | null): SolveFacts;
};

export function createLedger(now: () => InstantMs): Ledger {
  const phases: Record<SolvePhase, number> = { subgraph: 0, path: 0, columns: 0, gas: 0, exact: 0 };
  let phase: SolvePhase = 'subgraph';
  let since = now();
  let steps = 0;
  let pathsConsidered = 0;
  let columnsGenerated = 0;
  let approxOutput = 0;
  let stopped: Growth['stopped'] = 'converged';
  const enter = (next: SolvePhase) => {
    const at = now();
    phases[phase] += at - since;
    since = at;
    phase = next;
  };
  return {
    enter,
    considered(paths) {
      pathsConsidered += paths;
    },
    grew(growth, output) {
      steps += growth.rounds;
      columnsGenerated += growth.columns;
      approxOutput = output;
      stopped = growth.stopped;
    },
    close(halt) {
      enter(phase);
      return { steps, pathsConsidered, columnsGenerated, phases, approxOutput, stopped: halt === null ? stopped : halt === 'effort' ? 'limit' : 'deadline' };
    },
  };
}
