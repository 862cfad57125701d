import { seedOr } from '../support/seeded-random.ts';

/** Options of fast-check: the same runs each time, unless BRAID_SEED asks for others. fast-check prints the seed of a failure. */
export function seeded(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed: seedOr(20260101), numRuns };
}
