import type { Address } from '../units/units.ts';
import type { DiscoveredPool, Rereading } from '../venues/venues.ts';
import type { ChainHeader } from './header.ts';

/** A pool as the indexer knows it. A value: a change makes another one. */
export type TrackedPool = {
  readonly pool: DiscoveredPool;
  /** Folder in src/venues. */
  readonly venue: string;
  /** The factory that announced it. */
  readonly factory: Address;
  /** The venue's state; null while the pool is not routable. */
  readonly state: unknown;
  /** What is known is not trusted: the pool has to be read from the chain before it counts again. */
  readonly stale: boolean;
  readonly rereading: Rereading;
  /** The block at which the pool was last read from the chain; null: never, what is known of it came in logs. */
  readonly read: Pick<ChainHeader, 'hash' | 'timestamp'> | null;
};

/** Whether what is known of a pool can not be trusted at a block that follows the one it is of. */
export function isDue({ rereading, read, stale }: TrackedPool, at: Pick<ChainHeader, 'hash' | 'timestamp'>): boolean {
  if (stale) return false;
  switch (rereading.kind) {
    case 'logs':
      return false;
    case 'each-block':
      return read?.hash !== at.hash;
    case 'age':
      return read === null || at.timestamp - read.timestamp > rereading.seconds;
    default:
      return rereading satisfies never;
  }
}

/** Contracts whose logs may concern all their pools, this one among them. */
export function deploymentOf({ factory, pool: { governors = [] } }: TrackedPool): readonly Address[] {
  return [factory, ...governors];
}
