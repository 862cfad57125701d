import { SOLVERS, solverFigures } from '../figures.ts';
import { BRAID_AWARE, BRAID_DEEP, BRAID_FREE, REFERENCE, REFERENCE_UNLIMITED, type Row, SINGLE, SINGLE_NET, TINES_AWARE, TINES_FREE } from '../measure.ts';
import type { MeasuredSet } from '../measure-set.ts';
import { spread } from '../statistics.ts';
import { effortFigures, longestFigure } from './effort-figures.ts';
import { SET_GOALS, type SetGoal } from './goals.ts';
import { DRAW_BPS } from './less-figures.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { type Figure, NO_FIGURES, type TableRow } from './table-row.ts';

/** Every solver on one set. */
export function setRows(label: string, measuredSet: MeasuredSet): readonly TableRow[] {
  const { set, selection, options, measured } = measuredSet;
  const { rows } = measured;
  const goal = SET_GOALS[set.name];
  const every = `every ${selection.every}. of ${selection.routable} within ${options.maxHops} hops`;
  const solverRows = SOLVERS.flatMap((name): TableRow[] => {
    const figures = solverFigures(rows, name);
    if (figures === null) return [];
    const { asked, answered } = figures;
    const targets = goal === undefined ? {} : targetsOf(goal, name);
    return [
      {
        set: label,
        solver: name,
        requests: `${asked}, ${every}`,
        answered: { count: answered, of: asked, all: name.startsWith('braid') },
        lost: medianP95Of(figures.lost, targets.lost),
        netLost: medianP95Of(figures.netLost, targets.netLost),
        millis: medianP95Of(figures.millis, targets.millis),
        further: furtherOf(measuredSet, name),
      },
    ];
  });
  const bound: TableRow = {
    ...NO_FIGURES,
    set: label,
    solver: 'certified bound (dual method, all pools, gas-free)',
    requests: `${rows.length}, ${every}`,
    millis: medianP95Of(rows.map(({ boundMillis }) => boundMillis)),
    further: boundFigures(rows),
  };
  const tines = againstTines(rows, goal ?? null);
  const duel: TableRow[] =
    tines === null ? [] : [{ ...NO_FIGURES, set: label, solver: 'braid against tines', requests: 'those that tines was asked', further: tines }];
  return [...solverRows, bound, ...duel];
}

type Targets = { readonly lost?: readonly number[]; readonly netLost?: readonly number[]; readonly millis?: readonly number[] };

function targetsOf(goal: SetGoal, name: string): Targets {
  switch (name) {
    case BRAID_FREE:
      return { lost: goal.lost, ...(goal.freeMillis === null ? {} : { millis: goal.freeMillis }) };
    case BRAID_DEEP:
      return { lost: goal.lost };
    case BRAID_AWARE:
      return { netLost: goal.netLost, millis: goal.awareMillis };
    default:
      return {};
  }
}

function furtherOf({ measured }: MeasuredSet, name: string): readonly Figure[] {
  const { rows, details } = measured;
  if (name === SINGLE_NET) {
    const cutOff = rows.filter(({ singleComplete }) => !singleComplete).length;
    return [{ name: 'searches cut off', values: [cutOff] }];
  }
  if (name === REFERENCE || name === REFERENCE_UNLIMITED) return referenceFigures(rows, name);
  if (!name.startsWith('braid')) return [];
  const longest = longestFigure(rows.flatMap(({ id, pair, millis }) => (millis[name] === undefined ? [] : [{ id: `${id} ${pair}`, millis: millis[name] }])));
  if (name !== BRAID_FREE && name !== BRAID_AWARE) return present([longest]);
  const outcomes = details.map(({ free, aware }) => (name === BRAID_FREE ? free : aware));
  const behind: Figure =
    name === BRAID_FREE
      ? { name: 'below the single path, gross', values: [behindCount(rows, (row) => row.lost, name, SINGLE)], targets: [0] }
      : { name: 'below the single path, net', values: [behindCount(rows, (row) => row.netLost, name, SINGLE_NET)], targets: [0] };
  const other: Figure | null =
    name === BRAID_AWARE && rows.some(({ reference }) => reference !== null)
      ? {
          name: 'ahead of the reference, behind it, net',
          values: [behindCount(rows, (row) => row.netLost, REFERENCE, name), behindCount(rows, (row) => row.netLost, name, REFERENCE)],
        }
      : null;
  return present([behind, other, longest, ...effortFigures(outcomes), name === BRAID_FREE ? lossOfTheLimit(rows) : null]);
}

