import type { ChainLog, IndexerVenues, VenueDeployment } from '../venues/venues.ts';
import type { PoolBook, PoolChanges, TrackedPool } from './pool-book.ts';

/** What the logs of one block mean. */
export type BlockReading = {
  readonly changes: PoolChanges;
  /** Logs that changed a pool, by venue folder. */
  readonly applied: ReadonlyMap<string, number>;
  /** Logs with a topic that we follow, from an address that no factory announced (faults A20). */
  readonly unknownEmitters: number;
};

/** Reads blocks with the topics and factories of a chain's deployments looked up once. */
export type BlockInterpreter = {
  /** What a block's logs, in order, make of the book's pools. Pure: the book is not touched. */
  read(book: PoolBook, logs: readonly ChainLog[]): BlockReading;
  /** The pool that a factory log announces, or null. */
  discover(log: ChainLog): TrackedPool | null;
  readonly discoveryTopics: readonly `0x${string}`[];
};

export function createBlockInterpreter(venues: IndexerVenues, deployments: readonly VenueDeployment[]): BlockInterpreter {
  const byFactory = new Map(deployments.map((deployment) => [deployment.factory, deployment]));
  const used = [...venues].filter(([folder]) => deployments.some((deployment) => deployment.venue === folder));
  const discoveryTopics = new Set(used.flatMap(([, { track }]) => track.discoveryTopics));
  const stateTopics = new Set(used.flatMap(([, { track }]) => track.stateTopics));

  const discover = (log: ChainLog): TrackedPool | null => {
    const deployment = byFactory.get(log.address);
    const track = deployment === undefined ? undefined : venues.get(deployment.venue)?.track;
    if (deployment === undefined || track === undefined || !track.discoveryTopics.includes(log.topics[0] ?? '0x')) return null;
    const pool = track.discover(deployment, log);
    // Nothing has happened to a pool before it is announced: what it is follows from its own logs.
    return pool === null ? null : { pool, venue: deployment.venue, state: null, stale: false };
  };

  const applyTo = (tracked: TrackedPool, log: ChainLog): TrackedPool | null => {
    const track = venues.get(tracked.venue)?.track;
    const topic = log.topics[0];
    if (tracked.stale || track === undefined || topic === undefined || !track.stateTopics.includes(topic)) return null;
    const applied = track.apply(tracked.pool, tracked.state, log);
    switch (applied.kind) {
      case 'state':
        return { ...tracked, state: applied.state };
      case 'reload':
        return { ...tracked, state: null, stale: true };
      case 'ignored':
        return null;
      default:
        return applied satisfies never;
    }
  };

  return {
    discover,
    discoveryTopics: [...discoveryTopics],
    read(book, logs) {
      const changes = new Map<string, TrackedPool>();
      const announced = new Map<string, string>();
      const applied = new Map<string, number>();
      let unknownEmitters = 0;
      for (const log of logs) {
        const topic = log.topics[0];
        if (topic === undefined) continue;
        if (discoveryTopics.has(topic)) {
          const found = discover(log);
          if (found === null) unknownEmitters++;
          else if (book.pool(found.pool.key) === undefined && !changes.has(found.pool.key)) {
            changes.set(found.pool.key, found);
            announced.set(found.pool.address, found.pool.key);
          }
        } else if (stateTopics.has(topic)) {
          const key = book.keyOfEmitter(log.address) ?? announced.get(log.address);
          const tracked = key === undefined ? undefined : (changes.get(key) ?? book.pool(key));
          if (key === undefined || tracked === undefined) {
            unknownEmitters++;
            continue;
          }
          const next = applyTo(tracked, log);
          if (next === null) continue;
          changes.set(key, next);
          applied.set(tracked.venue, (applied.get(tracked.venue) ?? 0) + 1);
        }
      }
      return { changes, applied, unknownEmitters };
    },
  };
}
