import type { Address } from '../units/units.ts';
import type { ListedSource, OutsideSource } from './outside.ts';
import type { PinnedReader } from './track.ts';

/**
 * What became of an entry of a registry. A closed set, for metrics. 'served': somebody is asked by it. 'foreign': it names a place that configuration does not allow. 'malformed': it names no place that could be asked.
 * 'contested': others name the same place, and configuration does not say whose word counts. 'beyond': there are more entries than are read.
 */
export type RegistryEntry = 'served' | 'foreign' | 'malformed' | 'contested' | 'beyond';

/**
 * What a registry says at a block: who is served by it, each by a name and an origin of configuration, and how many of its entries were what. `unread`: names of makers of whom it did not say anything, which is not that it does not
 * list them.
 */
export type Listing = {
  readonly sources: readonly OutsideSource[];
  readonly entries: Readonly<Record<RegistryEntry, number>>;
  readonly unread: readonly string[];
};

/** The shape of `listing.ts` in a venue folder: a registry of those who price and sign. Loaded in the indexer thread. Whatever the registry's entries say, nothing is thrown for it. */
export type ListingFacet = {
  /** Whom of `makers` the registry lists at the reader's block. Throws what the reader throws. */
  read(registry: Address, makers: readonly ListedSource[], read: PinnedReader): Promise<Listing>;
};
