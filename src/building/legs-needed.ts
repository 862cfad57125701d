import type { BuilderVenues } from '../venues/venues.ts';

const WRAP = 'wrap';

type VenueName = { readonly venue: string };

/** The legs, by the names of their files in contracts/legs/, that a chain's Router has to have: those of its venues, for hops alone and in a row, and wrapping. `signed`: venues of which some hops carry what somebody signs, where there is somebody. */
export function legsNeeded(venues: BuilderVenues, deployments: readonly VenueName[], signed: readonly VenueName[] = []): readonly string[] {
  const legs = deployments.flatMap(({ venue }) => {
    const encode = venues.get(venue)?.encode;
    return [encode?.leg ?? WRAP, encode?.path?.leg ?? WRAP];
  });
  const signedLegs = signed.map(({ venue }) => venues.get(venue)?.encode.signed?.leg ?? WRAP);
  return [...new Set([WRAP, ...legs, ...signedLegs])].sort();
}
