import type { VenueFacet } from '../venue.ts';

/** Stable pools of the Balancer V2 vault: plain, with rates, and composable ones, whose pool token is not routed through. */
export const venue: VenueFacet = {
  name: 'balancer_v2_stable',
  poolSetKind: 'stable',
  families: [{ family: 'balancer_v2', feePpm: null }],
};
