import type { ConcentratedGas } from '../concentrated/gas.ts';
import type { VenueFacet } from '../venue.ts';
import { HOOK_MODELS } from './known-hooks.ts';

/** Gas units of an unlocking and of the transfers between two pools, at least (contracts/gas-snapshot.json). */
export const UNISWAP_V4_JOINED_HOP_SAVES = 26_000;

export const venue: VenueFacet = {
  name: 'uniswap_v4',
  families: [{ family: 'uniswap_v4', feePpm: null, variants: [...HOOK_MODELS.keys()].map((variant) => ({ variant })) }],
  joinedHops: { across: 'one-contract', saves: UNISWAP_V4_JOINED_HOP_SAVES },
};

/**
 * Gas units of one hop without its hook's. A tick and a word are the manager's own (test/chain/venue-gas-v4.test.ts): a tick keeps fewer numbers than in Uniswap V3. A hop takes 67,000 beside the Router and the
 * allowance holder (contracts/gas-snapshot.json); the rest is for tokens that cost more than plain ones.
 */
export const UNISWAP_V4_GAS: ConcentratedGas = { swap: 70_000, tickCrossed: 16_500, wordWalked: 5600 };
