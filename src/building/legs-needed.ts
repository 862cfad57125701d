import type { BuilderVenues } from '../venues/venues.ts';

const WRAP = 'wrap';

/** The legs, by the names of their files in contracts/legs/, that a chain's Router has to have: those of its venues, and wrapping. */
export function legsNeeded(venues: BuilderVenues, deployments: readonly { readonly venue: string }[]): readonly string[] {
  const legs = deployments.map(({ venue }) => venues.get(venue)?.encode.leg ?? WRAP);
  return [...new Set([WRAP, ...legs])].sort();
}
