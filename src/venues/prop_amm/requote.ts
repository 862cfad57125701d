import type { RequoteFacet } from '../requote.ts';
import { quoteCall } from './makers-router.ts';
import { amountOf } from './read-ladders.ts';

/** A maker says by the call that its ladders are made of what it gives for an amount. It serves one hop of a route: what the first does to the price of a second is its secret. */
export const requote: RequoteFacet = {
  callOf: ({ poolAddress, tokenIn, tokenOut, amountIn }) => quoteCall(poolAddress, tokenIn, tokenOut, amountIn),
  amountOf: (answer) => amountOf(answer),
};
