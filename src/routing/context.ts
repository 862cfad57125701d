import type { Address, InstantMs } from '../units/units.ts';
import type { SolverVenues } from '../venues/venues.ts';

/** What a solver of one chain is given once. */
export type SolverContext = {
  readonly chain: { readonly chainId: number; readonly wrappedNative: Address; readonly minimumGasPriceWei: bigint };
  readonly venues: SolverVenues;
  readonly now: () => InstantMs;
  /** Reads the thread's cancel word. */
  readonly cancelled: () => boolean;
};
