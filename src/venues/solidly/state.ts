/** Exact state of a Solidly pool. Reserves in base units without the fees taken, which lie elsewhere; the fee is of the input. */
export type SolidlyState = {
  readonly stable: boolean;
  readonly reserves: readonly [bigint, bigint];
  readonly decimals: readonly [number, number];
  readonly feeBps: number;
};

/** 10^decimals of each token. */
export function unitsOf({ decimals }: SolidlyState): readonly [bigint, bigint] {
  return [10n ** BigInt(decimals[0]), 10n ** BigInt(decimals[1])];
}
