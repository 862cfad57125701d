import type { PriceFacet, Quote } from '../venue.ts';
import { invariantOf, outputOf } from './solidly-math.ts';
import { type SolidlyState, unitsOf } from './state.ts';
import { SOLIDLY_GAS } from './venue.ts';

const BPS = 10_000n;

/** Pool.getAmountOut followed by Pool.swap, which moves the fee out of the pool and then asks its invariant. Neither knows an exact output. */
export const price: PriceFacet<SolidlyState> = {
  exactIn(state, slotIn, slotOut, amountIn) {
    if (amountIn <= 0n) return REVERTS;
    const { reserves } = state;
    const curve = { stable: state.stable, units: unitsOf(state) };
    const kept = amountIn - (amountIn * BigInt(state.feeBps)) / BPS;
    const amountOut = outputOf(curve, reserves, slotIn === 0 ? 0 : 1, kept);
    if (amountOut === null || amountOut === 0n || amountOut >= (reserves[slotOut] ?? 0n)) return REVERTS;
    const [left, grown] = [(reserves[slotOut] ?? 0n) - amountOut, (reserves[slotIn] ?? 0n) + kept];
    const next = slotIn === 0 ? ([grown, left] as const) : ([left, grown] as const);
    const [before, after] = [invariantOf(curve, ...reserves), invariantOf(curve, ...next)];
    if (before === null || after === null || after < before) return REVERTS;
    return { ok: true, amountIn, amountOut, next: { ...state, reserves: next }, gas: SOLIDLY_GAS[state.stable ? 'stable' : 'volatile'] };
  },
};

const REVERTS: Quote<SolidlyState> = { ok: false, reason: 'reverts' };
