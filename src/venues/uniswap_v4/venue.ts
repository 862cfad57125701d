import type { ConcentratedGas } from '../concentrated/gas.ts';
import type { VenueFacet } from '../venue.ts';
import type { HookModel } from './hook-model.ts';
import { HOOK_MODELS } from './known-hooks.ts';

/** Gas units of an unlocking and of the transfers between two pools, at least (contracts/gas-snapshot.json). */
export const UNISWAP_V4_JOINED_HOP_SAVES = 26_000;

export const venue: VenueFacet = {
  name: 'uniswap_v4',
  families: [{ family: 'uniswap_v4', feePpm: null, variants: [...HOOK_MODELS.values()].map(labelOf) }],
  joinedHops: {
    across: 'one-contract',
    saves: UNISWAP_V4_JOINED_HOP_SAVES,
    leavesOut: [...HOOK_MODELS.values()].filter(isAttested).map(({ variant }) => `uniswap_v4:${variant}`),
  },
};

/** What somebody has to attest off the chain is no price of the chain alone. */
function labelOf({ variant, attested }: HookModel) {
  return attested === true ? ({ variant, pricing: 'off-chain-quote', attested } as const) : { variant };
}

function isAttested({ attested }: HookModel): boolean {
  return attested === true;
}

/**
 * Gas units of one hop without its hook's. A tick and a word are the manager's own (test/chain/venue-gas-v4.test.ts): a tick keeps fewer numbers than in Uniswap V3. A hop takes 67,000 beside the Router and the
 * allowance holder (contracts/gas-snapshot.json); the rest is for tokens that cost more than plain ones.
 */
export const UNISWAP_V4_GAS: ConcentratedGas = { swap: 70_000, tickCrossed: 16_500, wordWalked: 5600 };
