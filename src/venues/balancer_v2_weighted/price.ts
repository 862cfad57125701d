import { complement, divDown, divUp, mulDown, mulUp, ONE, powUp } from '../balancer/fixed-point.ts';
import { BALANCER_GAS, MAX_BALANCE, swappedBalances, withFee, withoutFee } from '../balancer/swap-frame.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import { MAX_RATIO, type WeightedState } from './state.ts';

/**
 * WeightedMath in the frame of a pool of the vault: the fee off the input, amounts lifted to 18 decimals, each rounding for the pool. No product can
 * overflow: lifted balances stay below 2^172, and what is larger than their ratio limits is refused first.
 */
export const price: PriceFacet<WeightedState> = {
  exactIn(state, slotIn, slotOut, amountIn) {
    const { balanceIn, liftIn, weightIn, balanceOut, liftOut, weightOut } = side(state, slotIn, slotOut);
    if (amountIn <= 0n || balanceIn === 0n) return REVERTS;
    const traded = withoutFee(amountIn, state.swapFee) * liftIn;
    if (traded > mulDown(balanceIn, MAX_RATIO)) return REVERTS;
    const base = divUp(balanceIn, balanceIn + traded);
    const power = powUp(base, divDown(weightIn, weightOut), state.powers);
    return swapped(state, slotIn, slotOut, amountIn, mulDown(balanceOut, complement(power)) / liftOut);
  },

  exactOut(state, slotIn, slotOut, amountOut) {
    if (amountOut <= 0n) return REVERTS;
    const { balanceIn, liftIn, weightIn, balanceOut, liftOut, weightOut } = side(state, slotIn, slotOut);
    const wanted = amountOut * liftOut;
    if (wanted > mulDown(balanceOut, MAX_RATIO)) return REVERTS;
    const base = divUp(balanceOut, balanceOut - wanted);
    const power = powUp(base, divUp(weightOut, weightIn), state.powers);
    const traded = mulUp(balanceIn, power - ONE);
    return swapped(state, slotIn, slotOut, withFee((traded + liftIn - 1n) / liftIn, state.swapFee), amountOut);
  },
};

const REVERTS: Quote<WeightedState> = { ok: false, reason: 'reverts' };

type Side = {
  readonly balanceIn: bigint;
  readonly liftIn: bigint;
  readonly weightIn: bigint;
  readonly balanceOut: bigint;
  readonly liftOut: bigint;
  readonly weightOut: bigint;
};

/** Lifted balances and weights of the two tokens. */
function side({ balances, lifts, weights }: WeightedState, slotIn: number, slotOut: number): Side {
  const liftIn = lifts[slotIn] ?? 1n;
  const liftOut = lifts[slotOut] ?? 1n;
  return {
    balanceIn: (balances[slotIn] ?? 0n) * liftIn,
    liftIn,
    weightIn: weights[slotIn] ?? ONE,
    balanceOut: (balances[slotOut] ?? 0n) * liftOut,
    liftOut,
    weightOut: weights[slotOut] ?? ONE,
  };
}

function swapped(state: WeightedState, slotIn: number, slotOut: number, amountIn: bigint, amountOut: bigint): Quote<WeightedState> {
  if (amountIn === 0n || amountOut === 0n || (state.balances[slotIn] ?? 0n) + amountIn > MAX_BALANCE) return REVERTS;
  const next = { ...state, balances: swappedBalances(state.balances, slotIn, slotOut, amountIn, amountOut) };
  return { ok: true, amountIn, amountOut, next, gas: BALANCER_GAS.weighted };
}
