import type { Scaling } from '../measure-scaling.ts';
import { LONGEST_MILLIS, SCALING_RATIO } from './goals.ts';
import { NO_FIGURES, type TableRow } from './table-row.ts';

/** Time and memory while pools are added outside the pairs' neighbourhood, against the smallest. */
export function scalingRows(label: string, scalings: readonly Scaling[]): readonly TableRow[] {
  const first = scalings[0];
  return scalings.map(({ pools, requests, every, times, solverBytes }): TableRow => {
    const ratios = first === undefined ? [] : [times.median / first.times.median, times.p95 / first.times.p95];
    return {
      ...NO_FIGURES,
      set: label,
      solver: `braid, gas 0, ${pools.toLocaleString('en-US')} pools`,
      requests: `${requests}, every ${every}. of M's`,
      millis: { values: [times.median, times.p95] },
      further: [
        { name: 'against the smallest, median / p95', values: ratios, targets: [SCALING_RATIO, SCALING_RATIO] },
        { name: 'longest', values: [times.max], targets: [LONGEST_MILLIS], unit: 'ms' },
        { name: 'memory of a warm solver', values: [solverBytes / 2 ** 20], unit: 'MB' },
      ],
    };
  });
}
