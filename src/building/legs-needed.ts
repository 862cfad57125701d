import type { BuilderVenues } from '../venues/venues.ts';

const WRAP = 'wrap';

/** The legs, by the names of their files in contracts/legs/, that a chain's Router has to have: those of its venues, for hops alone and in a row, and wrapping. */
export function legsNeeded(venues: BuilderVenues, deployments: readonly { readonly venue: string }[]): readonly string[] {
  const legs = deployments.flatMap(({ venue }) => {
    const encode = venues.get(venue)?.encode;
    return [encode?.leg ?? WRAP, encode?.path?.leg ?? WRAP];
  });
  return [...new Set([WRAP, ...legs])].sort();
}
