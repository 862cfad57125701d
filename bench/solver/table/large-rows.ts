import type { LargeMeasured, LargeRun } from '../measure-large.ts';
import { spread } from '../statistics.ts';
import { effortFigures, longestFigure } from './effort-figures.ts';
import { LARGE_RATIO } from './goals.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { type Figure, NO_FIGURES, type TableRow } from './table-row.ts';

/** 100,000 pools behind the same hubs beside 10,000, solved in one process. */
export function largeRows(large: LargeMeasured, small: LargeMeasured): readonly TableRow[] {
  return [small, large].flatMap((measured) =>
    measured.runs.map((run, at): TableRow => {
      const outcomes = run.solved.map(({ outcome }) => outcome);
      const against = measured === large ? small.runs[at] : undefined;
      return {
        ...NO_FIGURES,
        set: `${measured.name}, not cleared`,
        solver: nameOf(run),
        requests: outcomes.length === run.chosen ? `${run.chosen}` : `${outcomes.length} of ${run.chosen}, until the row's time was up`,
        answered: { count: outcomes.filter(({ output }) => output !== null).length, of: outcomes.length, all: true },
        millis: medianP95Of(outcomes.map(({ millis }) => millis)),
        further: present([
          against === undefined ? null : ratioFigure(run, against),
          longestFigure(run.solved.map(({ id, outcome }) => ({ id, millis: outcome.millis }))),
          ...effortFigures(outcomes),
          ...(at === 0 ? setFigures(measured) : []),
        ]),
      };
    }),
  );
}

function nameOf({ maxHops, gasPriceWei }: LargeRun): string {
  return `braid, ${gasPriceWei === null ? 'gas 0' : 'gas-aware'}, ${maxHops} hops`;
}

function ratioFigure(run: LargeRun, against: LargeRun): Figure | null {
  const [ours, theirs] = [run, against].map(({ solved }) => spread(solved.map(({ outcome }) => outcome.millis)));
  if (!ours || !theirs) return null;
  return { name: "times L's, median / p95", values: [ours.median / theirs.median, ours.p95 / theirs.p95], targets: LARGE_RATIO };
}

function setFigures({ againstSingle, openedMillis, pools, tokens }: LargeMeasured): readonly Figure[] {
  const { compared, cutOff, below } = againstSingle;
  return [
    { name: 'below the single path, gross or net', values: [below], targets: [0], unit: `of ${compared}, ${cutOff} searches cut off` },
    { name: 'pools, tokens', values: [pools, tokens] },
    { name: 'made and loaded in', values: [openedMillis / 1000], unit: 's' },
  ];
}
