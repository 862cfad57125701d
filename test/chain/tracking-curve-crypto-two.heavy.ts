import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestClient, encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, http, keccak256, numberToHex, parseAbi } from 'viem';
import { foundry } from 'viem/chains';
import { compileSolidity } from '../../scripts/solidity.ts';
import { creationCode, WRAPPED_NATIVE_PLACE } from '../../src/devnet/artifacts.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { exchange } from '../../src/venues/curve_crypto/exchange.ts';
import { track } from '../../src/venues/curve_crypto/track.ts';
import { type DiscoveredPool, momentOf, type PoolAnnouncement, type QuoteMoment } from '../../src/venues/venues.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { SEED, seededRandom } from '../support/seeded-random.ts';
import { compiledVyper } from './curve/compiled-contract.ts';
import { type BareChain, openBareChain } from './curve/tracked-pool.ts';

/** A folder with pool.json, share.json and factory.json: see record-two-coin-exchanges.ts. */
const FOLDER = process.env.BRAID_CURVE_CONTRACTS ?? '';
const SWAPS = 60;
const ONE = 10n ** 18n;
const DAY = 86_400n;
const ME = '0x00000000000000000000000000000000000000aa';
const POOL = parseAbi([
  'function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy)',
  'function add_liquidity(uint256[2] amounts, uint256 least)',
  'function ramp_A_gamma(uint256 future_A, uint256 future_gamma, uint256 future_time)',
]);
/** The place of WETH9's mapping. */
const WRAPPED_BALANCES = 3n;
/** Multicall3's answer, and no more of it: what an account has of the native token. */
const NATIVE_TELLER = '0xca11bde05977b3631167028862be2a173976ca11';
const TELLS_BALANCE = '0x600435315f5260205ff3';
/** An even pool of a stable coin and one worth 2,000 of it, as Curve's own pools of the kind are made. */
const NEW_POOL = [400_000n, 145_000_000_000_000n, 26_000_000n, 45_000_000n, 2_000_000_000_000n, 230_000_000_000_000n, 146_000_000_000_000n] as const;
const [ADMIN_FEE, HALF_TIME, PRICE] = [5_000_000_000n, 600n, 2_000n * ONE];
const DEPTHS = [2_000_000n * ONE, 1_000n * ONE] as const;

