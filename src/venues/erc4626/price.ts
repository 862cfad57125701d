import type { PriceFacet, Quote } from '../venue.ts';
import { MAX_AMOUNT, type VaultState } from './state.ts';
import { VAULT_GAS } from './venue.ts';

/**
 * previewDeposit and previewRedeem for an exact input, previewMint and previewWithdraw for an exact output: linear, rounded for the vault. A swap moves the rate
 * by its own rounding only, which no route meets again, since it uses a pool once.
 */
export const price: PriceFacet<VaultState> = {
  exactIn(state, slotIn, slotOut, amountIn) {
    if (amountIn <= 0n) return REVERTS;
    return swapped(state, slotIn, amountIn, (amountIn * rate(state, slotIn)) / rate(state, slotOut));
  },

  exactOut(state, slotIn, slotOut, amountOut) {
    if (amountOut <= 0n) return REVERTS;
    return swapped(state, slotIn, (amountOut * rate(state, slotOut) - 1n) / rate(state, slotIn) + 1n, amountOut);
  },
};

const REVERTS: Quote<VaultState> = { ok: false, reason: 'reverts' };

function rate({ rates }: VaultState, slot: number): bigint {
  return rates[slot === 0 ? 0 : 1];
}

function swapped(state: VaultState, slotIn: number, amountIn: bigint, amountOut: bigint): Quote<VaultState> {
  const [deposit, redeem] = state.limits;
  if (amountOut === 0n || amountOut > MAX_AMOUNT || amountIn > (slotIn === 0 ? deposit : redeem)) return REVERTS;
  const limits = slotIn === 0 ? ([deposit - amountIn, redeem] as const) : ([deposit, redeem - amountIn] as const);
  return { ok: true, amountIn, amountOut, next: { ...state, limits }, gas: VAULT_GAS };
}
