import type { VenueFacet } from '../venue.ts';

/**
 * Proprietary market makers that stand behind one router and answer quotes by an eth_call: a row each. What they price by nobody outside is told, so their pools are ladders of quotes, and a route through one is
 * quoted again before it is answered (requote.ts).
 */
export const venue: VenueFacet = {
  name: 'prop_amm',
  families: [
    { family: 'fermi', feePpm: null },
    { family: 'kipseli', feePpm: null },
  ],
};

/** Gas units of one hop: the makers' router moves the input twice, and measures. As measured on the devnet. */
export const MAKER_GAS = 109_000;