describe('following pools of two coins of their own factory', function define() {
  this.timeout(300_000);
  let oracle: OracleChain;
  let chain: BareChain;
  let factory: Hex;
  let wrapped: Address;
  const contracts = () => ({
    pool: compiledVyper(join(FOLDER, 'pool.json')),
    share: compiledVyper(join(FOLDER, 'share.json')),
    factory: compiledVyper(join(FOLDER, 'factory.json')),
  });

  before(async function start() {
    if (FOLDER === '' || !existsSync(join(FOLDER, 'factory.json'))) {
      console.log('      no BRAID_CURVE_CONTRACTS: the contracts of the factory are compiled outside the project');
      this.skip();
    }
    oracle = await startOracleChain();
    chain = openBareChain(oracle.url);
    wrapped = asAddress(await oracle.deploy([], creationCode(WRAPPED_NATIVE_PLACE), []));
    const { pool, share, factory: maker } = contracts();
    const [pools, shares] = [await oracle.deploy(pool.abi, pool.bytecode, [wrapped]), await oracle.deploy(share.abi, share.bytecode, [])];
    factory = await oracle.deploy(maker.abi, maker.bytecode, [ME, pools, shares, shares, wrapped]);
    const mine = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [ME, WRAPPED_BALANCES]));
    await chain.write([
      { address: NATIVE_TELLER, code: TELLS_BALANCE },
      { address: wrapped, stateDiff: [{ slot: mine, value: numberToHex(1n << 90n, { size: 32 }) }] },
    ]);
    await createTestClient({ mode: 'anvil', chain: foundry, transport: http(oracle.url) }).setBalance({ address: wrapped, value: 1n << 90n });
  });
  after(async () => {
    await oracle?.stop();
  });

  const momentNow = async (): Promise<QuoteMoment> => momentOf({ number: 1, timestamp: Number((await chain.head()).timestamp) as EpochSeconds });
  const load = async (pool: DiscoveredPool): Promise<CryptoState | null> =>
    (await track.load([pool], chain.readAt((await chain.head()).number), await momentNow()))[0] ?? null;
  const swap = async (pool: DiscoveredPool, slot: number, amount: bigint): Promise<void> => {
    await chain.send(ME, pool.address, encodeFunctionData({ abi: POOL, functionName: 'exchange', args: [BigInt(slot), BigInt(1 - slot), amount, 0n] }));
  };

  const tokenOf18 = async (): Promise<Address> => {
    const { StandardToken } = await compileSolidity('contracts/devnet/tokens');
    if (StandardToken === undefined) throw new Error('StandardToken is not among the compiled contracts');
    const token = await oracle.deploy(StandardToken.abi, StandardToken.bytecode, ['A token', 'TOKEN', 18]);
    await oracle.send(token, StandardToken.abi, 'mint', [[ME], 1n << 120n]);
    return asAddress(token);
  };

  /** Makes the pool by its factory, fills it, and gives what the tracker makes of the log. */
  async function madePool(coins: readonly [Address, Address]): Promise<DiscoveredPool> {
    const args = ['a pool', 'POOL', coins, ...NEW_POOL, ADMIN_FEE, HALF_TIME, PRICE];
    const data = encodeFunctionData({ abi: contracts().factory.abi, functionName: 'deploy_pool', args });
    const { block, logs } = await chain.send(ME, factory, data);
    const deployment = { venue: 'curve_crypto', family: 'curve_crypto', factory: asAddress(factory), fromBlock: 0 };
    const announced = logs.flatMap((log) => track.discover(deployment, log, { chainId: 31_337, wrappedNative: wrapped }) ?? []);
    expect(announced).to.have.lengthOf(1);
    const [announcement] = announced as readonly PoolAnnouncement[];
    if (announcement === undefined) throw new Error('the factory announces no pool');
    const [described] = (await track.describe?.([{ announcement, deployment }], chain.readAt(block), () => false)) ?? [];
    const [pool] = (described ?? []) as readonly DiscoveredPool[];
    if (pool === undefined) throw new Error('the pool is not described');
    expect(pool.tokens).to.deep.equal(coins);
    for (const coin of coins) await chain.send(ME, coin, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [pool.address, 1n << 255n] }));
    await chain.send(ME, pool.address, encodeFunctionData({ abi: POOL, functionName: 'add_liquidity', args: [[...DEPTHS], 0n] }));
    return pool;
  }

  /** Of the first coin, which the pool counts when it claims the next time. */
  async function gift(pool: DiscoveredPool, state: CryptoPool): Promise<CryptoPool> {
    const [first] = pool.tokens;
    if (state.claim === null || first === undefined) throw new Error('a pool of two coins may claim');
    const value = (state.balances[0] ?? 0n) / 10_000n;
    await chain.send(ME, first, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pool.address, value] }));
    return { ...state, claim: { ...state.claim, held: state.claim.held.with(0, (state.claim.held[0] ?? 0n) + value) } };
  }

  async function follow(pool: DiscoveredPool): Promise<{ readonly steps: number; readonly claims: number }> {
    const random = seededRandom('tracking-curve-crypto-two');
    const read = await load(pool);
    if (read === null) throw new Error('the pool is not routable');
    let state: CryptoPool = read.possible[0];
    let [steps, claims] = [0, 0];
    for (let done = 0; done < SWAPS; done++) {
      const slot = random.integer(0, 1);
      const amount = (state.balances[slot] ?? 0n) / (10n + random.logUniform(1_000n));
      await chain.passTime(random.integer(1, 900));
      if (done % 5 === 4) state = await gift(pool, state);
      await swap(pool, slot, amount);
      const next = exchange(state, slot, 1 - slot, amount, await momentNow());
      if (next === null) throw new Error(`exchange ${done} is refused by the mathematics alone`);
      if (next.next.priceScale[0] !== state.priceScale[0]) steps++;
      if (next.next.shares !== state.shares) claims++;
      state = next.next;
      // Time passes before it is read too: the average that it keeps is not that of the block.
      await chain.passTime(random.integer(1, 900));
      expect(await load(pool), `BRAID_SEED=${SEED} after exchange ${done}`).to.deep.equal(eitherWay(state));
    }
    return { steps, claims };
  }

  it(`reads after each of ${SWAPS} exchanges the state that the mathematics leave, of two tokens and of one and the wrapped native token`, async () => {
    const tokens = [await tokenOf18(), await tokenOf18()] as const;
    const plain = await follow(await madePool(tokens));
    expect(plain.steps).to.be.greaterThan(0);
    expect(plain.claims).to.be.greaterThan(0);
    const native = await follow(await madePool([tokens[0], wrapped]));
    expect(native.steps).to.be.greaterThan(0);
  });

  it('knows the ramp of its parameters, and prices an exchange on its way and the two after its end', async () => {
    const pool = await madePool([await tokenOf18(), await tokenOf18()]);
    const before = await load(pool);
    const ends = (await chain.head()).timestamp + 3n * DAY;
    await oracle.send(pool.address, POOL, 'ramp_A_gamma', [3n * NEW_POOL[0], NEW_POOL[1] / 4n, ends]);
    let state = (await load(pool))?.possible[0];
    expect([state?.rampEndsAt, state?.to, state?.from]).to.deep.equal([
      ends,
      { amplification: 3n * NEW_POOL[0], gamma: NEW_POOL[1] / 4n },
      before?.possible[0].to,
    ]);
    for (const waits of [Number(DAY), Number(3n * DAY), 60]) {
      await chain.passTime(waits);
      if (state === undefined) throw new Error('the pool is not routable');
      expect(await load(pool)).to.deep.equal(eitherWay(state));
      const amount = (state.balances[1] ?? 0n) / 30n;
      await swap(pool, 1, amount);
      state = exchange(state, 1, 0, amount, await momentNow())?.next;
    }
    if (state === undefined) throw new Error('an exchange is refused by the mathematics alone');
    expect(await load(pool)).to.deep.equal(eitherWay(state));
    expect(state.rampEndsAt).to.equal(0n);
  });
});

/** As it is read: whether it is on its way to its average price no view tells. */
function eitherWay(pool: CryptoPool): CryptoState {
  return {
    possible: [
      { ...pool, adjusting: false },
      { ...pool, adjusting: true },
    ],
  };
}
