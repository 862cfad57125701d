import type { CurveState } from './curve-state.ts';

/** Fees are shares with so many parts. */
export const FEE_DENOMINATOR = 10n ** 10n;

const MAX_UINT256 = (1n << 256n) - 1n;

type Fees = Pick<CurveState, 'form' | 'fee' | 'offpegFeeMultiplier'>;

/** Whether the fee depends on how even the balances are. */
export function feeMoves({ form, offpegFeeMultiplier }: Fees): boolean {
  return form !== 'plain' && offpegFeeMultiplier > FEE_DENOMINATOR;
}

/** The fee with ten decimals of a swap that leaves the two tokens at these upscaled balances on the average; null where the contract's numbers are beyond uint256, and it reverts. */
export function feeAt(pool: Fees, balanceIn: bigint, balanceOut: bigint): bigint | null {
  const { fee, offpegFeeMultiplier } = pool;
  if (!feeMoves(pool)) return fee;
  const squared = (balanceIn + balanceOut) ** 2n;
  if (squared === 0n) return fee;
  const product = (offpegFeeMultiplier - FEE_DENOMINATOR) * 4n * balanceIn * balanceOut;
  if (product > MAX_UINT256 || squared > MAX_UINT256) return null;
  return (offpegFeeMultiplier * fee) / (product / squared + FEE_DENOMINATOR);
}

/** What no swap of the pool pays more than, with ten decimals. */
export function highestFee(pool: Fees): bigint {
  return feeMoves(pool) ? (pool.offpegFeeMultiplier * pool.fee) / FEE_DENOMINATOR : pool.fee;
}
