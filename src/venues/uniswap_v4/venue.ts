import type { ConcentratedGas } from '../concentrated/gas.ts';
import type { VenueFacet } from '../venue.ts';
import { HOOK_MODELS } from './known-hooks.ts';

export const venue: VenueFacet = {
  name: 'uniswap_v4',
  families: [{ family: 'uniswap_v4', feePpm: null, variants: [...HOOK_MODELS.keys()].map((variant) => ({ variant })) }],
};

/** Gas units of one hop without its hook's. */
export const UNISWAP_V4_GAS: ConcentratedGas = { swap: 100_000, tickCrossed: 25_000, wordWalked: 7_400 };
