import type { VenueFacet } from '../venue.ts';

/** Curve's crypto pools: the first generation of three coins. */
export const venue: VenueFacet = {
  name: 'curve_crypto',
  families: [{ family: 'curve_crypto', feePpm: null }],
};

/** Gas units of one hop, without a step of the pool's own prices. */
export const CURVE_CRYPTO_GAS = 300_000;
