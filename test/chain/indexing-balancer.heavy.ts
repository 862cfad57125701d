import { expect } from 'chai';
import type { DevnetPool } from '../../src/devnet/devnet.ts';
import { createRandom } from '../../src/random.ts';
import { type PoolView, WordReader } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { loadSolverVenues, momentOf, type SolverVenues } from '../../src/venues/venues.ts';
import { useDevnet } from '../support/devnet.ts';
import { SEED } from '../support/seeded-random.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { type BalancerActivity, contractOf, openBalancerActivity } from './indexing/balancer-activity.ts';
import { countOf, type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS = process.env.BRAID_SCALE === 'full' ? 1000 : 8;
const QUOTES_PER_POOL = 2;
const ONE = 10n ** 18n;

describe('following pools of Balancer’s vault', function suite() {
  this.timeout(process.env.BRAID_SCALE === 'full' ? 3_600_000 : 240_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let balancer: BalancerActivity;
  let indexed: Indexed;
  let venues: SolverVenues;

  before(async () => {
    venues = await loadSolverVenues();
    activity = await openActivity(devnet.current(), random);
    balancer = await openBalancerActivity(devnet.current(), activity, random);
    indexed = await openIndexed(devnet.current());
  });
  after(() => indexed?.close());

  const head = () => activity.client.getBlock({ blockTag: 'latest' });
  const below = (bound: number): number => Math.floor(random() * bound);
  const any = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const later = async (seconds: number): Promise<void> => {
    await activity.request('evm_increaseTime', seconds);
    await activity.mine();
  };

  const coin = (name: string): Address => devnet.current().tokens.find(({ symbol }) => symbol === name)?.address as Address;

  function find(key: string): { readonly pool: PoolView; readonly tokens: readonly Address[] } | null {
    return indexed.look((view) => {
      for (let id = 0; id < view.poolCount; id++) {
        const pool = view.pool(id);
        if (pool?.key === key) return { pool, tokens: pool.tokens.map((token) => view.token(token).address) };
      }
      return null;
    });
  }

  /** What our mathematics give for the published state at the head's time; null where it refuses, or the pool is absent. */
  function ourQuote({ key }: DevnetPool, tokenIn: Address, tokenOut: Address, amountIn: bigint, block: { number: bigint; timestamp: bigint }): bigint | null {
    const found = find(key);
    if (found === null) return null;
    const venue = venues.get(found.pool.venue);
    if (venue === undefined) throw new Error(`no venue ${found.pool.venue}`);
    const at = momentOf({ number: Number(block.number), timestamp: Number(block.timestamp) as EpochSeconds });
    const [slotIn, slotOut] = [found.tokens.indexOf(tokenIn), found.tokens.indexOf(tokenOut)];
    const quote = venue.price.exactIn(venue.state.unpack(new WordReader(found.pool.words)), slotIn, slotOut, amountIn, at);
    return quote.ok ? quote.amountOut : null;
  }

  /** Random swaps through every pool give at the head what the vault says they do; a pool that is absent is one that gives nothing. */
  async function expectContracts(pools: readonly DevnetPool[] = balancer.pools): Promise<number> {
    const block = await head();
    await indexed.reach(block.hash);
    let filled = 0;
    for (const pool of pools) {
      for (let i = 0; i < QUOTES_PER_POOL; i++) {
        const tokenIn = any(pool.tokens);
        const tokenOut = any(pool.tokens.filter((token) => token !== tokenIn));
        const balance = await activity.client.readContract({ address: tokenIn, abi: BALANCE, functionName: 'balanceOf', args: [pool.address] });
        const amountIn = balance / BigInt(3 + below(10 ** (1 + below(8)))) + 1n;
        const theirs = await balancer.quote(pool, tokenIn, tokenOut, amountIn, block.number);
        const ours = ourQuote(pool, tokenIn, tokenOut, amountIn, block);
        // The vault counts nothing out as an answer; no route takes it.
        expect(ours, `BRAID_SEED=${SEED} ${pool.key} ${tokenIn} ${tokenOut} ${amountIn} at ${block.number}`).to.equal(theirs === 0n ? null : theirs);
        if (ours !== null) filled++;
      }
    }
    return filled;
  }

  it(`gives the vault's own amounts after each of ${OPERATIONS} swaps, joins, exits, swaps of pool tokens, donations and changes of fees`, async () => {
    const { swap, add, remove, swapPoolToken, donate, setFee } = balancer;
    const operations = [swap, swap, add, add, remove, swapPoolToken, donate, () => setFee(any(balancer.pools), 10n ** 12n * BigInt(1 + below(5000)))];
    expect(await expectContracts()).to.be.greaterThan(balancer.pools.length);
    for (let done = 0; done < OPERATIONS; done++) {
      await any(operations)();
      await expectContracts();
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), (await head()).hash));
    expect(countOf(indexed.reports, 'audit-mismatch')).to.equal(0);
  });

  it('follows a ramp of the amplification by the time of each block, until it ends or is stopped', async () => {
    const pool = balancer.stable[0] as DevnetPool;
    const [usdc, other] = [pool.tokens.find((token) => token === coin('USDC')), pool.tokens.find((token) => token !== coin('USDC'))] as [Address, Address];
    const quote = async () => ourQuote(pool, usdc, other, 10n ** 12n, await head());
    await balancer.startRamp(pool, 380n);
    const seen = new Set<bigint | null>();
    for (const hours of [0, 1, 11, 24, 13]) {
      await later(hours * 3600);
      expect(await expectContracts([pool])).to.be.greaterThan(0);
      seen.add(await quote());
    }
    expect(seen.size).to.equal(5);
    await balancer.startRamp(pool, 200n);
    await later(9 * 3600);
    await expectContracts([pool]);
    await balancer.stopRamp(pool);
    await later(40 * 3600);
    expect(await expectContracts([pool])).to.be.greaterThan(0);
  });

  it('goes by a rate that a pool remembers until it expires, then by what the provider says, whether that jumps, lies or is nothing', async () => {
    const rated = balancer.stable.filter(({ tokens }) => tokens.includes(coin('SDAI')));
    expect(rated).to.have.length(2);
    for (const pool of rated) await balancer.updateRate(pool);
    for (const [rate, silent] of [
      [(12n * ONE) / 10n, false],
      [(9n * ONE) / 10n, false],
      [40n * ONE, false],
      [ONE, true],
      [0n, false],
      [1n << 97n, false],
      [(1n << 256n) - 1n, false],
      [(11n * ONE) / 10n, false],
    ] as const) {
      await balancer.setRate(rate, silent);
      expect(await expectContracts(rated), `${rate}, remembered`).to.be.greaterThan(0);
      await later(700);
      const filled = await expectContracts(rated);
      if (silent || rate === 0n || rate >> 96n > 0n) expect(filled, `${rate}, asked`).to.equal(0);
      // Remembered again where it can be; where not, what was remembered is brought back for the next one.
      if (filled === 0) await balancer.setRate(ONE, false);
      for (const pool of rated) await balancer.updateRate(pool);
    }
  });

  it('drops a pool that is paused, and all while the vault is; both come back, also where the pause ends with its window and no log tells', async () => {
    const [weighted, stable] = [balancer.pools[0], balancer.stable[0]] as [DevnetPool, DevnetPool];
    for (const pool of [weighted, stable]) {
      await balancer.setPoolPaused(pool, true);
      expect(await expectContracts([pool])).to.equal(0);
      await balancer.setPoolPaused(pool, false);
      expect(await expectContracts([pool])).to.be.greaterThan(0);
    }
    await balancer.setVaultPaused(true);
    await indexed.reach((await head()).hash);
    expect(balancer.pools.map(({ key }) => find(key))).to.deep.equal(balancer.pools.map(() => null));
    await balancer.setVaultPaused(false);
    expect(await expectContracts()).to.be.greaterThan(balancer.pools.length);
    for (const pool of [weighted, stable]) await balancer.setPoolPaused(pool, true);
    await indexed.reach((await head()).hash);
    expect([find(weighted.key), find(stable.key)]).to.deep.equal([null, null]);
    const snapshot = await activity.request('evm_snapshot');
    await later(121 * 86_400);
    expect(await expectContracts([weighted, stable])).to.be.greaterThan(0);
    await activity.request('evm_revert', snapshot);
    await activity.mine();
    await indexed.reach((await head()).hash);
    expect([find(weighted.key), find(stable.key)], 'set back').to.deep.equal([null, null]);
    for (const pool of [weighted, stable]) await balancer.setPoolPaused(pool, false);
    await expectContracts();
  });

  it('learns what a new pool is from the chain, has it once it holds anything, and forgets it with its block', async () => {
    const tokens = [...devnet.current().tokens.filter(({ symbol }) => ['UNI', 'LDO'].includes(symbol))].map(({ address }) => address).sort();
    const snapshot = await activity.request('evm_snapshot');
    await balancer.createPool(tokens);
    await indexed.reach((await head()).hash);
    const logs = await activity.client.getLogs({ address: devnet.current().contract('balancerWeightedFactory'), fromBlock: (await head()).number });
    const created = asAddress(`0x${logs[0]?.topics[1]?.slice(-40)}`);
    const poolId = await activity.client.readContract({ address: created, abi: POOL_ID, functionName: 'getPoolId' });
    expect(find(poolId), 'empty').to.equal(null);
    await balancer.joinFirst(poolId, tokens);
    const [one, other] = tokens as [Address, Address];
    const pool: DevnetPool = { ...(balancer.pools[0] as DevnetPool), key: poolId, tokens: [one, other] };
    const block = await head();
    await indexed.reach(block.hash);
    const given = await balancer.quote(pool, one, other, 10n ** 12n, block.number);
    expect(given).to.be.a('bigint');
    expect(ourQuote(pool, one, other, 10n ** 12n, block)).to.equal(given);
    expect(contractOf(pool)).to.equal(created);
    await activity.request('evm_revert', snapshot);
    await activity.mine();
    await indexed.reach((await head()).hash);
    expect(find(poolId)).to.equal(null);
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), (await head()).hash));
  });
});

const BALANCE = [
  { type: 'function', name: 'balanceOf', stateMutability: 'view', inputs: [{ type: 'address', name: 'account' }], outputs: [{ type: 'uint256', name: '' }] },
] as const;
const POOL_ID = [{ type: 'function', name: 'getPoolId', stateMutability: 'view', inputs: [], outputs: [{ type: 'bytes32', name: '' }] }] as const;
