import { expect } from 'chai';
import { WordWriter } from '../../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { type ChainLog, type DiscoveredPool, type IndexerVenues, loadIndexerVenues, momentOf } from '../../src/venues/venues.ts';
import { useDevnet } from '../support/devnet.ts';
import { SEED } from '../support/seeded-random.ts';
import { type Activity, mulberry, openActivity } from './indexing/activity.ts';
import { type AllOperations, openAllOperations } from './indexing/operations.ts';
import { type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const SEQUENCES = Number(process.env.BRAID_SEQUENCES ?? (process.env.BRAID_SCALE === 'full' ? 10_000 : 12));
const OPERATIONS = 50;
/** Whole rebuilds are dear: what no log of a block concerns is looked at this often. */
const SEQUENCES_PER_REBUILD = 5;
/** A chain keeps every state it ever had. */
const SEQUENCES_PER_CHAIN = 200;

/** The head, as the chain gives it. */
type Block = { readonly hash: `0x${string}`; readonly number: bigint; readonly timestamp: bigint };

/** A pool with its number in the snapshot, which it keeps. */
type Known = { readonly id: number; readonly pool: DiscoveredPool; readonly folder: string };

/** Adds the pools of the published snapshot that are new. */
function learn(indexed: Indexed, known: Map<string, Known>): void {
  indexed.look((view) => {
    for (let id = 0; id < view.poolCount; id++) {
      const pool = view.pool(id);
      if (pool === undefined || known.has(pool.key)) continue;
      const { key, address, hook, protocol, source, venue, legFacts } = pool;
      const tokens = pool.tokens.map((token) => view.token(token).address);
      known.set(key, { id, folder: venue, pool: { key, address, hook, protocol, source, tokens, traits: legFacts } });
    }
  });
}

describe(`random sequences of ${OPERATIONS} operations (seed ${SEED})`, function suite() {
  this.timeout(120_000 + SEQUENCES * 20_000);
  for (let first = 0; first < SEQUENCES; first += SEQUENCES_PER_CHAIN) {
    const count = Math.min(SEQUENCES_PER_CHAIN, SEQUENCES - first);

    describe(`${first + 1} to ${first + count} of ${SEQUENCES}`, () => {
      const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
      const random = mulberry(SEED + first);
      let activity: Activity;
      let indexed: Indexed;
      let operations: AllOperations;
      let venues: IndexerVenues;
      const known = new Map<string, Known>();

      before(async () => {
        activity = await openActivity(devnet.current(), random);
        operations = await openAllOperations(devnet.current(), activity, random);
        venues = await loadIndexerVenues();
        indexed = await openIndexed(devnet.current());
        await indexed.reach((await head()).hash);
        learn(indexed, known);
      });
      after(() => indexed?.close());

      const head = () => activity.client.getBlock({ blockTag: 'latest' });

      it('leave the indexer with the state that the contracts have, at every block', async () => {
        const done = new Map<string, number>();
        for (let sequence = 0; sequence < count; sequence++) {
          const name = operations.names[(first + sequence) % operations.names.length] ?? '';
          for (let step = 0; step < OPERATIONS; ) {
            const from = (await head()).number;
            step += await operations.some(name, OPERATIONS - step);
            const block = await head();
            const { hash } = block;
            await indexed.reach(hash);
            await expectContracts(from + 1n, block, `${name}, BRAID_SEED=${SEED}, sequence ${first + sequence}, up to operation ${step}`);
          }
          done.set(name, (done.get(name) ?? 0) + OPERATIONS);
          if ((sequence + 1) % SEQUENCES_PER_REBUILD === 0 || sequence === count - 1) {
            expect(indexed.hash(), `rebuilt after sequence ${first + sequence}`).to.equal(await rebuiltHash(devnet.current(), (await head()).hash));
          }
        }
        process.stdout.write(`        ${JSON.stringify(Object.fromEntries(done))}\n`);
      });

      /** Every pool that a log of these blocks concerns has the state that its venue reads whole from the contracts. */
      async function expectContracts(from: bigint, to: Block, context: string): Promise<void> {
        const { hash, number, timestamp } = to;
        const logs = await activity.client.getLogs({ fromBlock: from, toBlock: number });
        learn(indexed, known);
        for (const [folder, { track, state }] of venues) {
          const pools = concernedBy(folder, logs as unknown as readonly ChainLog[]);
          if (pools.length === 0) continue;
          const loaded = await track.load(pools, indexed.readAt(hash), momentOf({ number: Number(number), timestamp: Number(timestamp) as EpochSeconds }));
          for (const [at, { key }] of pools.entries()) {
            const words = new WordWriter();
            const held = loaded[at] ?? null;
            if (held !== null) state.pack(held, words);
            const packed = held === null || !passes(track, held) ? undefined : words.finish().join();
            const published = indexed.look((view) => view.pool(known.get(key)?.id ?? -1)?.words.join());
            expect(published, `${context}: ${folder} ${key}`).to.equal(packed);
          }
        }
      }

      function concernedBy(folder: string, logs: readonly ChainLog[]): readonly DiscoveredPool[] {
        const track = venues.get(folder)?.track;
        const ours = [...known.values()].filter((one) => one.folder === folder).map(({ pool }) => pool);
        const keys = new Set<string>();
        for (const log of logs) {
          if (track?.stateTopics.includes(log.topics[0] ?? '0x') !== true) continue;
          const concerned = track.poolsOf(log);
          for (const key of concerned === 'deployment' ? ours.map((pool) => pool.key) : concerned) keys.add(key);
        }
        return ours.filter(({ key }) => keys.has(key));
      }
    });
  }
});

function passes(track: { check(state: unknown): void }, state: unknown): boolean {
  try {
    track.check(state);
    return true;
  } catch {
    return false;
  }
}
