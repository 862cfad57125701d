import { expect } from 'chai';
import type { DevnetPool } from '../../src/devnet/devnet.ts';
import { createRandom } from '../../src/random.ts';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { state } from '../../src/venues/curve/state.ts';
import type { CryptoState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { state as cryptoState } from '../../src/venues/curve_crypto/state.ts';
import type { StateFacet } from '../../src/venues/venues.ts';
import { useDevnet } from '../support/devnet.ts';
import { SEED } from '../support/seeded-random.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { type CurveActivity, openCurveActivity } from './indexing/curve-activity.ts';
import { type CurveCryptoActivity, openCurveCryptoActivity } from './indexing/curve-crypto-activity.ts';
import { type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS = process.env.BRAID_SCALE === 'full' ? 500 : 12;

describe('following Curve pools', function suite() {
  this.timeout(process.env.BRAID_SCALE === 'full' ? 1_800_000 : 240_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let curve: CurveActivity;
  let crypto: CurveCryptoActivity;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), random);
    curve = await openCurveActivity(devnet.current(), activity, random);
    crypto = await openCurveCryptoActivity(devnet.current(), activity, random);
    indexed = await openIndexed(devnet.current());
  });
  after(() => indexed?.close());

  const head = async () => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  const wordsOf = (address: Address): WordReader | null =>
    indexed.look((view) => {
      for (let id = 0; id < view.poolCount; id++) {
        const pool = view.pool(id);
        if (pool?.address === address) return new WordReader(pool.words);
      }
      return null;
    });
  const known = (address: Address): CurveState | null => unpacked(wordsOf(address), state);
  const knownCrypto = (address: Address): CryptoState | null => unpacked(wordsOf(address), cryptoState);

  /** Every pool of the snapshot has the state that its contract tells, and those that do not trade are absent. */
  async function expectContracts(what = ''): Promise<void> {
    await indexed.reach(await head());
    for (const { address } of curve.pools) expect(known(address), `BRAID_SEED=${SEED} ${what} ${address}`).to.deep.equal(await curve.stateOf(address));
  }

  it(`has the contracts' state after each of ${OPERATIONS} exchanges, changes of liquidity, gifts, ramps, fees and rates`, async () => {
    const { swap, add, remove, removeOne, removeImbalance, donate, ramp, setFee, setRate } = curve;
    const operations = { swap, again: swap, add, remove, removeOne, removeImbalance, donate, ramp, setFee, setRate: () => setRate() };
    const names = Object.keys(operations) as (keyof typeof operations)[];
    for (let done = 0; done < OPERATIONS; done++) {
      const name = names[Math.floor(random() * names.length)] as keyof typeof operations;
      await operations[name]();
      // What no log tells is known when it is read again.
      if (name === 'donate') await activity.request('evm_increaseTime', 600).then(() => activity.mine());
      await expectContracts(name);
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  });

  it('drops a pool that was killed when it reads it again, and one that the registry removed at once, and has them back', async () => {
    const { address } = curve.pools.find(({ tokens, feePpm }) => tokens.length === 3 && feePpm === 400) as DevnetPool;
    for (const killed of [true, false]) {
      await curve.setKilled(killed);
      await activity.request('evm_increaseTime', 600);
      await activity.mine();
      await expectContracts();
    }
    await curve.setListed(false);
    await indexed.reach(await head());
    expect(known(address)).to.equal(null);
    await curve.setListed(true);
    await expectContracts();
    expect(known(address)).to.not.equal(null);
  });

  it('has a rate that jumps, and drops the pool of a rate that is nothing', async () => {
    await curve.setRate(3n * 10n ** 18n);
    await expectContracts();
    await curve.setRate(0n);
    await indexed.reach(await head());
    const moving = curve.pools.filter(({ feePpm }) => feePpm !== 400);
    for (const { address } of moving) expect(known(address)).to.equal(null);
    await curve.setRate(10n ** 18n);
    await expectContracts();
  });

  /** The same of crypto pools, by their storage. */
  async function expectCryptoPools(what = ''): Promise<void> {
    await indexed.reach(await head());
    for (const pool of crypto.pools) expect(knownCrypto(pool.address), `BRAID_SEED=${SEED} ${what} ${pool.address}`).to.deep.equal(await crypto.stateOf(pool));
  }

  it(`has the state of crypto pools after each of ${OPERATIONS} exchanges, changes of liquidity, gifts, claims, ramps, parameters and receivers`, async () => {
    const { swap, add, remove, removeOne, donate, claim, ramp, setParameters, changeReceiver } = crypto;
    const operations = { swap, again: swap, add, remove, removeOne, donate, claim, ramp, setParameters, changeReceiver };
    const names = Object.keys(operations) as (keyof typeof operations)[];
    for (let done = 0; done < OPERATIONS; done++) {
      const name = names[Math.floor(random() * names.length)] as keyof typeof operations;
      await operations[name]();
      await expectCryptoPools(name);
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  });

  it('drops a crypto pool that was killed, which no log tells, and one that the registry removed, and has them back', async () => {
    const [first, second] = crypto.pools.filter(({ tokens }) => tokens.length === 3).map(({ address }) => address) as [Address, Address];
    for (const killed of [true, false]) {
      await crypto.setKilled(first, killed);
      await expectCryptoPools();
      expect(knownCrypto(first) === null).to.equal(killed);
    }
    await crypto.setListed(second, false);
    await indexed.reach(await head());
    expect(knownCrypto(second)).to.equal(null);
    await crypto.setListed(second, true);
    await expectCryptoPools();
    expect(knownCrypto(second)).to.not.equal(null);
  });
});

function unpacked<State>(words: WordReader | null, facet: StateFacet<State>): State | null {
  return words === null ? null : facet.unpack(words);
}
