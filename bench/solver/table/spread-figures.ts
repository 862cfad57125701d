import { spread } from '../statistics.ts';
import type { Figure } from './table-row.ts';

/** null for a sample without numbers. */
export function medianP95Of(sample: readonly number[], targets?: readonly number[]): Figure | null {
  const found = spread(sample);
  return found === null ? null : { values: [found.median, found.p95], ...(targets === undefined ? {} : { targets }) };
}

export function present<T>(values: readonly (T | null)[]): readonly T[] {
  return values.filter((value) => value !== null);
}
