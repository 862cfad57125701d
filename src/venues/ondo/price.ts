import { amountBetween } from '../ladder/rungs.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import type { QuotedAsset } from './state.ts';
import { ISSUANCE_GAS } from './venue.ts';

/** What the issuer's levels say, rounded down: indicative, until it signs an amount. An attestation is for one hop, so that a pool serves once. */
export const price: PriceFacet<QuotedAsset> = {
  exactIn(state, slotIn, _slotOut, amountIn) {
    const amountOut = amountBetween(state.ladders[slotIn === 0 ? 0 : 1], amountIn);
    if (amountOut === 0n) return REVERTS;
    return { ok: true, amountIn, amountOut, next: { ...state, ladders: [[], []] }, gas: ISSUANCE_GAS };
  },
};

const REVERTS: Quote<QuotedAsset> = { ok: false, reason: 'reverts' };
