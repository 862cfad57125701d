import { expect } from 'chai';
import { createRandom } from '../../src/random.ts';
import type { Address } from '../../src/units/units.ts';
import { loadIndexerVenues } from '../../src/venues/venues.ts';
import { useDevnet } from '../support/devnet.ts';
import { SEED } from '../support/seeded-random.ts';
import { activityOf, openActivity } from './indexing/activity.ts';
import { openContractCheck } from './indexing/contract-check.ts';
import { loadOperations, someOperation } from './indexing/operations.ts';
import { shareBlocks } from './indexing/shared-blocks.ts';
import { openIndexed, rebuiltHash } from './indexing/world.ts';

const SEQUENCES = Number(process.env.BRAID_SEQUENCES ?? (process.env.BRAID_SCALE === 'full' ? 10_000 : 16));
const OPERATIONS = 50;
/** Sequences under way at a time: each block carries an operation of each. A multiple of the venues' number gives each venue as many. */
const LANES = 56;
/** A chain keeps every block it ever had. */
const SEQUENCES_PER_CHAIN = 224;
/** Whole rebuilds are dear: what no log of a block concerns is looked at in turn, and all of it this often. */
const BLOCKS_PER_REBUILD = 60;
/** A day: the chain's own blocks would stand between those that are asked for. */
const NO_BLOCKS_SECONDS = 86_400;

describe(`random sequences of ${OPERATIONS} operations (seed ${SEED})`, function suite() {
  this.timeout(120_000 + SEQUENCES * 20_000);
  const names = loadOperations();
  for (let first = 0; first < SEQUENCES; first += SEQUENCES_PER_CHAIN) {
    const count = Math.min(SEQUENCES_PER_CHAIN, SEQUENCES - first);

    describe(`${first + 1} to ${first + count} of ${SEQUENCES}`, () => {
      const handle = useDevnet({ blockTimeSeconds: NO_BLOCKS_SECONDS, bots: false });

      it('leave the indexer with the state that the contracts have, at every block', async () => {
        const devnet = handle.current();
        const activity = await openActivity(devnet, createRandom(SEED).unit);
        const shared = shareBlocks(devnet.accounts[0]?.address as Address, activity);
        const operations = [...(await names)];
        const done = new Map<string, number>();
        const lanes = Math.min(LANES, count);
        const work: (() => Promise<void>)[] = [];
        for (let lane = 0; lane < lanes; lane++) {
          const [name, openOperations] = operations[(first + lane) % operations.length] ?? [];
          if (name === undefined || openOperations === undefined) throw new Error('no venue has operations');
          const random = createRandom(SEED + 1_000_003 * (first + lane)).unit;
          const common = activityOf(devnet, activity.client, random);
          // What it deploys and approves it mines alone; then its blocks are everybody's.
          let now = common;
          const own = {
            ...common,
            request: (...call: Parameters<typeof common.request>) => now.request(...call),
            mine: (...given: Parameters<typeof common.mine>) => now.mine(...given),
          };
          const opened = await openOperations(devnet, own, random);
          now = shared.lane(common);
          work.push(async () => {
            for (let sequence = lane; sequence < count; sequence += lanes) {
              for (let step = 0; step < OPERATIONS; step++) await someOperation(opened, random);
              done.set(name, (done.get(name) ?? 0) + OPERATIONS);
            }
          });
        }
        const indexed = await openIndexed(devnet);
        try {
          const head = await activity.client.getBlock({ blockTag: 'latest' });
          await indexed.reach(head.hash);
          const check = openContractCheck(activity, indexed, await loadIndexerVenues(), head.number + 1n);
          let blocks = 0;
          const rebuild = async () => {
            const { hash } = await activity.client.getBlock({ blockTag: 'latest' });
            expect(indexed.hash(), `rebuilt at block ${blocks}, BRAID_SEED=${SEED}, sequences from ${first}`).to.equal(await rebuiltHash(devnet, hash));
          };
          await shared.run(work, async () => {
            await check.head(`BRAID_SEED=${SEED}, sequences from ${first}, block ${++blocks}`);
            if (blocks % BLOCKS_PER_REBUILD === 0) await rebuild();
          });
          await rebuild();
          process.stdout.write(`        ${JSON.stringify({ blocks, operations: Object.fromEntries(done), compared: Object.fromEntries(check.compared) })}\n`);
        } finally {
          await indexed.close();
        }
      });
    });
  }
});
