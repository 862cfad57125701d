import type { Comparison } from '../measure-monotony.ts';
import type { Figure } from './table-row.ts';

/** A difference below this many basis points is float's. */
export const DRAW_BPS = 0.001;

/** `drawBps`: what counts as less; `most`: so many comparisons may be; `worstBps`: and by so much at most, null where the count says it. */
export type LessGoal = { readonly drawBps: number; readonly most: number; readonly worstBps: number | null };

/** How many comparisons give less for more, and the worst of them. */
export function lessFigures(name: string, comparisons: readonly Comparison[], { drawBps, most, worstBps }: LessGoal): readonly Figure[] {
  const less = comparisons.filter(({ lessBps }) => lessBps > drawBps);
  const counted: Figure = { name: `${name}: less in`, values: [less.length], targets: [most], unit: `of ${comparisons.length}` };
  const [first] = less;
  if (first === undefined) return [counted];
  const worst = less.reduce((furthest, comparison) => (comparison.lessBps > furthest.lessBps ? comparison : furthest), first);
  return [counted, { name: 'worst', values: [worst.lessBps], targets: [worstBps], unit: 'bps', of: worst.what }];
}
