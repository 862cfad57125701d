/** The number of a block on its chain. */
export type BlockNumber = number & { readonly unit: 'BlockNumber' };

/** Brands a whole number from 0 on as a block's. Throws RangeError otherwise. */
export function asBlockNumber(value: number): BlockNumber {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a block number: ${value}`);
  return value as BlockNumber;
}
