import { expect } from 'chai';
import type { DevnetPool } from '../../src/devnet/devnet.ts';
import { createRandom } from '../../src/random.ts';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import { state } from '../../src/venues/solidly/state.ts';
import { useDevnet } from '../support/devnet.ts';
import { SEED } from '../support/seeded-random.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { openSolidlyActivity, type SolidlyActivity } from './indexing/solidly-activity.ts';
import { type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS = process.env.BRAID_SCALE === 'full' ? 500 : 10;
/** A custom fee that stands for none. */
const NO_FEE = 420n;

describe('following Solidly pools', function suite() {
  this.timeout(process.env.BRAID_SCALE === 'full' ? 900_000 : 120_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let solidly: SolidlyActivity;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), random);
    solidly = await openSolidlyActivity(devnet.current(), activity, random);
    indexed = await openIndexed(devnet.current());
  });
  after(() => indexed?.close());

  const head = async () => (await activity.client.getBlock({ blockTag: 'latest' })).hash;

  /** Every pool of the snapshot has the state that its contract and its factory tell, and those that can not be traded with are absent. */
  async function expectContracts(): Promise<void> {
    await indexed.reach(await head());
    for (const { address } of solidly.pools) {
      const known = indexed.look((view) => {
        for (let id = 0; id < view.poolCount; id++) {
          const pool = view.pool(id);
          if (pool?.address === address) return state.unpack(new WordReader(pool.words));
        }
        return null;
      });
      expect(known, address).to.deep.equal(await solidly.stateOf(address));
    }
  }

  it(`has the contracts' state after each of ${OPERATIONS} swaps, additions, donations and changes of fees`, async () => {
    const anyPool = () => (solidly.pools[Math.floor(random() * solidly.pools.length)] as DevnetPool).address;
    const operations = [solidly.swap, solidly.swap, solidly.add, solidly.donate, () => solidly.setCustomFee(anyPool(), BigInt(Math.floor(random() * 300)))];
    for (let done = 0; done < OPERATIONS; done++) {
      await operations[Math.floor(random() * operations.length)]?.();
      await expectContracts();
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  });

  it('knows a fee of nothing, and none of its own, apart', async () => {
    const address = solidly.pools[0]?.address;
    if (address === undefined) throw new Error('the devnet has no pool of Aerodrome');
    for (const fee of [NO_FEE, 0n, 1n]) {
      await solidly.setCustomFee(address, fee);
      await expectContracts();
    }
  });

  it('drops all pools while trade is paused, and has them back with their state', async () => {
    await solidly.setPaused(true);
    await expectContracts();
    await solidly.donate();
    await expectContracts();
    await solidly.setPaused(false);
    await expectContracts();
  });

  it('learns of a new default fee, which no log tells, when it reads again', async () => {
    await solidly.setDefaultFee(true, 7n);
    await activity.request('evm_increaseTime', 600);
    await activity.mine();
    await expectContracts();
  });
});
