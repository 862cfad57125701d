import fc from 'fast-check';
import { FULL_SCALE, SEED } from './seeded-random.ts';

/** Checks a property with the run's seed (BRAID_SEED), `full` times where the whole figure is asked for; a failure prints seed and path. */
export function check<T extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<T>, runs: number, full = 20 * runs): void {
  fc.assert(property, { seed: SEED, numRuns: FULL_SCALE ? full : runs });
}
