/** A token amount in base units: 0 … 2^256 − 1. */
export type Wei = bigint & { readonly unit: 'Wei' };

export const MAX_WEI = (1n << 256n) - 1n;

/** Brands a value as Wei. Throws RangeError outside 0 … 2^256 − 1: that is a bug of the caller, never bad input. */
export function asWei(value: bigint): Wei {
  if (value < 0n || value > MAX_WEI) throw new RangeError(`not a Wei amount: ${value}`);
  return value as Wei;
}
