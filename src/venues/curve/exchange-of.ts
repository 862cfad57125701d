import { upscaleDown } from '../scaled/token-scale.ts';
import type { CurveState } from './curve-state.ts';
import { feeAt } from './fee.ts';
import { balanceAfterSwap } from './stable-swap.ts';

/** A pool at one amplification: balances with 18 decimals, and their invariant. */
export type PoolAt = { readonly amplification: bigint; readonly balances: readonly bigint[]; readonly invariant: bigint };

/** What an exchange gives before its fee, with 18 decimals, and the rate of that fee, with ten. null where the contract reverts. */
export function exchangeOf(
  pool: CurveState,
  { amplification, balances, invariant }: PoolAt,
  slotIn: number,
  slotOut: number,
  amountIn: bigint,
): { readonly given: bigint; readonly rate: bigint } | null {
  const [balanceIn, balanceOut, scaleIn] = [balances[slotIn] ?? 0n, balances[slotOut] ?? 0n, pool.scales[slotIn]];
  if (scaleIn === undefined) return null;
  const grown = balanceIn + upscaleDown(amountIn, scaleIn);
  const left = balanceAfterSwap(pool.form, amplification, balances, invariant, slotIn, slotOut, grown);
  if (left === null) return null;
  const given = balanceOut - left - 1n;
  if (given <= 0n) return null;
  const rate = feeAt(pool, (balanceIn + grown) / 2n, (balanceOut + left) / 2n);
  return rate === null ? null : { given, rate };
}
