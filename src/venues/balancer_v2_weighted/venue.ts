import type { VenueFacet } from '../venue.ts';

/** Weighted pools of the Balancer V2 vault, liquidity bootstrapping and investment pools among them: their swaps are those of a weighted pool. */
export const venue: VenueFacet = {
  name: 'balancer_v2_weighted',
  poolSetKind: 'weighted',
  families: [{ family: 'balancer_v2', feePpm: null }],
};
