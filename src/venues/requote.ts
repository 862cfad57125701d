import type { Address } from '../units/units.ts';
import type { ChainAnswer, ChainCall } from './track.ts';

/** A planned hop that its venue prices by a secret: only its contract says to the wei what it gives. Amounts in base units. */
export type HopToRequote = { readonly poolAddress: Address; readonly tokenIn: Address; readonly tokenOut: Address; readonly amountIn: bigint };

/** What a venue's own contract said it gives for an amount at some block: slots as in the pool's list of tokens. */
export type SaidQuote = { readonly slotIn: number; readonly slotOut: number; readonly amountIn: bigint; readonly amountOut: bigint };

/**
 * The shape of `requote.ts` in a venue folder: a venue whose state is an estimate. No route through it is answered before its contract was asked, at the route's block, what it gives for the amounts that were chosen;
 * `informed` in price.ts takes the answer in. One contract, named by the hop's `poolAddress`, serves one hop of a route, since what a swap does to its next price is not known. Loaded in the main thread.
 */
export type RequoteFacet = {
  callOf(hop: HopToRequote): ChainCall;
  /** null: it gives nothing for that amount. */
  amountOf(answer: ChainAnswer): bigint | null;
};
