import type { Address } from '../units/units.ts';
import type { ChainIdentity, ChainLog, ConcernedPools, IndexerVenue, IndexerVenues, VenueDeployment } from '../venues/venues.ts';
import { type Announced, type Found, foundBy } from './announced.ts';
import type { ChainHeader } from './header.ts';
import type { PoolBook, PoolChanges } from './pool-book.ts';
import { deploymentOf, isDue, type TrackedPool } from './tracked-pool.ts';

/** What the logs of one block mean. */
export type BlockReading = {
  readonly changes: PoolChanges;
  /** Announcements of which the chain has to say what they announce. */
  readonly announced: readonly Announced[];
  /** Logs that changed a pool, by venue folder. */
  readonly applied: ReadonlyMap<string, number>;
  /** Logs with a topic that we follow, of no pool or by nobody who may speak of it: no factory announced them (faults A20). */
  readonly unknownEmitters: number;
};

/** Reads blocks with the topics and factories of a chain's deployments looked up once. */
export type BlockInterpreter = {
  /** What a block's logs, in order, and its time make of the book's pools. Pure: the book is not touched. */
  read(book: PoolBook, header: ChainHeader, logs: readonly ChainLog[]): BlockReading;
  /** What a factory log announces, or null. */
  discover(log: ChainLog): Found | null;
  /** What stands for pools that registries list without a log. */
  listed(): readonly Announced[];
  readonly discoveryTopics: readonly `0x${string}`[];
};

type Track = IndexerVenue['track'];
type Listener = { readonly venue: string; readonly track: Track };

/** A block while it is read. */
type Reading = {
  readonly book: PoolBook;
  readonly changes: Map<string, TrackedPool>;
  readonly applied: Map<string, number>;
  /** Pools that are new. */
  readonly discovered: TrackedPool[];
  readonly announced: Announced[];
};

export function createBlockInterpreter(venues: IndexerVenues, deployments: readonly VenueDeployment[], chain: ChainIdentity): BlockInterpreter {
  const byFactory = groupBy(deployments, ({ factory }) => factory);
  const used = [...venues].filter(([folder]) => deployments.some((deployment) => deployment.venue === folder));
  const discoveryTopics = new Set(used.flatMap(([, { track }]) => track.discoveryTopics));
  const listeners = new Map<string, readonly Listener[]>();
  for (const [venue, { track }] of used) for (const topic of track.stateTopics) listeners.set(topic, [...(listeners.get(topic) ?? []), { venue, track }]);

  const discover = (log: ChainLog): Found | null => {
    for (const deployment of byFactory.get(log.address) ?? []) {
      const track = venues.get(deployment.venue)?.track;
      if (track === undefined || !track.discoveryTopics.includes(log.topics[0] ?? '0x')) continue;
      const found = track.discover(deployment, log, chain);
      if (found !== null) return foundBy(deployment, track, found);
    }
    return null;
  };

  return {
    discover,
    listed: () => deployments.flatMap((deployment) => listedBy(deployment, venues.get(deployment.venue)?.track)),
    discoveryTopics: [...discoveryTopics],
    read(book, header, logs) {
      const reading: Reading = { book, changes: new Map(), applied: new Map(), discovered: [], announced: [] };
      let unknownEmitters = 0;
      for (const log of logs) {
        const topic = log.topics[0];
        if (topic === undefined) continue;
        const listening = listeners.get(topic) ?? NO_LISTENERS;
        const announces = discoveryTopics.has(topic);
        if (!announces && listening.length === 0) continue;
        let known = announces && announce(reading, discover(log));
        // The log that announces a pool may also be the first that says what it is.
        for (const listener of listening) known = hear(reading, listener, log) || known;
        if (!known) unknownEmitters++;
      }
      distrustDue(reading, header);
      return { changes: reading.changes, announced: reading.announced, applied: reading.applied, unknownEmitters };
    },
  };
}

const NO_LISTENERS: readonly Listener[] = [];

function listedBy(deployment: VenueDeployment, track: Track | undefined): readonly Announced[] {
  const announcement = track?.listed?.(deployment) ?? null;
  if (track === undefined || announcement === null) return [];
  const found = foundBy(deployment, track, announcement);
  return found.kind === 'announcement' ? [found.announced] : [];
}

/** Pools that have to be read again are stale from here on: if they can not be read, they are absent, never old. */
function distrustDue({ book, changes, discovered }: Reading, header: ChainHeader): void {
  for (const tracked of [...book.dueAt(header), ...discovered]) {
    const { key } = tracked.pool;
    const now = changes.get(key) ?? tracked;
    if (isDue(now, header)) changes.set(key, { ...now, state: null, stale: true });
  }
}

/** Whether there was anything to announce: a pool that is known already stays as it is. */
function announce({ book, changes, discovered, announced }: Reading, found: Found | null): boolean {
  if (found === null) return false;
  if (found.kind === 'announcement') {
    announced.push(found.announced);
    return true;
  }
  const { key } = found.tracked.pool;
  if (book.pool(key) === undefined && !changes.has(key)) {
    changes.set(key, found.tracked);
    discovered.push(found.tracked);
  }
  return true;
}

/** Applies a log to the venue's pools that it concerns. Whether there is one of which its emitter may speak. */
function hear(reading: Reading, { venue, track }: Listener, log: ChainLog): boolean {
  const { book, changes, applied } = reading;
  const concerned = concernedBy(track, log);
  const keys = concerned === 'deployment' ? keysOf(reading, log.address) : concerned;
  let known = false;
  for (const key of keys) {
    const tracked = changes.get(key) ?? book.pool(key);
    if (tracked === undefined || tracked.venue !== venue || !maySpeakOf(tracked, log.address, concerned)) continue;
    known = true;
    const next = apply(track, tracked, log);
    if (next === null) continue;
    changes.set(key, next);
    applied.set(venue, (applied.get(venue) ?? 0) + 1);
  }
  return known;
}

function concernedBy(track: Track, log: ChainLog): ConcernedPools {
  try {
    return track.poolsOf(log);
  } catch (error) {
    // Anybody may emit a log of any length under any topic.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The pools of a factory or a governor, those that are new in this block included. */
function keysOf({ book, discovered }: Reading, emitter: Address): readonly string[] {
  return [...book.keysOfDeployment(emitter), ...discovered.filter((tracked) => deploymentOf(tracked).includes(emitter)).map(({ pool }) => pool.key)];
}

function maySpeakOf(tracked: TrackedPool, emitter: Address, concerned: ConcernedPools): boolean {
  if (concerned === 'deployment') return deploymentOf(tracked).includes(emitter);
  const { pool } = tracked;
  return pool.emitters === undefined ? pool.address === emitter : pool.emitters.includes(emitter);
}

function apply(track: Track, tracked: TrackedPool, log: ChainLog): TrackedPool | null {
  if (tracked.stale) return null;
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
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
