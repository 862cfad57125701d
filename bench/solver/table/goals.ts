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

const REAL_SET: SetGoal = { lost: [0.05, 0.5], netLost: [0, 0.5], freeMillis: null, awareMillis: [3, 12], fasterThanTines: null };

export const SET_GOALS: Readonly<Record<string, SetGoal>> = {
  M: { lost: [0.02, 0.5], netLost: [0, 0.5], freeMillis: [1, 4], awareMillis: [1.5, 6], fasterThanTines: 10 },
  L: { lost: [0.02, 0.5], netLost: [0, 1], freeMillis: [4, 15], awareMillis: [8, 25], fasterThanTines: 100 },
  tycho: REAL_SET,
  cow: REAL_SET,
};

/** Milliseconds of the longest solve, whatever the set, the depth and the size of the trade. */
export const LONGEST_MILLIS = 100;
/** 100,000 pools behind the same hubs over 10,000: median and 95th percentile of the times. */
export const LARGE_RATIO = [2, 3] as const;
/** What a buy may ask above the sell whose output it buys, and what one more pool may cost. Basis points: shares are whole ones, so that rounding has to be allowed for. */
export const ROUNDING_BPS = 0.1;
/** One more pool gives less in one of so many pairs of markets at most. */
export const ONE_POOL_MORE_ONE_IN = 10_000;
/** A mesh that loses more than this has lost its way. Basis points. */
export const MESH_LOSS_BPS = 100;

/** The 1,000 requests of Fynd's own benchmark at 3 hops. */
export const FYND_MILLIS = [2, 10] as const;
/** Solve time over the time that running the final plan exactly takes, median. */
export const SOLVE_OVER_RESIMULATION = 20;
/** Time with many pools over time with few, for the same pair. */
export const SCALING_RATIO = 1.5;
