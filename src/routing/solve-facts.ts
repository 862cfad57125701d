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
  /** For a search beside the main one: its effort counts here, while what its model made, of another amount or depth maybe, does not. */
  aside(): Ledger;
  /** Says that the route came from the search of that aside. */
  adopt(aside: Ledger): void;
  /** What the search that is kept account of has come to. */
  readonly model: Readonly<Model>;
  close(halt: Halt | null): SolveFacts;
};

/** What the float model of one search came to. */
type Model = Pick<{ -readonly [Key in keyof SolveFacts]: SolveFacts[Key] }, 'approxOutput' | 'stopped'>;

export function createLedger(now: () => InstantMs): Ledger {
  const phases: Record<SolvePhase, number> = { subgraph: 0, path: 0, columns: 0, gas: 0, exact: 0 };
  let phase: SolvePhase = 'subgraph';
  let since = now();
  let steps = 0;
  let pathsConsidered = 0;
  let columnsGenerated = 0;
  const main: Model = { approxOutput: 0, stopped: 'converged' };
  const enter = (next: SolvePhase) => {
    const at = now();
    phases[phase] += at - since;
    since = at;
    phase = next;
  };
  const ledgerOf = (model: Model): Ledger => ({
    model,
    enter,
    considered(paths) {
      pathsConsidered += paths;
    },
    grew(growth, output) {
      steps += growth.rounds;
      columnsGenerated += growth.columns;
      model.approxOutput = output;
      model.stopped = growth.stopped;
    },
    aside: () => ledgerOf({ approxOutput: 0, stopped: 'converged' }),
    adopt(aside) {
      Object.assign(model, aside.model);
    },
    close(halt) {
      enter(phase);
      const stopped = halt === null ? model.stopped : halt === 'effort' ? 'limit' : 'deadline';
      return { steps, pathsConsidered, columnsGenerated, phases, approxOutput: model.approxOutput, stopped };
    },
  });
  return ledgerOf(main);
}
