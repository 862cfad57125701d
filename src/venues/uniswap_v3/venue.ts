import type { VenueFacet } from '../venue.ts';

export const venue: VenueFacet = {
  name: 'uniswap_v3',
  poolSetKind: 'concentrated',
  families: [
    { family: 'uniswap_v3', feePpm: null },
    { family: 'pancakeswap_v3', feePpm: null },
    { family: 'sushiswap_v3', feePpm: null },
  ],
};

/** Gas units of one hop by the model of design/venues: a swap within a tick, and each initialised tick crossed. */
export const UNISWAP_V3_GAS = { swap: 100_000, tickCrossed: 25_000 } as const;
