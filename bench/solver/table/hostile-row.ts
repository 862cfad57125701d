import type { Solved } from '../measure-large.ts';
import { effortFigures, longestFigure } from './effort-figures.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { NO_FIGURES, type TableRow } from './table-row.ts';

/** How long a market keeps a solver busy that was made for that. */
export function hostileRow(set: string, solver: string, solved: readonly Solved[]): TableRow {
  const outcomes = solved.map(({ outcome }) => outcome);
  return {
    ...NO_FIGURES,
    set,
    solver,
    requests: `${solved.length}`,
    answered: { count: outcomes.filter(({ output }) => output !== null).length, of: solved.length, all: true },
    millis: medianP95Of(outcomes.map(({ millis }) => millis)),
    further: present([longestFigure(solved.map(({ id, outcome }) => ({ id, millis: outcome.millis }))), ...effortFigures(outcomes)]),
  };
}
