import type { Address } from '../units/units.ts';
import type { DiscoveredPool } from './track.ts';

/** Somebody who gives prices off the chain, as configuration names them. */
export type StreamSource = {
  /** Label of metrics and logs. */
  readonly name: string;
  /** Where they answer: scheme, host and port. No other place is asked. */
  readonly origin: string;
};

/** A maker's pair, an issuer's asset: a pool of the snapshot like any other, whose state is a price that holds until its traits say. */
export type StreamedPool<State> = {
  readonly pool: DiscoveredPool;
  /** null: no price is given now, and the pool is absent. */
  readonly state: State | null;
};

export type StreamListener<State> = {
  /** Pools whose price is another now. */
  changed(pools: readonly StreamedPool<State>[]): void;
  /** A source that did not answer, or not what it had to. The stream goes on, and closes the source's pools where their prices end. */
  failed(source: StreamSource, reason: string): void;
};

/**
 * The shape of `stream.ts` in a venue folder: indicative prices from outside, brought into curves. Loaded in the indexer thread. What a source sends never throws
 * here: it is `failed`.
 */
export type StreamFacet<State> = {
  /** Follows prices of the chain's tokens until closed; closed, it hears and asks nothing more. */
  open(
    chain: { readonly chainId: number; readonly tokens: readonly Address[] },
    sources: readonly StreamSource[],
    listener: StreamListener<State>,
  ): { close(): Promise<void> };
};
