/** Basis points: 10,000 are the whole. An integer. */
export type Bps = number & { readonly unit: 'Bps' };

export const BPS_WHOLE = 10_000;

/** Brands an integer 0 … 10,000 as Bps. Throws RangeError otherwise. */
export function asBps(value: number): Bps {
  if (!Number.isInteger(value) || value < 0 || value > BPS_WHOLE) throw new RangeError(`not basis points: ${value}`);
  return value as Bps;
}
