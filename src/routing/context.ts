import type { Address, InstantMs } from '../units/units.ts';
import type { SolverVenues } from '../venues/venues.ts';
import type { EVERY_TOKEN_CLEAN, TransferPolicy } from './transfers/transfer-policy.ts';

/** What a solver of one chain is given once. */
export type SolverContext = {
  readonly chain: {
    readonly chainId: number;
    readonly wrappedNative: Address;
    readonly minimumGasPriceWei: bigint;
    /** Whether anybody issues real-world assets there; absent: it may be. Where nobody does no pool has to be looked at for it. */
    readonly issuance?: 'some' | 'none';
    /** Absent: every token is clean, as those of a pool set are. */
    readonly transfers?: TransferPolicy | typeof EVERY_TOKEN_CLEAN;
  };
  readonly venues: SolverVenues;
  readonly now: () => InstantMs;
  /** Reads the thread's cancel word. */
  readonly cancelled: () => boolean;
};
