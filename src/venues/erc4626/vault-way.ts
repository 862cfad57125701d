/** A factor of an amount: its product with the first over the second, cut off. */
export type Ratio = readonly [numerator: bigint, denominator: bigint];

/**
 * One direction of a vault: an input gives what two ratios leave of it, one after the other, each cut off. A fee that is rounded up is a ratio too: a − ⌈a·f/b⌉ = ⌊a·(b − f)/b⌋,
 * of the assets before they become shares, or after shares became assets. `limit`: the most that the vault takes, base units.
 */
export type VaultWay = { readonly ratios: readonly [Ratio, Ratio]; readonly limit: bigint };

/** What an input gives. */
export function convert({ ratios: [[a, b], [c, d]] }: VaultWay, amountIn: bigint): bigint {
  return (((amountIn * a) / b) * c) / d;
}

/** The least input that gives so much. */
export function inputFor({ ratios: [[a, b], [c, d]] }: VaultWay, amountOut: bigint): bigint {
  return quotientUp(quotientUp(amountOut * d, c) * b, a);
}

function quotientUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
