import type { VenueFacet } from '../venue.ts';

/** Tokenized equities that their issuer mints and redeems against a dollar token, by attestations of its own and at a contract of its own: Ondo Global Markets. */
export const venue: VenueFacet = {
  name: 'ondo',
  families: [{ family: 'ondo', feePpm: null, pricing: 'off-chain-quote', settles: 'real-world' }],
};

/** Gas units of one hop: a signature is recovered, one token is moved and burned, the other minted and moved on. */
export const ISSUANCE_GAS = 180_000;