/** What more hops give: the part of a loss against a bound without a hop limit that the limit explains. */
function lossOfTheLimit(rows: readonly Row[]): Figure | null {
  const figure = medianP95Of(rows.map(({ lost }) => Math.max(0, (lost[BRAID_FREE] ?? Number.NaN) - (lost[BRAID_DEEP] ?? Number.NaN))));
  return figure === null ? null : { name: '7 hops give more, bps', ...figure };
}

function referenceFigures(rows: readonly Row[], name: string): readonly Figure[] {
  const asked = rows.flatMap(({ reference }) => reference ?? []);
  const limit = medianP95Of(asked.map(({ limitBps }) => limitBps));
  const figures =
    name === REFERENCE
      ? [
          { name: 'asked', values: [asked.length] },
          { name: 'cut off', values: [asked.filter(({ cutOff }) => cutOff).length] },
        ]
      : [];
  return present([...figures, name === REFERENCE || limit === null ? null : { name: 'what the limit on hops costs, bps', ...limit }]);
}

function boundFigures(rows: readonly Row[]): readonly Figure[] {
  const slack = medianP95Of(rows.map(({ boundSlackBps }) => boundSlackBps));
  const unjudged = rows.filter(({ lost }) => Number.isNaN(lost[BRAID_FREE])).length;
  return present([slack === null ? null : { name: 'slack, bps', ...slack }, { name: 'too loose, or more than the pools take', values: [unjudged] }]);
}

type Losses = (row: Row) => Readonly<Record<string, number>>;

function behindCount(rows: readonly Row[], of: Losses, ours: string, theirs: string): number {
  return rows.filter((row) => (of(row)[ours] ?? 0) > (of(row)[theirs] ?? Number.POSITIVE_INFINITY) + DRAW_BPS).length;
}

/** On the requests that both solved. */
function againstTines(rows: readonly Row[], goal: SetGoal | null): readonly Figure[] | null {
  const both = rows.filter(({ answered, fillable }) => fillable && answered[TINES_FREE] !== undefined);
  if (both.length === 0) return null;
  const median = (name: string): number => spread(both.flatMap((row) => row.millis[name] ?? []))?.median ?? Number.NaN;
  const pairs = [
    { of: (row: Row) => row.lost, ours: BRAID_FREE, theirs: TINES_FREE },
    { of: (row: Row) => row.netLost, ours: BRAID_AWARE, theirs: TINES_AWARE },
  ];
  const worse = pairs.flatMap(({ of, ours, theirs }) => {
    const [mine, other] = [ours, theirs].map((name) => spread(both.flatMap((row) => of(row)[name] ?? [])));
    if (!mine || !other) return [];
    return [mine.median > other.median + DRAW_BPS, mine.p95 > other.p95 + DRAW_BPS].filter(Boolean);
  });
  const faster = goal?.fasterThanTines ?? null;
  return [
    { name: 'times faster, no gas, median', values: [median(TINES_FREE) / median(BRAID_FREE)], targets: [faster], atLeast: true },
    { name: 'times faster, gas-aware, median', values: [median(TINES_AWARE) / median(BRAID_AWARE)] },
    { name: 'quality columns that are worse, of 4', values: [worse.length], targets: [0] },
    { name: 'requests lost, gross', values: [behindCount(both, (row) => row.lost, BRAID_FREE, TINES_FREE)] },
    { name: 'requests lost, net', values: [behindCount(both, (row) => row.netLost, BRAID_AWARE, TINES_AWARE)] },
  ];
}
