import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Values by label: every combination is a series from the start. */
export type LabelSets<Label extends string> = Readonly<Record<Label, readonly string[]>>;

export const PREFIX = 'braid_';

/**
 * Makes metrics whose series all exist from the start, counters and histograms at 0: without that the first event of a series would be lost to rate() and
 * increase(), and the number of series would tell what callers have tried. Where not all combinations occur, several groups of label sets are given.
 */
export function metricFactory(registry: Registry) {
  const registers = [registry];
  return {
    counter<Label extends string = never>(name: string, help: string, ...groups: readonly LabelSets<Label>[]): Counter<Label> {
      const counter = new Counter<Label>({ name: PREFIX + name, help, labelNames: labelsOf(groups), registers });
      for (const labels of combinations(groups)) counter.inc(labels, 0);
      return counter;
    },
    /** A gauge says nothing before it is set, so its labels are named only. */
    gauge<Label extends string = never>(name: string, help: string, ...labelNames: readonly Label[]): Gauge<Label> {
      return new Gauge<Label>({ name: PREFIX + name, help, labelNames, registers });
    },
    histogram<Label extends string = never>(name: string, help: string, buckets: readonly number[], ...groups: readonly LabelSets<Label>[]): Histogram<Label> {
      const histogram = new Histogram<Label>({ name: PREFIX + name, help, labelNames: labelsOf(groups), registers, buckets: [...buckets] });
      for (const labels of combinations(groups)) histogram.zero(labels);
      return histogram;
    },
  };
}

function labelsOf<Label extends string>(groups: readonly LabelSets<Label>[]): Label[] {
  return Object.keys(groups[0] ?? {}) as Label[];
}

function combinations<Label extends string>(groups: readonly LabelSets<Label>[]): readonly Record<Label, string>[] {
  return groups.flatMap((sets) =>
    Object.entries<readonly string[]>(sets).reduce<Record<string, string>[]>(
      (rows, [label, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [label]: value }))),
      [{}],
    ),
  );
}
