import type { VenueFacet } from '../venue.ts';

/** Makers that quote and sign by AirSwap's protocol, and settle through its SwapERC20 contract. */
export const venue: VenueFacet = {
  name: 'airswap',
  families: [{ family: 'airswap', feePpm: null, pricing: 'off-chain-quote' }],
};

/** Gas units of one hop: a signature is recovered, and three transfers are made, one of them the contract's fee. */
export const ORDER_GAS = 110_000;
