import type { Anytime, AnytimePoint } from '../measure-anytime.ts';
import { spread } from '../statistics.ts';
import { longestFigure } from './effort-figures.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { type Figure, NO_FIGURES, type TableRow } from './table-row.ts';

/** What longer deadlines bring for the slowest requests of a set. */
export function anytimeRows(label: string, maxHops: number, { requests, points }: Anytime): readonly TableRow[] {
  return points.map((point, at): TableRow => {
    const before = points[at - 1];
    return {
      ...NO_FIGURES,
      set: label,
      solver: `braid, gas-aware, ${maxHops} hops, ${point.deadlineMs === null ? 'no deadline' : `${point.deadlineMs} ms`}`,
      requests: `the ${requests.length} slowest`,
      answered: { count: point.answered, of: requests.length, all: true },
      millis: medianP95Of(point.millis.map(({ millis }) => millis)),
      further: present([belowFigure(point), before === undefined ? null : gainFigure(before, point), longest(point)]),
    };
  });
}

function belowFigure({ below }: AnytimePoint): Figure | null {
  const found = spread(below);
  return found === null ? null : { name: 'below the best of all deadlines, net, bps, mean / median / worst', values: [found.mean, found.median, found.max] };
}

/** Mean gain over mean time taken, since the shorter deadline. */
function gainFigure(before: AnytimePoint, after: AnytimePoint): Figure | null {
  const means = [before, after].map(({ below, millis }) => ({ below: spread(below)?.mean, millis: spread(millis.map((each) => each.millis))?.mean }));
  const [from, to] = means;
  if (from?.below === undefined || to?.below === undefined || from.millis === undefined || to.millis === undefined) return null;
  const taken = to.millis - from.millis;
  // Where no time was taken there is no rate to tell.
  return taken > 0 ? { name: 'gained', values: [(from.below - to.below) / taken], unit: 'bps a ms' } : null;
}

/** Only a solve without a deadline is held to the goal: the others show how far one runs over. */
function longest(point: AnytimePoint): Figure | null {
  const figure = longestFigure(point.millis);
  if (figure === null || point.deadlineMs === null) return figure;
  const { targets: _, ...reported } = figure;
  return reported;
}
