import type { VenueFacet } from '../venue.ts';

/** Curve's StableSwap pools, plain and new generation (NG). */
export const venue: VenueFacet = {
  name: 'curve',
  poolSetKind: 'stable',
  families: [{ family: 'curve', feePpm: null }],
};

/** Gas units of one hop by the model of design/venues. */
export const CURVE_GAS = { plain: 130_000, 'early-ng': 160_000, ng: 160_000 } as const;
