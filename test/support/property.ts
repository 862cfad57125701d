import fc from 'fast-check';
import { SEED } from './seeded-random.ts';

/** Checks a property with the run's seed (BRAID_SEED); a failure prints seed and path. */
export function check<T extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<T>, runs: number): void {
  fc.assert(property, { seed: SEED, numRuns: process.env.BRAID_SCALE === 'full' ? runs * 20 : runs });
}
