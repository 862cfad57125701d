import { downscaleDown } from '../scaled/token-scale.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import { amplificationAt } from './amplification.ts';
import type { CurveState } from './curve-state.ts';
import { exchangeOf } from './exchange-of.ts';
import { FEE_DENOMINATOR } from './fee.ts';
import { invariantOf } from './stable-swap.ts';
import { MAX_BALANCE, upscaledBalances } from './state.ts';
import { CURVE_GAS } from './venue.ts';

/** StableSwap's exchange. It has no exact output. Its views of a price round otherwise for tokens of fewer than 18 decimals, and are not what is paid. */
export const price: PriceFacet<CurveState> = {
  exactIn(state, slotIn, slotOut, amountIn, at) {
    const amplification = amplificationAt(state, at);
    const { balances, invariant } = upscaledPool(state, amplification);
    const [scaleIn, scaleOut] = [state.scales[slotIn], state.scales[slotOut]];
    if (amountIn <= 0n || amountIn > MAX_BALANCE || invariant === null || !scaleIn || !scaleOut) return REVERTS;
    const exchange = exchangeOf(state, { amplification, balances, invariant }, slotIn, slotOut, amountIn);
    if (exchange === null) return REVERTS;
    const { given, rate } = exchange;
    const fee = (given * rate) / FEE_DENOMINATOR;
    // A fee that moves with the balances has no bound but the contract's arithmetic.
    if (fee > given) return REVERTS;
    const taken = downscaleDown((fee * state.adminFee) / FEE_DENOMINATOR, scaleOut);
    return swapped(state, slotIn, slotOut, amountIn, downscaleDown(given - fee, scaleOut), taken);
  },
};

const REVERTS: Quote<CurveState> = { ok: false, reason: 'reverts' };

type UpscaledPool = { readonly amplification: bigint; readonly balances: readonly bigint[]; readonly invariant: bigint | null };

/** The invariant is half of a quote's work and the same for each amount. A state is a value, so what was computed for it stays true while the amplification is the same. */
const UPSCALED = new WeakMap<CurveState, UpscaledPool>();

function upscaledPool(state: CurveState, amplification: bigint): UpscaledPool {
  const known = UPSCALED.get(state);
  if (known?.amplification === amplification) return known;
  const balances = upscaledBalances(state);
  const pool: UpscaledPool = { amplification, balances, invariant: invariantOf(amplification, balances, state.form) };
  UPSCALED.set(state, pool);
  return pool;
}

function swapped(state: CurveState, slotIn: number, slotOut: number, amountIn: bigint, amountOut: bigint, taken: bigint): Quote<CurveState> {
  const moved = (balance: bigint, slot: number) => (slot === slotIn ? balance + amountIn : slot === slotOut ? balance - amountOut - taken : balance);
  const balances = state.balances.map(moved);
  if (amountOut === 0n || (balances[slotIn] ?? 0n) > MAX_BALANCE || (balances[slotOut] ?? 0n) < 0n) return REVERTS;
  return { ok: true, amountIn, amountOut, next: { ...state, balances }, gas: CURVE_GAS[state.form] };
}
