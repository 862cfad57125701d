import type { PriceFacet, Quote } from '../venue.ts';
import { afterFee, invariantOf, outputOf } from './solidly-math.ts';
import type { SolidlyState } from './solidly-pool.ts';
import { SOLIDLY_GAS } from './venue.ts';

/** Pool.getAmountOut followed by Pool.swap, which moves the fee out of the pool and then asks its invariant. Neither knows an exact output. */
export const price: PriceFacet<SolidlyState> = {
  exactIn(state, slotIn, slotOut, amountIn) {
    const { reserves } = state;
    const [reserveIn, reserveOut] = [reserves[slotIn], reserves[slotOut]];
    if (amountIn <= 0n || reserveIn === undefined || reserveOut === undefined) return REVERTS;
    const kept = afterFee(state, amountIn);
    const amountOut = kept === null ? null : outputOf(state, slotIn === 0 ? 0 : 1, kept);
    if (kept === null || amountOut === null || amountOut === 0n || amountOut >= reserveOut) return REVERTS;
    const [grown, left] = [reserveIn + kept, reserveOut - amountOut];
    const next = slotIn === 0 ? ([grown, left] as const) : ([left, grown] as const);
    const [before, after] = [invariantOf(state, ...reserves), invariantOf(state, ...next)];
    if (before === null || after === null || after < before) return REVERTS;
    return { ok: true, amountIn, amountOut, next: { ...state, reserves: next }, gas: SOLIDLY_GAS[state.stable ? 'stable' : 'volatile'] };
  },
};

const REVERTS: Quote<SolidlyState> = { ok: false, reason: 'reverts' };
