import { amountBetween } from '../ladder/rungs.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import type { QuotedPair } from './state.ts';
import { ORDER_GAS } from './venue.ts';

/** What the maker's levels say, rounded down: indicative, until the maker signs an amount. An order is for one hop, so that a pool serves once. */
export const price: PriceFacet<QuotedPair> = {
  exactIn(state, slotIn, _slotOut, amountIn) {
    const way = slotIn === 0 ? 0 : 1;
    const amountOut = amountIn < state.least[way] ? 0n : amountBetween(state.ladders[way], amountIn);
    if (amountOut === 0n) return REVERTS;
    return { ok: true, amountIn, amountOut, next: { ...state, ladders: [[], []] }, gas: ORDER_GAS };
  },
};

const REVERTS: Quote<QuotedPair> = { ok: false, reason: 'reverts' };
