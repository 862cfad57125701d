import type { VenueFacet } from '../venue.ts';

export const venue: VenueFacet = {
  name: 'solidly',
  families: [
    { family: 'velodrome_v2', feePpm: null },
    { family: 'aerodrome', feePpm: null },
  ],
};

/** Gas units of one hop, as measured on the devnet (decision 100). A price observation, which a pool writes at most each half hour, takes 66,000 more. */
export const SOLIDLY_GAS = { volatile: 107_000, stable: 118_000 } as const;
