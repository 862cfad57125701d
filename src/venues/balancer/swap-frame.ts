import { divUp, mulUp, ONE } from './fixed-point.ts';

// What every Balancer V2 pool and the vault around it do to a swap, whatever the curve.

/** Gas units of one hop, as measured on the devnet (decision 100). */
export const BALANCER_GAS = { weighted: 94_000, stable: 137_000 } as const;

/** The vault keeps a token's balance in a uint112 and refuses a swap that lifts it above. */
export const MAX_BALANCE = (1n << 112n) - 1n;

/** What of an input is traded. The fee is 18-decimal and rounded up. */
export function withoutFee(amountIn: bigint, swapFee: bigint): bigint {
  return amountIn - mulUp(amountIn, swapFee);
}

/** The input of which `traded` is left after the fee, rounded up. */
export function withFee(traded: bigint, swapFee: bigint): bigint {
  return divUp(traded, ONE - swapFee);
}

/** Copies a pool's balances with a swap applied. The fee stays in the pool. */
export function swappedBalances(balances: readonly bigint[], slotIn: number, slotOut: number, amountIn: bigint, amountOut: bigint): readonly bigint[] {
  return balances.map((balance, slot) => (slot === slotIn ? balance + amountIn : slot === slotOut ? balance - amountOut : balance));
}
