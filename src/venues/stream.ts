import type { Address, EpochSeconds } from '../units/units.ts';
import type { AskOutside, OutsideSource } from './outside.ts';
import type { DiscoveredPool } from './track.ts';

/** A maker's pair, an issuer's asset: a pool of the snapshot like any other, whose state is a price that holds until its traits say. */
export type StreamedPool<State> = {
  readonly pool: DiscoveredPool;
  /** null: no price is given now, and the pool is absent. */
  readonly state: State | null;
};

export type StreamListener<State> = {
  /** Pools whose price is another now. */
  changed(pools: readonly StreamedPool<State>[]): void;
  /** What came of asking a source once. The stream goes on after a failure, and closes the source's pools where their prices end. `malformed`: pairs that were left out of an answer. `pausedMs`: for how long it is left alone now; 0: it is not. */
  asked(source: OutsideSource, outcome: StreamOutcome, facts: { readonly malformed: number; readonly pausedMs: number }): void;
};

/** A closed set, for metrics. 'garbled': an answer that is none of the protocol's. */
export type StreamOutcome = 'ok' | 'busy' | 'refused' | 'unreachable' | 'garbled';

/** The chain whose tokens are priced. */
export type StreamChain = {
  readonly chainId: number;
  /** null: of a token that the chain's pools do not trade, or that has none. */
  decimalsOf(token: Address): number | null;
  /** The wall clock. */
  now(): EpochSeconds;
  readonly ask: AskOutside;
};

/**
 * The shape of `stream.ts` in a venue folder: indicative prices from outside, brought into curves. Loaded in the indexer thread. What a source sends never throws
 * here: it is told as an outcome.
 */
export type StreamFacet<State> = {
  /** Follows prices of the chain's tokens until closed; closed, it hears and asks nothing more. */
  open(chain: StreamChain, sources: readonly OutsideSource[], listener: StreamListener<State>): OpenStream;
};

export type OpenStream = {
  /** Closes the pools of a source at once, and asks it nothing for so long. */
  pause(name: string, ms: number): void;
  /** Follows these from now on: pools of whoever is not among them, or is another now, are closed at once. Absent: sources of the venue are those of configuration alone. */
  follow?(sources: readonly OutsideSource[]): void;
  close(): Promise<void>;
};
