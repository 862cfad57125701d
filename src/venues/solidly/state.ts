import { PoolRefused } from '../venue.ts';

/** The contract takes more; no token has so many. */
const MAX_RESERVE = (1n << 112n) - 1n;

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

/** Throws PoolRefused where the state is not one of a pool, or can not be routed. */
export function validateState({ reserves, feeBps }: SolidlyState): void {
  if (feeBps < 0 || feeBps >= 10_000) throw new PoolRefused('malformed', `the fee is not below 10,000 bps: ${feeBps}`);
  if (reserves.some((reserve) => reserve < 0n || reserve > MAX_RESERVE))
    throw new PoolRefused('not-routable', `a reserve is above 2^112: ${reserves.join(', ')}`);
  if (reserves.some((reserve) => reserve === 0n)) throw new PoolRefused('not-routable', 'a reserve is zero');
}
