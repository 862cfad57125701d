import type { PriceFacet, Quote } from '../venue.ts';
import { type CryptoState, MAX_BALANCE, possibilities } from './crypto-state.ts';
import { exchanges } from './exchange.ts';
import { HOP_GAS } from './venue.ts';

const REVERTS: Quote<CryptoState> = { ok: false, reason: 'reverts' };

/** A crypto pool's exchange, promised where all that the pool may be gives the same. It has no exact output. */
export const price: PriceFacet<CryptoState> = {
  exactIn({ possible }, slotIn, slotOut, amountIn, at) {
    const [one, other = one] = exchanges(possible, slotIn, slotOut, amountIn, at);
    if (!one || !other || one.amountOut !== other.amountOut || one.amountOut === 0n) return REVERTS;
    if (one.next.balances.some((balance) => balance > MAX_BALANCE)) return REVERTS;
    return { ok: true, amountIn, amountOut: one.amountOut, next: { possible: possibilities(one.next, other.next) }, gas: HOP_GAS };
  },
};
