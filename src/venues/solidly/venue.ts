import type { VenueFacet } from '../venue.ts';

export const venue: VenueFacet = {
  name: 'solidly',
  families: [
    { family: 'velodrome_v2', feePpm: null },
    { family: 'aerodrome', feePpm: null },
  ],
};

/** Gas units of one hop, before its own leg is measured. */
export const SOLIDLY_GAS = { volatile: 110_000, stable: 150_000 } as const;
