import type { VenueFacet } from '../venue.ts';

/** Curve's StableSwap pools, plain and new generation (NG). */
export const venue: VenueFacet = {
  name: 'curve',
  poolSetKind: 'stable',
  families: [{ family: 'curve', feePpm: null }],
};

/** Gas units of one hop, as measured on the devnet (decision 100). */
export const CURVE_GAS = { plain: 114_000, 'early-ng': 130_000, ng: 130_000 } as const;
