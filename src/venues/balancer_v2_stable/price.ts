import { BALANCER_GAS, MAX_BALANCE, swappedBalances, withFee, withoutFee } from '../balancer/swap-frame.ts';
import { downscaleDown, downscaleUp, upscaleDown } from '../scaled/token-scale.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import { balanceOf, invariantOf } from './stable-math.ts';
import type { StableState } from './state.ts';

/** StableMath in the frame of a pool of the vault: the fee off the input, all balances but the pool token's upscaled, each rounding as the contract's. */
export const price: PriceFacet<StableState> = {
  exactIn(state, slotIn, slotOut, amountIn) {
    const pool = upscaledPool(state);
    const [indexIn, indexOut] = [pool.slots.indexOf(slotIn), pool.slots.indexOf(slotOut)];
    const [scaleIn, scaleOut] = [state.scales[slotIn], state.scales[slotOut]];
    if (amountIn <= 0n || amountIn > MAX_BALANCE || pool.invariant === null || indexIn < 0 || indexOut < 0 || !scaleIn || !scaleOut) return REVERTS;
    const traded = upscaleDown(withoutFee(amountIn, state.swapFee), scaleIn);
    const grown = pool.balances.map((balance, index) => (index === indexIn ? balance + traded : balance));
    const left = balanceOf(state.amplification, grown, pool.invariant, indexOut);
    if (left === null) return REVERTS;
    const given = (pool.balances[indexOut] ?? 0n) - left - 1n;
    return given <= 0n ? REVERTS : swapped(state, slotIn, slotOut, amountIn, downscaleDown(given, scaleOut));
  },

  exactOut(state, slotIn, slotOut, amountOut) {
    const pool = upscaledPool(state);
    const [indexIn, indexOut] = [pool.slots.indexOf(slotIn), pool.slots.indexOf(slotOut)];
    const [scaleIn, scaleOut] = [state.scales[slotIn], state.scales[slotOut]];
    if (amountOut <= 0n || pool.invariant === null || indexIn < 0 || indexOut < 0 || !scaleIn || !scaleOut) return REVERTS;
    const wanted = upscaleDown(amountOut, scaleOut);
    if (wanted > (pool.balances[indexOut] ?? 0n)) return REVERTS;
    const shrunk = pool.balances.map((balance, index) => (index === indexOut ? balance - wanted : balance));
    const grown = balanceOf(state.amplification, shrunk, pool.invariant, indexIn);
    const before = pool.balances[indexIn] ?? 0n;
    if (grown === null || grown < before) return REVERTS;
    return swapped(state, slotIn, slotOut, withFee(downscaleUp(grown - before + 1n, scaleIn), state.swapFee), amountOut);
  },
};

const REVERTS: Quote<StableState> = { ok: false, reason: 'reverts' };

/** What a swap of any size needs of a state. `slots` are the pool's slots that its mathematics know: all but its own token's. */
type UpscaledPool = { readonly slots: readonly number[]; readonly balances: readonly bigint[]; readonly invariant: bigint | null };

/** The invariant is half of a quote's work and the same for each amount. A state is a value, so what was computed for it stays true. */
const UPSCALED = new WeakMap<StableState, UpscaledPool>();

function upscaledPool(state: StableState): UpscaledPool {
  const known = UPSCALED.get(state);
  if (known !== undefined) return known;
  const slots = state.scales.flatMap((scale, slot) => (scale === null ? [] : [slot]));
  const balances = state.scales.flatMap((scale, slot) => (scale === null ? [] : [upscaleDown(state.balances[slot] ?? 0n, scale)]));
  const pool: UpscaledPool = { slots, balances, invariant: invariantOf(state.amplification, balances, state.rule) };
  UPSCALED.set(state, pool);
  return pool;
}

function swapped(state: StableState, slotIn: number, slotOut: number, amountIn: bigint, amountOut: bigint): Quote<StableState> {
  const left = (state.balances[slotOut] ?? 0n) - amountOut;
  if (amountOut === 0n || left < 0n || (state.balances[slotIn] ?? 0n) + amountIn > MAX_BALANCE) return REVERTS;
  const next = { ...state, balances: swappedBalances(state.balances, slotIn, slotOut, amountIn, amountOut) };
  return { ok: true, amountIn, amountOut, next, gas: BALANCER_GAS.stable };
}
