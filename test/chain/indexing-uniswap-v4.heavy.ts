import { expect } from 'chai';
import type { DevnetPool } from '../../src/devnet/devnet.ts';
import { createRandom } from '../../src/random.ts';
import { type PoolView, WordReader } from '../../src/snapshot/snapshot.ts';
import { NATIVE_TOKEN } from '../../src/units/units.ts';
import { state } from '../../src/venues/uniswap_v4/state.ts';
import { useDevnet } from '../support/devnet.ts';
import { SEED } from '../support/seeded-random.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { openUniswapV4Activity, type UniswapV4Activity } from './indexing/uniswap-v4-activity.ts';
import { type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS = process.env.BRAID_SCALE === 'full' ? 500 : 10;

describe('following pools of Uniswap V4', function suite() {
  this.timeout(process.env.BRAID_SCALE === 'full' ? 1_800_000 : 180_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let v4: UniswapV4Activity;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), random);
    v4 = await openUniswapV4Activity(devnet.current(), activity, random);
    indexed = await openIndexed(devnet.current());
    await indexed.reach(await head());
  });
  after(() => indexed?.close());

  const head = async () => (await activity.client.getBlock({ blockTag: 'latest' })).hash;

  function found(key: string): (Pick<PoolView, 'words' | 'source' | 'hook'> & { readonly tokens: readonly string[] }) | null {
    return indexed.look((view) => {
      for (let id = 0; id < view.poolCount; id++) {
        const pool = view.pool(id);
        if (pool?.key === key)
          return { words: pool.words.slice(), source: pool.source, hook: pool.hook, tokens: pool.tokens.map((token) => view.token(token).address) };
      }
      return null;
    });
  }

  /** A pool of the snapshot has the state that the manager has, read by another contract's code. */
  async function expectManager(pool: DevnetPool): Promise<void> {
    const known = found(pool.key);
    if (known === null) throw new Error(`the pool ${pool.key} is not there`);
    const ours = state.unpack(new WordReader(known.words));
    const { sqrtPriceX96, tick, liquidity, protocolFee, lpFee, ticks, imposed } = await v4.stateOf(pool);
    const { pool: own, ...rest } = ours;
    const told = {
      sqrtPriceX96: own.sqrtPriceX96,
      tick: own.tick,
      liquidity: own.liquidity,
      lpFee: own.feePpm,
      protocolFee: rest.protocolFee,
      parameters: rest.parameters,
    };
    expect(told, pool.key).to.deep.equal({ sqrtPriceX96, tick, liquidity, lpFee, protocolFee, parameters: imposed });
    const table = [...own.ticks.indices].map((index, at) => ({ tick: index, net: own.ticks.liquidityNet[at] }));
    expect(table, pool.key).to.deep.equal(ticks.map(({ tick: index, net }) => ({ tick: index, net })));
  }

  it('finds plain pools and those of known hooks under their labels, native pools by the wrapped token, and not the hostile one', async () => {
    const { wrappedNative } = devnet.current();
    const sources = new Map<string, number>();
    for (const pool of v4.pools) {
      const known = found(pool.key);
      if (known === null) throw new Error(`the pool ${pool.key} is not there`);
      sources.set(known.source, (sources.get(known.source) ?? 0) + 1);
      expect(known.hook === null, known.source).to.equal(known.source === 'uniswap_v4');
      expect(known.tokens).to.deep.equal(pool.tokens.map((token) => (token === NATIVE_TOKEN ? wrappedNative : token)));
      const native = state.traits?.(state.unpack(new WordReader(known.words))).nativeSlot;
      expect(native).to.equal(pool.tokens[0] === NATIVE_TOKEN ? 0 : undefined);
      await expectManager(pool);
    }
    expect([...sources.keys()].sort()).to.deep.equal(['uniswap_v4', 'uniswap_v4:dynamic_fee', 'uniswap_v4:output_fee', 'uniswap_v4:passive']);
    const hostile = devnet.current().contract('hostileHook');
    const routed = indexed.look((view) => Array.from({ length: view.poolCount }, (_, id) => view.pool(id)?.hook));
    expect(routed).to.not.include(hostile);
  });

  it(`has the manager's state after each of ${OPERATIONS} swaps, changes of liquidity, donations and changes of fees`, async () => {
    const operations = [v4.swap, v4.swap, v4.changeLiquidity, v4.changeLiquidity, v4.donate, v4.setProtocolFee, v4.setDynamicFee, v4.newPool];
    for (let done = 0; done < OPERATIONS; done++) {
      await operations[Math.floor(random() * operations.length)]?.();
      await indexed.reach(await head());
      for (const pool of v4.pools) await expectManager(pool);
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  });

  it('learns of what a hook imposes and of what it has the manager store, which no log tells, in the next block', async () => {
    for (let done = 0; done < 6; done++) {
      await v4.setDynamicFee();
      await indexed.reach(await head());
      for (const pool of v4.pools.filter(({ key }) => found(key)?.source === 'uniswap_v4:dynamic_fee')) await expectManager(pool);
    }
  });
});
