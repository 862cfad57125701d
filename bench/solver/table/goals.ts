// The numbers to reach, from the solver's table of design/goals: medians and 95th percentiles, all of them upper limits unless said.

export type SetGoal = {
  /** Without gas, against the bound. Basis points. */
  readonly lost: readonly [number, number];
  /** Gas-aware, against the best known. Basis points. */
  readonly netLost: readonly [number, number];
  readonly freeMillis: readonly [number, number] | null;
  readonly awareMillis: readonly [number, number];
  /** Times faster than tines without gas, at least. */
  readonly fasterThanTines: number | null;
};

const REAL_SET: SetGoal = { lost: [0.05, 2], netLost: [0, 0.5], freeMillis: null, awareMillis: [3, 12], fasterThanTines: null };

export const SET_GOALS: Readonly<Record<string, SetGoal>> = {
  M: { lost: [0.02, 0.5], netLost: [0, 0.5], freeMillis: [1.5, 6], awareMillis: [3, 12], fasterThanTines: 10 },
  L: { lost: [0.02, 1], netLost: [0, 1], freeMillis: [4, 15], awareMillis: [10, 30], fasterThanTines: 100 },
  tycho: REAL_SET,
  cow: REAL_SET,
};

/** The 1,000 requests of Fynd's own benchmark at 3 hops. */
export const FYND_MILLIS = [2, 10] as const;
/** Solve time over the time that running the final plan exactly takes, median. */
export const SOLVE_OVER_RESIMULATION = 20;
/** Time with many pools over time with few, for the same pair. */
export const SCALING_RATIO = 1.5;
