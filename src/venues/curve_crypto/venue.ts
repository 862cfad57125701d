import type { VenueFacet } from '../venue.ts';

/** Curve's crypto pools: the first generation of three coins. */
export const venue: VenueFacet = {
  name: 'curve_crypto',
  families: [{ family: 'curve_crypto', feePpm: null }],
};

/** Gas units of one hop: on the bytecode of the recorded pool 225,000, and up to 280,000 where its own prices move, as in about half of exchanges. */
export const CURVE_CRYPTO_GAS = 250_000;
