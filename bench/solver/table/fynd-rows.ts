import { bySize } from '../figures.ts';
import { FYND_DEPTHS, FYND_HOPS, type FyndMeasured } from '../measure-fynd.ts';
import { spread } from '../statistics.ts';
import { longestFigure } from './effort-figures.ts';
import { FYND_MILLIS } from './goals.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { type Figure, NO_FIGURES, type TableRow } from './table-row.ts';

/** Fynd's requests: each depth, the gain by size at its own depth, and what has no route. */
export function fyndRows(label: string, { selection, trades, noRoute, cutOff }: FyndMeasured): readonly TableRow[] {
  const requests = `${trades.length}, every ${selection.every}. of ${selection.routable} with a way within ${FYND_HOPS} hops (of ${selection.of})`;
  const depths = FYND_DEPTHS.map((depth, at): TableRow => {
    const solves = trades.flatMap(({ solves }) => solves[at] ?? []);
    const own = depth === FYND_HOPS;
    const below = solves.filter((solve) => solve.below).length;
    return {
      ...NO_FIGURES,
      set: label,
      solver: `braid, gas-aware, ${depth === null ? 'default hops' : `${depth} hops`}`,
      requests,
      answered: { count: solves.filter(({ answered }) => answered).length, of: solves.length, all: own },
      millis: medianP95Of(
        solves.map(({ millis }) => millis),
        own ? FYND_MILLIS : undefined,
      ),
      further: [
        // A default of two hops for a small trade may well be below a single path of three.
        { name: `below the single path of ${FYND_HOPS} hops, net`, values: [below], ...(depth === null ? {} : { targets: [0] }) },
        ...gainOf(solves.map(({ gainBps }) => gainBps)),
        ...(own ? [{ name: 'single paths cut off', values: [cutOff] }] : []),
        ...present([longestFigure(trades.flatMap(({ id, solves }) => (solves[at] === undefined ? [] : [{ id, millis: solves[at].millis }])))]),
      ],
    };
  });
  const sizes = bySize(trades).map(
    ({ name, inside }): TableRow => ({
      ...NO_FIGURES,
      set: label,
      solver: `braid, gas-aware, ${FYND_HOPS} hops, ${name}`,
      requests: `${inside.length} of them`,
      millis: medianP95Of(inside.flatMap(({ solves }) => solves[0]?.millis ?? [])),
      further: gainOf(inside.flatMap(({ solves }) => solves[0]?.gainBps ?? [])),
    }),
  );
  const refused: TableRow = {
    ...NO_FIGURES,
    set: label,
    solver: `braid, no route within ${FYND_HOPS} hops`,
    requests: `${noRoute.asked}, every ${selection.every}.`,
    millis: medianP95Of(noRoute.millis),
    further: [{ name: 'answered all the same', values: [noRoute.answered], targets: [0] }],
  };
  return [...depths, ...sizes, refused];
}

/** Net gain over the best single path. */
function gainOf(gains: readonly number[]): readonly Figure[] {
  const found = spread(gains);
  if (found === null) return [];
  const { mean, median, p95, max } = found;
  return present([{ name: 'net gain over the single path, bps, mean / median / p95 / max', values: [mean, median, p95, max] }]);
}
