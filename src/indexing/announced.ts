import type { AnnouncedBy, DiscoveredPool, IndexerVenue, PoolAnnouncement, Rereading, VenueDeployment } from '../venues/venues.ts';
import type { TrackedPool } from './tracked-pool.ts';

/** An announcement as the book keeps it until the chain has said what it announces. A value. */
export type Announced = AnnouncedBy & {
  /** Unique within the chain. */
  readonly id: string;
};

/** What a deployment's log, or its contract, says of a pool: all, or that it has to be asked for the rest. */
export type Found = { readonly kind: 'pool'; readonly tracked: TrackedPool } | { readonly kind: 'announcement'; readonly announced: Announced };

/** Puts what a venue found into the book's terms. */
export function foundBy(deployment: VenueDeployment, track: IndexerVenue['track'], found: DiscoveredPool | PoolAnnouncement): Found {
  const { venue, factory } = deployment;
  if ('announces' in found) return { kind: 'announcement', announced: { id: `${venue} ${factory} ${found.announces}`, announcement: found, deployment } };
  const rereading = track.rereading?.(found) ?? LOGS_TELL_ALL;
  // Nothing has happened to a pool before it is announced: what it is follows from its own logs.
  return { kind: 'pool', tracked: { pool: found, venue, factory, state: null, stale: false, rereading, read: null } };
}

const LOGS_TELL_ALL: Rereading = { kind: 'logs' };
