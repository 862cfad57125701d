import { expect } from 'chai';
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { compileSolidity } from '../../scripts/solidity.ts';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { exchange } from '../../src/venues/curve_crypto/exchange.ts';
import { track } from '../../src/venues/curve_crypto/track.ts';
import { type DiscoveredPool, momentOf, type QuoteMoment } from '../../src/venues/venues.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { realCryptoState } from './curve/real-crypto-state.ts';
import { recordedCryptoPool, TRICRYPTO, TRICRYPTO_COINS, TRICRYPTO_PRECISIONS, TRICRYPTO_SHARE, TRICRYPTO_VIEWS } from './curve/recorded-crypto-pool.ts';
import { type BareChain, mintData, openBareChain, TOKEN } from './curve/tracked-pool.ts';

const SWAPS = FULL_SCALE ? 300 : 25;
const ME = '0x00000000000000000000000000000000000000aa';
const POOL = parseAbi(['function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy)']);
const ONE = 10n ** 18n;
const WORTH = 30_000_000n * ONE;
const REGISTRY = asAddress('0x00000000000000000000000000000000000000fa');
const DAY = 86_400n;
/** Answers every call with one: a registry that lists whatever it is asked about, and a view that knows nothing. */
const LISTS_ALL = '0x60015f5260205ff3';

