import type { VenueFacet } from '../venue.ts';

/** Curve's crypto pools of the first generation: of three coins, and of two from their factory. */
export const venue: VenueFacet = {
  name: 'curve_crypto',
  families: [{ family: 'curve_crypto', feePpm: null }],
};

/**
 * Gas units of one hop: of three coins on the bytecode of the recorded pool 225,000, and up to 280,000 where its own prices move, as in about half of exchanges; of two on the compiled contract 180,000, 240,000 where the price moves, up to
 * 325,000 where the admin claims, and 252,000 over random exchanges of a pool that trades.
 */
export const HOP_GAS = 250_000;
