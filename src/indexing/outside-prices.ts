import { createAsk } from '../outbound/outbound.ts';
import type { EpochSeconds } from '../units/units.ts';
import type { OpenStream, StreamVenues } from '../venues/venues.ts';
import type { Follower } from './follower.ts';
import type { IndexerReport } from './report.ts';
import type { IndexerThreadData } from './thread-data.ts';

/** Prices from off the chain, as long as they are followed. */
export type OutsidePrices = {
  /** OpenStream.pause of a venue's. */
  pause(venue: string, name: string, ms: number): void;
  close(): Promise<void>;
};

/** Has everybody asked whom the thread's data name, and brings what they say into the snapshot. */
export function openOutsidePrices(
  { chainId, outside = [] }: IndexerThreadData,
  venues: StreamVenues,
  follower: Pick<Follower, 'takeStreamed' | 'decimalsOf'>,
  report: (report: IndexerReport) => void,
): OutsidePrices {
  const ask = createAsk({ sources: outside.flatMap(({ sources }) => sources) });
  const chain = { chainId, ask, decimalsOf: follower.decimalsOf, now: () => Math.floor(Date.now() / 1000) as EpochSeconds };
  const streams = new Map<string, OpenStream>();
  for (const { venue, sources } of outside) {
    const facets = venues.get(venue);
    if (facets === undefined) {
      report({ kind: 'log', chainId, level: 'warn', message: `no venue ${venue} prices off the chain: its sources are left out` });
      continue;
    }
    const opened = facets.stream.open(chain, sources, {
      changed: (pools) => follower.takeStreamed(venue, pools),
      asked: ({ name }, outcome, facts) => report({ kind: 'outside-asked', chainId, source: name, outcome, ...facts }),
    });
    streams.set(venue, opened);
  }
  return {
    pause: (venue, name, ms) => streams.get(venue)?.pause(name, ms),
    async close() {
      await Promise.all([...streams.values()].map((stream) => stream.close()));
    },
  };
}
