import type { SnapshotBuffers } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';

/** What a solver thread is told once, in its workerData. */
export type SolverThreadData = { readonly chains: readonly SolverChain[] };

export type SolverChain = {
  readonly chainId: number;
  readonly wrappedNative: Address;
  readonly minimumGasPriceWei: bigint;
  readonly buffers: SnapshotBuffers;
};