describeWithSharedData('following the real crypto pool of Curve', function define(this: Mocha.Suite) {
  this.timeout(FULL_SCALE ? 900_000 : 120_000);
  let oracle: OracleChain;
  let chain: BareChain;
  let override: ReturnType<typeof recordedCryptoPool>;
  let pool: DiscoveredPool;

  before(async () => {
    const { PlainToken, CurveCryptoViews } = await compileSolidity('contracts/devnet/oracle');
    if (PlainToken === undefined || CurveCryptoViews === undefined) throw new Error('PlainToken or CurveCryptoViews is not among the compiled contracts');
    override = recordedCryptoPool(PlainToken.deployedBytecode);
    oracle = await startOracleChain();
    chain = openBareChain(oracle.url);
    await chain.write([
      { address: TRICRYPTO_VIEWS, code: CurveCryptoViews.deployedBytecode },
      { address: REGISTRY, code: LISTS_ALL },
    ]);
    await chain.write(override(realCryptoState(TRICRYPTO_PRECISIONS, WORTH, 0n, [30_000n * ONE, 2_000n * ONE])));
    for (const coin of TRICRYPTO_COINS) {
      await chain.send(ME, coin, mintData(TRICRYPTO, 1n << 200n));
      await chain.send(ME, coin, encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [TRICRYPTO, 1n << 255n] }));
    }
    const tokens = TRICRYPTO_COINS.map((coin) => asAddress(coin));
    const traits = { factory: REGISTRY, token: TRICRYPTO_SHARE, decimals: '6,8,18' };
    pool = { key: TRICRYPTO, address: asAddress(TRICRYPTO), hook: null, protocol: 'curve_crypto', source: 'curve_crypto', tokens, traits };
  });
  after(async () => {
    await oracle?.stop();
  });

  const momentNow = async (): Promise<QuoteMoment> => momentOf({ number: 1, timestamp: Number((await chain.head()).timestamp) as EpochSeconds });
  const load = async (): Promise<CryptoState | null> => (await track.load([pool], chain.readAt((await chain.head()).number), await momentNow()))[0] ?? null;
  const freshState = async (): Promise<CryptoPool> =>
    realCryptoState(TRICRYPTO_PRECISIONS, WORTH, (await chain.head()).timestamp, [30_000n * ONE, 2_000n * ONE]);

  async function swap(state: CryptoPool, slotIn: number, slotOut: number, amount: bigint): Promise<void> {
    expect(state.balances.length).to.equal(3);
    await chain.send(ME, TRICRYPTO_COINS[slotIn] as Hex, mintData(ME, amount));
    await chain.send(ME, TRICRYPTO, encodeFunctionData({ abi: POOL, args: [BigInt(slotIn), BigInt(slotOut), amount, 0n] }));
  }

  it(`reads after each of ${SWAPS} exchanges the state that the mathematics leave`, async () => {
    const random = seededRandom('tracking-curve-crypto');
    let state = await freshState();
    await chain.write(override(state));
    expect(await load(), 'at first').to.deep.equal(eitherWay(state));
    let steps = 0;
    for (let done = 0; done < SWAPS; done++) {
      const slotIn = random.integer(0, 2);
      const slotOut = (slotIn + random.integer(1, 2)) % 3;
      const amount = (state.balances[slotIn] ?? 0n) / (20n + random.logUniform(10_000n));
      await chain.passTime(random.integer(1, 900));
      await swap(state, slotIn, slotOut, amount);
      const next = exchange(state, slotIn, slotOut, amount, await momentNow());
      if (next === null) throw new Error(`exchange ${done} is refused by the mathematics alone`);
      if (next.next.priceScale !== state.priceScale) steps++;
      state = next.next;
      expect(await load(), `BRAID_SEED=${SEED} after exchange ${done}`).to.deep.equal(eitherWay(state));
    }
    expect(steps).to.be.greaterThan(0);
  });

  it('knows the ramp of its parameters, and prices an exchange on its way', async () => {
    const still = await freshState();
    const from = { amplification: still.to.amplification * 2n, gamma: still.to.gamma * 3n };
    const state: CryptoPool = { ...still, from, rampStartsAt: still.lastPricesAt - DAY, rampEndsAt: still.lastPricesAt + 2n * DAY };
    await chain.write(override(state));
    await chain.passTime(Number(DAY) / 2);
    expect(await load()).to.deep.equal(eitherWay(state));
    const amount = (state.balances[0] ?? 0n) / 30n;
    await swap(state, 0, 1, amount);
    const next = exchange(state, 0, 1, amount, await momentNow());
    expect(await load()).to.deep.equal(eitherWay(next?.next as CryptoPool));
  });

  it('takes it for not routable where its shares, its coins or its view say otherwise than the mathematics', async () => {
    const state = await freshState();
    await chain.write(override(state));
    expect(await load()).to.not.equal(null);
    const lying = { ...pool, traits: { ...pool.traits, decimals: '6,8,17' } };
    expect(await track.load([lying], chain.readAt((await chain.head()).number), await momentNow())).to.deep.equal([null]);
    const bare = { ...pool, traits: { ...pool.traits, token: asAddress(`0x${'0'.repeat(38)}ee`) } };
    expect(await track.load([bare], chain.readAt((await chain.head()).number), await momentNow())).to.deep.equal([null]);
    const { CurveCryptoViews } = await compileSolidity('contracts/devnet/oracle');
    await chain.write([{ address: TRICRYPTO_VIEWS, code: LISTS_ALL }]);
    expect(await load()).to.equal(null);
    await chain.write([{ address: TRICRYPTO_VIEWS, code: CurveCryptoViews?.deployedBytecode as Hex }]);
    expect(await load()).to.not.equal(null);
  });

  it('is described by its registry with its three coins and the contract of its shares', async () => {
    const announcement = { announces: asAddress(TRICRYPTO), facts: {} };
    const deployment = { venue: 'curve_crypto', family: 'curve_crypto', factory: REGISTRY, fromBlock: 0 };
    // The tokens here have no decimals of their own: three answers stand in for them.
    const read = chain.readAt((await chain.head()).number);
    const digits = new Map<string, bigint>(TRICRYPTO_COINS.map((coin, at) => [coin, [6n, 8n, 18n][at] ?? 0n]));
    const answers: typeof read = async (calls) =>
      (await read(calls)).map((answer, at) => {
        const { to, data } = calls[at] as (typeof calls)[number];
        return data === '0x313ce567' ? numberToHex(digits.get(to) ?? 0n, { size: 32 }) : answer;
      });
    const described = await track.describe?.([{ announcement, deployment }], answers, () => false);
    expect(described?.[0]).to.deep.equal([{ ...pool, emitters: [pool.address, REGISTRY] }]);
  });
});

/** As it is read: whether it is on its way to its average prices no view tells. */
function eitherWay(pool: CryptoPool): CryptoState {
  return {
    possible: [
      { ...pool, adjusting: false },
      { ...pool, adjusting: true },
    ],
  };
}
