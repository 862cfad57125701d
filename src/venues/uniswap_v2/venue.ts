import type { VenueFacet } from '../venue.ts';

/** Gas units of a transfer to the Router and of the Router's own part of a hop, at least (contracts/gas-snapshot.json). */
export const UNISWAP_V2_JOINED_HOP_SAVES = 9000;

export const venue: VenueFacet = {
  name: 'uniswap_v2',
  poolSetKind: 'constantProduct',
  families: [
    { family: 'uniswap_v2', feePpm: 3000 },
    { family: 'sushiswap_v2', feePpm: 3000 },
    { family: 'pancakeswap_v2', feePpm: 2500 },
  ],
  joinedHops: { across: 'the-venue', saves: UNISWAP_V2_JOINED_HOP_SAVES },
  takesTaxedInput: true,
};

/** Gas units of one hop, as measured on the devnet (decision 100). */
export const UNISWAP_V2_GAS = 52_000;
