import { expect } from 'chai';
import { WordWriter } from '../../../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../../../src/units/units.ts';
import { type ChainLog, type DiscoveredPool, type IndexerVenue, type IndexerVenues, momentOf } from '../../../src/venues/venues.ts';
import type { Activity } from './activity.ts';
import type { Indexed } from './world.ts';

/** Pools that no log concerns and that are compared all the same, of each venue in turn. */
const IN_TURN = 2;

/** A pool with its number in the snapshot, which it keeps. */
type Known = { readonly id: number; readonly pool: DiscoveredPool; readonly folder: string };

/** Holds what an indexer published against what the venues read whole from the contracts. */
export type ContractCheck = {
  /**
   * Brings the indexer to the head and compares there: every pool that a log since the last call concerns, and some others in turn.
   */
  head(context: string): Promise<void>;
  /** How many states were compared, by the venue's folder. */
  readonly compared: ReadonlyMap<string, number>;
};

export function openContractCheck({ client }: Activity, indexed: Indexed, venues: IndexerVenues, from: bigint): ContractCheck {
  const known = new Map<string, Known>();
  const numbers = new Set<number>();
  const compared = new Map<string, number>();
  const turns = new Map<string, number>();
  let next = from;

  /** Adds the pools of the published snapshot that are new. */
  const learn = (): void =>
    indexed.look((view) => {
      for (let id = 0; id < view.poolCount; id++) {
        if (numbers.has(id)) continue;
        const pool = view.pool(id);
        if (pool === undefined) continue;
        numbers.add(id);
        const { key, address, hook, protocol, source, venue, legFacts } = pool;
        const tokens = pool.tokens.map((token) => view.token(token).address);
        known.set(key, { id, folder: venue, pool: { key, address, hook, protocol, source, tokens, traits: legFacts } });
      }
    });

  const concernedBy = (folder: string, track: IndexerVenue['track'], logs: readonly ChainLog[]): readonly Known[] => {
    const ours = [...known.values()].filter((one) => one.folder === folder);
    const keys = new Set<string>();
    for (const log of logs) {
      if (!track.stateTopics.includes(log.topics[0] ?? '0x')) continue;
      const concerned = track.poolsOf(log);
      for (const key of concerned === 'deployment' ? ours.map(({ pool }) => pool.key) : concerned) keys.add(key);
    }
    const turn = turns.get(folder) ?? 0;
    turns.set(folder, turn + IN_TURN);
    for (let at = 0; at < Math.min(IN_TURN, ours.length); at++) keys.add(ours[(turn + at) % ours.length]?.pool.key ?? '');
    return ours.filter(({ pool }) => keys.has(pool.key));
  };

  return {
    compared,
    async head(context) {
      const { hash, number, timestamp } = await client.getBlock({ blockTag: 'latest' });
      const [logs] = await Promise.all([client.getLogs({ fromBlock: next, toBlock: number }), indexed.reach(hash)]);
      next = number + 1n;
      learn();
      const moment = momentOf({ number: Number(number), timestamp: Number(timestamp) as EpochSeconds });
      const read = indexed.readAt(hash);
      const compare = async (folder: string, { track, state }: IndexerVenue): Promise<void> => {
        const pools = concernedBy(folder, track, logs as unknown as readonly ChainLog[]);
        if (pools.length === 0) return;
        const loaded = await track.load(
          pools.map(({ pool }) => pool),
          read,
          moment,
        );
        indexed.look((view) => {
          for (const [at, { id, pool }] of pools.entries()) {
            const words = new WordWriter();
            const held = loaded[at] ?? null;
            if (held !== null) state.pack(held, words);
            const packed = held === null || !passes(track, held) ? undefined : words.finish().join();
            expect(view.pool(id)?.words.join(), `${context}: ${folder} ${pool.key}`).to.equal(packed);
          }
        });
        compared.set(folder, (compared.get(folder) ?? 0) + pools.length);
      };
      await Promise.all([...venues].map(([folder, venue]) => compare(folder, venue)));
    },
  };
}

function passes(track: { check(state: unknown): void }, state: unknown): boolean {
  try {
    track.check(state);
    return true;
  } catch {
    return false;
  }
}
