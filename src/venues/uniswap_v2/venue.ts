import type { VenueFacet } from '../venue.ts';

export const venue: VenueFacet = {
  name: 'uniswap_v2',
  poolSetKind: 'constantProduct',
  families: [
    { family: 'uniswap_v2', feePpm: 3000 },
    { family: 'sushiswap_v2', feePpm: 3000 },
    { family: 'pancakeswap_v2', feePpm: 2500 },
  ],
};

/** Gas units of one hop, as measured on the devnet (decision 100). */
export const UNISWAP_V2_GAS = 60_000;
