import type { ConcentratedGas } from '../concentrated/gas.ts';
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

/**
 * Gas units of one hop. A tick and a word are fitted to UniswapV3Pool itself (test/chain/venue-gas-v3.test.ts): 24,100 for a tick that was crossed before, 7,150 to
 * 7,700 for a word. The hop is measured on the devnet (decision 100); PancakeSwap's takes some 16,000 more.
 */
export const UNISWAP_V3_GAS: ConcentratedGas = { swap: 64_000, tickCrossed: 25_000, wordWalked: 7_400 };
