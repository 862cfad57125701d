import type { InstantMs } from '../units/units.ts';

/** Why a search has to end. */
export type Halt = 'deadline' | 'cancelled';

/** Asks, between steps, whether to go on. Once it says stop it keeps saying so. */
export type Pace = {
  /** null: go on. Reads the clock and the cancel word, so steps between two calls should take well under a millisecond. */
  halted(): Halt | null;
};

export function createPace(deadline: InstantMs, now: () => InstantMs, cancelled: () => boolean): Pace {
  let halt: Halt | null = null;
  return {
    halted() {
      if (halt === null && cancelled()) halt = 'cancelled';
      else if (halt === null && now() >= deadline) halt = 'deadline';
      return halt;
    },
  };
}
