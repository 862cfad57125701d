import type { InstantMs } from '../units/units.ts';

/** Why a search has to end. 'effort': it did as much as one solve may. */
export type Halt = 'deadline' | 'cancelled' | 'effort';

/** Asks, between steps, whether to go on. Once it says stop it keeps saying so. */
export type Pace = {
  /** null: go on. Reads the clock and the cancel word, so steps between two calls should take well under a millisecond. */
  halted(): Halt | null;
  /** Says that so many edges were looked at. Counted and not timed, so that the same request gives the same plan under any load. */
  spend(edges: number): void;
  /** Edges that may still be looked at: a step that could take more ends within them. */
  left(): number;
};

/** `effort`: edges that the solve may look at. */
export function createPace(deadline: InstantMs, now: () => InstantMs, cancelled: () => boolean, effort: number): Pace {
  let halt: Halt | null = null;
  let left = effort;
  return {
    halted() {
      if (halt === null && cancelled()) halt = 'cancelled';
      else if (halt === null && now() >= deadline) halt = 'deadline';
      else if (halt === null && left <= 0) halt = 'effort';
      return halt;
    },
    spend(edges) {
      left -= edges;
    },
    left: () => Math.max(0, left),
  };
}

/** A step that could take all of the effort takes at most this part of what is left, so that what comes after it is done too. */
const OF_WHAT_IS_LEFT = 0.5;

/** The same pace for such a step. */
export function paceOfStep(pace: Pace): Pace {
  const kept = (1 - OF_WHAT_IS_LEFT) * pace.left();
  return {
    halted: () => pace.halted() ?? (pace.left() <= kept ? 'effort' : null),
    spend: pace.spend,
    left: () => Math.max(0, pace.left() - kept),
  };
}
