import type { PriceSources } from '../chains/chains.ts';
import type { SnapshotBuffers } from '../snapshot/snapshot.ts';
import type { Address, DurationMs } from '../units/units.ts';
import type { SwitchedOff, VenueDeployment } from '../venues/venues.ts';

/** What an indexer thread is told once, in its workerData. */
export type IndexerThreadData = {
  readonly chainId: number;
  /** http, https, ws or wss; the first is preferred, the others are turned to when it fails. */
  readonly rpcUrls: readonly string[];
  readonly deployments: readonly VenueDeployment[];
  readonly buffers: SnapshotBuffers;
  readonly wrappedNative: Address;
  /** What USD prices start from. Absent: nothing, and no token has one. */
  readonly prices?: PriceSources;
  /** Pause between two looks at the head, where the node does not announce it. */
  readonly pollMs: DurationMs;
  /** What is switched off when the thread starts. Absent: nothing. */
  readonly switchedOff?: SwitchedOff;
};

/** What the main thread may say to an indexer thread. */
export type IndexerCommand = { readonly kind: 'stop' } | { readonly kind: 'switch-off'; readonly off: SwitchedOff };

/** Tells an indexer what is switched off from now on. */
export type SwitchListener = (off: SwitchedOff) => void;
