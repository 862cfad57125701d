import type { PriceFacet, Quote } from '../venue.ts';
import { MAX_AMOUNT, type VaultState } from './state.ts';
import { convert, inputFor } from './vault-way.ts';
import { VAULT_GAS } from './venue.ts';

/**
 * previewDeposit and previewRedeem for an exact input, previewMint and previewWithdraw for an exact output: linear, rounded for the vault. A swap moves the rate
 * by its own rounding only, which no route meets again, since it uses a pool once.
 */
export const price: PriceFacet<VaultState> = {
  exactIn(state, slotIn, _slotOut, amountIn) {
    return amountIn <= 0n ? REVERTS : swapped(state, slotIn, amountIn, convert(wayOf(state, slotIn), amountIn));
  },

  exactOut(state, slotIn, _slotOut, amountOut) {
    return amountOut <= 0n ? REVERTS : swapped(state, slotIn, inputFor(wayOf(state, slotIn), amountOut), amountOut);
  },
};

const REVERTS: Quote<VaultState> = { ok: false, reason: 'reverts' };

function wayOf({ deposit, redeem }: VaultState, slotIn: number) {
  return slotIn === 0 ? deposit : redeem;
}

function swapped(state: VaultState, slotIn: number, amountIn: bigint, amountOut: bigint): Quote<VaultState> {
  const way = wayOf(state, slotIn);
  if (amountOut === 0n || amountOut > MAX_AMOUNT || amountIn > way.limit) return REVERTS;
  const used = { ...way, limit: way.limit - amountIn };
  const next = slotIn === 0 ? { ...state, deposit: used } : { ...state, redeem: used };
  return { ok: true, amountIn, amountOut, next, gas: VAULT_GAS };
}
