import type { BraidOutcome } from '../candidates.ts';
import { spread } from '../statistics.ts';
import { LONGEST_MILLIS, SOLVE_OVER_RESIMULATION } from './goals.ts';
import { present } from './spread-figures.ts';
import type { Figure } from './table-row.ts';

export type TimedSolve = { readonly id: string; readonly millis: number };

/** The longest solve and whose it is; null where there is none. */
export function longestFigure(solves: readonly TimedSolve[]): Figure | null {
  const [first] = solves;
  if (first === undefined) return null;
  const longest = solves.reduce((most, solve) => (solve.millis > most.millis ? solve : most), first);
  return { name: 'longest', values: [longest.millis], targets: [LONGEST_MILLIS], unit: 'ms', of: longest.id };
}

/** Medians of what a solve costs beside its time. */
export function effortFigures(outcomes: readonly BraidOutcome[]): readonly Figure[] {
  const allocated = spread(outcomes.map((outcome) => outcome.allocated))?.median;
  const ratio = spread(outcomes.flatMap(({ millis, resimulationMillis }) => (resimulationMillis > 0 ? [millis / resimulationMillis] : [])))?.median;
  return present([
    allocated === undefined ? null : { name: 'allocated', values: [allocated / 1024], unit: 'KB a solve' },
    ratio === undefined ? null : { name: 'solve ÷ re-simulation', values: [ratio], targets: [SOLVE_OVER_RESIMULATION] },
  ]);
}
