import { createAsk } from '../outbound/outbound.ts';
import type { BlockRef } from '../snapshot/snapshot.ts';
import type { EpochSeconds } from '../units/units.ts';
import type { ChainLog, ListingFacet, OpenStream, OutsideSource, PinnedReader, StreamVenues } from '../venues/venues.ts';
import { SYSTEM_CLOCK } from './clock.ts';
import type { Follower } from './follower.ts';
import type { ChainHeader } from './header.ts';
import { RegistryWatch } from './registry-watch.ts';
import type { IndexerReport } from './report.ts';
import type { AllowedByRegistry, IndexerThreadData } from './thread-data.ts';

/** Prices from off the chain, as long as they are followed. */
export type OutsidePrices = {
  /** OpenStream.pause of a venue's. */
  pause(venue: string, name: string, ms: number): void;
  /** RegistryWatch.blockTaken and RegistryWatch.blockPublished of each registry. */
  blockTaken(header: ChainHeader, logs: readonly ChainLog[]): void;
  blockPublished(block: BlockRef): void;
  close(): Promise<void>;
};

export type OutsidePricesParts = {
  readonly venues: StreamVenues;
  readonly follower: Pick<Follower, 'takeStreamed' | 'decimalsOf'>;
  readonly readAt: (blockHash: `0x${string}`) => PinnedReader;
  readonly report: (report: IndexerReport) => void;
};

/** Has everybody asked whom the thread's data name, and of those whom they allow whoever a registry lists, and brings what they say into the snapshot. */
export function openOutsidePrices({ chainId, outside = [] }: IndexerThreadData, parts: OutsidePricesParts): OutsidePrices {
  const { venues, follower, report } = parts;
  const ask = createAsk({ sources: outside.flatMap(({ sources, listed }) => [...sources, ...(listed?.makers ?? [])]) });
  const chain = { chainId, ask, decimalsOf: follower.decimalsOf, now: () => Math.floor(Date.now() / 1000) as EpochSeconds };
  const streams = new Map<string, OpenStream>();
  const registries: RegistryWatch[] = [];
  const warn = (message: string): void => report({ kind: 'log', chainId, level: 'warn', message });
  for (const { venue, sources, listed } of outside) {
    const facets = venues.get(venue);
    if (facets === undefined) {
      warn(`no venue ${venue} prices off the chain: its sources are left out`);
      continue;
    }
    const opened = facets.stream.open(chain, sources, {
      changed: (pools) => follower.takeStreamed(venue, pools),
      asked: ({ name }, outcome, facts) => report({ kind: 'outside-asked', chainId, venue, source: name, outcome, ...facts }),
    });
    streams.set(venue, opened);
    if (listed === undefined) continue;
    if (facets.listing === null || opened.follow === undefined) warn(`venue ${venue} has no registry: its makers without a signer are left out`);
    else registries.push(watchRegistry({ chainId, venue, listed }, facets.listing, (now) => opened.follow?.([...sources, ...now]), parts));
  }
  return {
    pause: (venue, name, ms) => streams.get(venue)?.pause(name, ms),
    blockTaken(header, logs) {
      for (const registry of registries) registry.blockTaken(header, logs);
    },
    blockPublished(block) {
      for (const registry of registries) registry.blockPublished(block);
    },
    async close() {
      await Promise.all([...registries, ...streams.values()].map((opened) => opened.close()));
    },
  };
}

function watchRegistry(
  { chainId, venue, listed: { registry, makers } }: { readonly chainId: number; readonly venue: string; readonly listed: AllowedByRegistry },
  listing: ListingFacet,
  follow: (sources: readonly OutsideSource[]) => void,
  { readAt, report }: OutsidePricesParts,
): RegistryWatch {
  let known: readonly OutsideSource[] = [];
  return new RegistryWatch({
    registry,
    readAt,
    clock: SYSTEM_CLOCK,
    read: (read) => listing.read(registry, makers, read),
    take(said, held) {
      const unread = said?.unread ?? makers.map(({ name }) => name);
      known = [...(said?.sources ?? []), ...known.filter(({ name }) => held && unread.includes(name))];
      follow(known);
      report({ kind: 'listed', chainId, venue, sources: known, entries: said?.entries ?? null, unread: unread.length });
    },
    onBug: ({ message }) => report({ kind: 'log', chainId, level: 'error', message: `the registry of ${venue} could not be taken in: ${message}` }),
  });
}
