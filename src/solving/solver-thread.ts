import type { CertifyJob, CertifyResult, EVERY_TOKEN_CLEAN, SolveJob, SolveResult, TransferPolicy } from '../routing/routing.ts';
import type { SnapshotBuffers } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';

/** What a solver thread is told once, in its workerData. */
export type SolverThreadData = { readonly chains: readonly SolverChain[] };

export type SolverChain = {
  readonly chainId: number;
  readonly wrappedNative: Address;
  readonly minimumGasPriceWei: bigint;
  /** Whether anybody issues real-world assets there; absent: it may be. Where nobody does no pool has to be looked at for it. */
  readonly issuance?: 'some' | 'none';
  readonly transfers: TransferPolicy | typeof EVERY_TOKEN_CLEAN;
  readonly buffers: SnapshotBuffers;
};

/** What the main thread asks of a solver thread. A probe answers as soon as the thread can solve; a rehearsal is a solve that nobody waits for. */
export type SolverTask = { readonly kind: 'probe' } | { readonly kind: 'rehearse'; readonly job: SolveJob } | SolverWork;

export type SolverWork = { readonly kind: 'solve'; readonly job: SolveJob } | { readonly kind: 'certify'; readonly job: CertifyJob };

/** What a solver thread answers. Tagged data only: custom errors lose their class between threads. */
export type SolverAnswer = {
  /** null for a probe. */
  readonly result: SolveResult | CertifyResult | null;
  readonly runMs: number;
  /** What the thread's heap holds after the task. */
  readonly heapBytes: number;
  /** Heap and external memory that the thread holds after the task. */
  readonly heldBytes: number;
  /** What the system calls the thread, where it tells. */
  readonly kernelThread?: number;
};
