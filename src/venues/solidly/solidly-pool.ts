import { PoolRefused } from '../venue.ts';

/** Exact state of a Solidly pool. Reserves in base units without the fees taken, which lie elsewhere; the fee is of the input. */
export type SolidlyState = {
  readonly stable: boolean;
  readonly reserves: readonly [bigint, bigint];
  readonly decimals: readonly [number, number];
  readonly feeBps: number;
};

export const BPS = 10_000n;

/** The contract takes more; no token has so many. */
export const MAX_RESERVE = (1n << 112n) - 1n;
/** Above, amounts scaled to 18 decimals have no digits of their own left. */
const MOST_DECIMALS = 36;

/** Throws PoolRefused where the state is not one of a pool, or can not be routed. */
export function validateState({ reserves, decimals, feeBps }: SolidlyState): void {
  if (!Number.isInteger(feeBps) || feeBps < 0 || feeBps >= BPS) throw new PoolRefused('malformed', `the fee is not below 10,000 bps: ${feeBps}`);
  if (decimals.some((digits) => digits > MOST_DECIMALS)) throw new PoolRefused('not-routable', `more than ${MOST_DECIMALS} decimals: ${decimals.join(', ')}`);
  for (const reserve of reserves) {
    if (reserve < 0n || reserve > MAX_RESERVE) throw new PoolRefused('not-routable', `a reserve is not below 2^112: ${reserve}`);
    if (reserve === 0n) throw new PoolRefused('not-routable', 'a reserve is zero');
  }
}
