import { expect } from 'chai';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import type { CryptoState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { state } from '../../src/venues/curve_crypto/state.ts';
import { useDevnet } from '../support/devnet.ts';
import { SEED } from '../support/seeded-random.ts';
import { type Activity, mulberry, openActivity } from './indexing/activity.ts';
import { type CurveCryptoActivity, openCurveCryptoActivity } from './indexing/curve-crypto-activity.ts';
import { type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS = process.env.BRAID_SCALE === 'full' ? 500 : 12;

describe('following crypto pools of Curve', function suite() {
  this.timeout(process.env.BRAID_SCALE === 'full' ? 1_800_000 : 240_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  const random = mulberry(SEED);
  let activity: Activity;
  let curve: CurveCryptoActivity;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), random);
    curve = await openCurveCryptoActivity(devnet.current(), activity, random);
    indexed = await openIndexed(devnet.current());
  });
  after(() => indexed?.close());

  const head = async () => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  const known = (address: Address): CryptoState | null =>
    indexed.look((view) => {
      for (let id = 0; id < view.poolCount; id++) {
        const pool = view.pool(id);
        if (pool?.address === address) return state.unpack(new WordReader(pool.words));
      }
      return null;
    });

  /** Every pool of the snapshot has the state that its contract has, and those that do not trade are absent. */
  async function expectContracts(what = ''): Promise<void> {
    await indexed.reach(await head());
    for (const { address } of curve.pools) expect(known(address), `BRAID_SEED=${SEED} ${what} ${address}`).to.deep.equal(await curve.stateOf(address));
  }

  it(`has the contracts' state after each of ${OPERATIONS} exchanges, changes of liquidity, gifts, claims, ramps and parameters`, async () => {
    const { swap, add, remove, removeOne, donate, claim, ramp, setParameters } = curve;
    const operations = { swap, again: swap, add, remove, removeOne, donate, claim, ramp, setParameters };
    const names = Object.keys(operations) as (keyof typeof operations)[];
    for (let done = 0; done < OPERATIONS; done++) {
      const name = names[Math.floor(random() * names.length)] as keyof typeof operations;
      await operations[name]();
      await expectContracts(name);
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  });

  it('drops a pool that was killed, which no log tells, and one that the registry removed, and has them back', async () => {
    const [first, second] = curve.pools.map(({ address }) => address) as [Address, Address];
    for (const killed of [true, false]) {
      await curve.setKilled(first, killed);
      await expectContracts();
      expect(known(first) === null).to.equal(killed);
    }
    await curve.setListed(second, false);
    await indexed.reach(await head());
    expect(known(second)).to.equal(null);
    await curve.setListed(second, true);
    await expectContracts();
    expect(known(second)).to.not.equal(null);
  });
});
