import { expect } from 'chai';
import { createRandom } from '../../src/random.ts';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import { state } from '../../src/venues/uniswap_v3/state.ts';
import { useDevnet } from '../support/devnet.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { openPancakeV3Activity, type PancakeV3Activity } from './indexing/pancake-v3-activity.ts';
import { type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS = FULL_SCALE ? 500 : 20;

describe("following PancakeSwap's V3 pools", function suite() {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let pancake: PancakeV3Activity;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), random);
    pancake = await openPancakeV3Activity(devnet.current(), activity, random);
    indexed = await openIndexed(devnet.current());
  });
  after(() => indexed?.close());

  const head = async () => (await activity.client.getBlock({ blockTag: 'latest' })).hash;

  /** Every pool has the state that its contract tells, and is there where there is liquidity. */
  async function expectContracts(): Promise<void> {
    await indexed.reach(await head());
    for (const pool of pancake.pools) {
      const told = await pancake.stateOf(pool);
      const known = indexed.look((view) => {
        for (let id = 0; id < view.poolCount; id++) {
          const published = view.pool(id);
          if (published?.address === pool.address) return { protocol: published.protocol, state: state.unpack(new WordReader(published.words)) };
        }
        return null;
      });
      expect(known, pool.address).to.deep.equal(told.ticks.indices.length === 0 ? null : { protocol: 'pancakeswap_v3', state: told });
    }
  }

  it(`has the contracts' state after each of ${OPERATIONS} swaps, positions, donations, protocol fees and new pools`, async () => {
    const { swap, add, remove, donate, setProtocolFee, create } = pancake;
    const operations = [swap, swap, swap, add, add, remove, remove, donate, setProtocolFee, create];
    await expectContracts();
    for (let done = 0; done < OPERATIONS; done++) {
      await operations[Math.floor(random() * operations.length)]?.();
      await expectContracts();
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  });

  it('follows a swap by its own event, which carries the protocol fees too, without reading the pool again', async () => {
    await expectContracts();
    const before = indexed.reports.filter((report) => report.kind === 'logs' && report.venue === 'uniswap_v3').length;
    await pancake.swap();
    await expectContracts();
    expect(indexed.reports.filter((report) => report.kind === 'logs' && report.venue === 'uniswap_v3').length).to.equal(before + 1);
  });
});
