import { createRequire } from 'node:module';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { createRandom } from '../../src/random.ts';
import type { PoolView, SnapshotView } from '../../src/snapshot/snapshot.ts';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { state as v2 } from '../../src/venues/uniswap_v2/state.ts';
import { state as v3 } from '../../src/venues/uniswap_v3/state.ts';
import { loadIndexerVenues } from '../../src/venues/venues.ts';
import { useDevnet } from '../support/devnet.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { seedOr } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { type Activity, openActivity, POOL } from './indexing/activity.ts';
import { readTicks } from './indexing/tick-oracle.ts';
import { countOf, type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const FULL = process.env.BRAID_SCALE === 'full';
const BLOCKS = FULL ? 200 : 10;
const REORGS = FULL ? 20 : 3;
const TICK_LENS = asAddress('0x00000000000000000000000000000000000005e5');
const TICK_LENS_CODE: string = createRequire(import.meta.url)('@uniswap/v3-periphery/artifacts/contracts/lens/TickLens.sol/TickLens.json').deployedBytecode;
const SEED = seedOr(7);

describe(`indexing a chain (seed ${SEED})`, function suite() {
  this.timeout(FULL ? 900_000 : 300_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600 });
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), random);
    indexed = await openIndexed(devnet.current());
  });
  after(() => indexed?.close());

  const head = async (): Promise<`0x${string}`> => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  const catchUp = async (): Promise<void> => indexed.reach(await head());
  const expectRebuilt = async (): Promise<void> => {
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  };

  it('publishes every routable pool of the factories, with the state that the contracts hold', async () => {
    await catchUp();
    const routable = devnet
      .current()
      .pools.filter(({ liquidityUsd }) => liquidityUsd > 0)
      .map(({ key }) => key);
    expect(indexed.look((view) => poolsOf(view).map(({ key }) => key)).sort()).to.deep.equal([...routable].sort());
    await expectContracts(indexed, activity);
  });

  it('knows the decimals that tokens tell, and that some do not tell', async () => {
    for (const { address, decimals } of devnet.current().tokens) {
      const facts = indexed.look((view) => view.token(view.tokenId(address)));
      expect(facts.decimals, address).to.equal(decimals);
    }
    expect(devnet.current().tokens.some(({ decimals }) => decimals === null)).to.equal(true);
  });

  it(`equals a rebuild from the chain after ${BLOCKS} blocks of trades, positions and new pools`, async () => {
    for (let block = 0; block < BLOCKS; block++) {
      await activity.mine([...(await activity.trades(6)), ...(block % 5 === 0 ? await activity.newV3Pool() : [])]);
      await catchUp();
    }
    expect(countOf(indexed.reports, 'published')).to.be.at.least(BLOCKS);
    expect(indexed.reports.filter((report) => report.kind === 'logs').reduce((sum, { count }) => sum + count, 0)).to.be.greaterThan(BLOCKS);
    expect(countOf(indexed.reports, 'audit-mismatch')).to.equal(0);
    await expectRebuilt();
    await expectContracts(indexed, activity);
  });

  it('keeps a tick whose net is 0 while positions refer to it, and counts liquidity at both ends of a range as the contract does', async () => {
    const { pool, tick } = await activity.meetingPositions();
    await catchUp();
    const state = indexed.look((view) => v3.unpack(new WordReader(poolsOf(view).find(({ key }) => key === pool)?.words ?? new BigUint64Array())));
    expect(state.ticks.liquidityNet[state.ticks.indices.indexOf(tick)]).to.equal(0n);
    await expectRebuilt();
    await expectContracts(indexed, activity);
  });

  it(`equals a rebuild after each of ${REORGS} reorgs to other transactions`, async () => {
    for (let round = 0; round < REORGS; round++) {
      const depth = [1, 2, 7][round % 3] as number;
      const before = indexed.hash();
      const snapshot = await activity.request('evm_snapshot');
      for (let block = 0; block < depth; block++) await activity.mine([...(await activity.trades(4)), ...(block === 0 ? await activity.newV3Pool() : [])]);
      await catchUp();
      expect(indexed.hash()).not.to.equal(before);
      await activity.request('evm_revert', snapshot);
      for (let block = 0; block <= depth; block++) await activity.mine(await activity.trades(3));
      await catchUp();
      expect(indexed.reports.findLast((report) => report.kind === 'reorg')).to.deep.include({ depth });
      await expectRebuilt();
    }
  });

  for (const depth of [1, 2, 7]) {
    it(`follows a node that reorganises ${depth} deep by itself (A11)`, async () => {
      for (let block = 0; block < depth; block++) await activity.mine(await activity.trades(3));
      await catchUp();
      const before = indexed.hash();
      const replacements = (await activity.trades(2)).map((transaction) => [
        { from: devnet.current().accounts[0]?.address, ...transaction, gas: '0x5b8d80' },
        0,
      ]);
      await activity.request('anvil_reorg', depth, replacements);
      await catchUp();
      expect(indexed.hash()).not.to.equal(before);
      expect(indexed.reports.findLast((report) => report.kind === 'reorg')).to.deep.include({ depth });
      await expectRebuilt();
    });
  }

  it('goes back exactly when the chain is set back and stands still (evm_revert)', async () => {
    const before = indexed.hash();
    const old = await head();
    const snapshot = await activity.request('evm_snapshot');
    for (let block = 0; block < 3; block++) await activity.mine(await activity.trades(5));
    await catchUp();
    expect(indexed.hash()).not.to.equal(before);
    await activity.request('evm_revert', snapshot);
    await indexed.reach(old);
    expect(indexed.hash()).to.equal(before);
  });

  it('forgets a pool, its edges and the last pool’s label when the block that created it is gone', async () => {
    const snapshot = await activity.request('evm_snapshot');
    const known = indexed.look((view) => poolsOf(view).length);
    await activity.mine([...(await activity.newV2Pair('sushiswap')), ...(await activity.newV3Pool())]);
    await catchUp();
    expect(indexed.look((view) => poolsOf(view).length)).to.equal(known + 2);
    await activity.request('evm_revert', snapshot);
    await activity.mine();
    await catchUp();
    expect(indexed.look((view) => poolsOf(view).length)).to.equal(known);
    await expectRebuilt();
  });

  it('rebuilds from the chain when a reorg is deeper than its journal', async () => {
    const late = await openIndexed(devnet.current(), { startDepthBlocks: 2 });
    try {
      const snapshot = await activity.request('evm_snapshot');
      await activity.mine(await activity.trades(3));
      await activity.mine(await activity.trades(3));
      await activity.mine(await activity.trades(3));
      await activity.mine(await activity.trades(3));
      await late.reach(await head());
      await activity.request('evm_revert', snapshot);
      for (let block = 0; block < 5; block++) await activity.mine(await activity.trades(3));
      await late.reach(await head());
      expect(late.reports.filter((report) => report.kind === 'log' && report.message.startsWith('reading the chain'))).to.have.length(2);
      expect(late.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
      await catchUp();
    } finally {
      await late.close();
    }
  });

  it('catches up over a gap of blocks in one epoch, and says how many', async () => {
    for (let block = 0; block < 40; block++) await activity.mine(block % 20 === 0 ? await activity.trades(3) : []);
    const published = countOf(indexed.reports, 'published');
    await catchUp();
    expect(countOf(indexed.reports, 'published')).to.equal(published + 1);
    expect(indexed.reports.findLast((report) => report.kind === 'backfilled')).to.deep.include({ blocks: 39 });
    await expectRebuilt();
  });

  it('ignores and counts logs of an address that no factory announced', async () => {
    const sync = '1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1';
    // PUSH32 topic, PUSH1 64, PUSH1 0, LOG1, then an empty contract.
    await activity.mine([{ data: `0x7f${sync}60406000a160006000f3` }]);
    const pools = indexed.look((view) => poolsOf(view).length);
    await catchUp();
    expect(indexed.reports.findLast((report) => report.kind === 'ignored')).to.deep.include({ what: 'unknown-emitter', count: 1 });
    expect(indexed.look((view) => poolsOf(view).length)).to.equal(pools);
  });

  it('reads pools again at each block where their venue says that logs do not tell everything', async () => {
    const venues = new Map(await loadIndexerVenues());
    const pairs = venues.get('uniswap_v2');
    if (pairs === undefined) throw new Error('no V2 venue');
    venues.set('uniswap_v2', { ...pairs, track: { ...pairs.track, rereading: () => ({ kind: 'each-block' }) } });
    const reading = await openIndexed(devnet.current(), { venues });
    const snapshot = await activity.request('evm_snapshot');
    try {
      await reading.reach(await head());
      const [pool] = devnet.current().pools.filter(({ family, liquidityUsd }) => family === 'sushiswap_v2' && liquidityUsd > 0);
      if (pool === undefined) throw new Error('the devnet has no V2 pool');
      await halveReserves(activity, pool.address);
      await activity.mine();
      await reading.reach(await head());
      await reading.follower.settled();
      expect(countOf(reading.reports, 'audit-mismatch')).to.equal(0);
      await expectContracts(reading, activity);
    } finally {
      await reading.close();
      await activity.request('evm_revert', snapshot);
      await activity.mine();
      await catchUp();
    }
  });

  it('leaves out a pool and a token that the node could not be asked about, asks again, and has them when it answers', async () => {
    const proxy = await startRpcProxy(() => devnet.current().rpcUrl);
    const [pool] = devnet.current().pools.filter(({ family, liquidityUsd }) => family === 'uniswap_v3' && liquidityUsd > 0);
    if (pool === undefined) throw new Error('the devnet has no pool');
    // A token that no venue asks about for its own pools' sake.
    const token = devnet.current().tokens.find(({ address, symbol }) => !pool.tokens.includes(address) && symbol === 'NEAR');
    if (token === undefined) throw new Error('the devnet has no other token');
    const silent = new Set<string>([pool.address, token.address]);
    // A node that fails inside: an error of its own, and nothing that a contract did.
    proxy.setRule(async (call, forward) => {
      const touched = call.method === 'eth_call' && [...silent].some((address) => JSON.stringify(call.params).includes(address.slice(2)));
      return { json: touched ? { jsonrpc: '2.0', id: (await forward()).id, error: { code: -32603, message: 'internal error' } } : await forward() };
    });
    const late = await openIndexed(devnet.current(), { rpcUrls: [proxy.url], startDepthBlocks: 0 });
    const has = () => late.look((view) => poolsOf(view).some(({ key }) => key === pool.address));
    const trades = () => late.look((view) => poolsOf(view).some(({ tokens }) => tokens.includes(view.tokenId(token.address))));
    try {
      await late.reach(await head());
      expect([has(), trades()]).to.deep.equal([false, false]);
      expect(late.look((view) => poolsOf(view).length)).to.be.greaterThan(0);
      expect(late.reports.find((report) => report.kind === 'ignored')).to.deep.include({ what: 'unanswered', count: 2 });
      silent.clear();
      await activity.mine();
      await late.reach(await head());
      // What was refused is asked about again after a pause of its own, with or without a block.
      const isThere = async (): Promise<boolean> => {
        await late.follower.step();
        return has() && trades();
      };
      expect(await until(isThere, 2 * LIMITS.indexing.askAgainMs.longest)).to.equal(true);
      await catchUp();
      expect(late.hash()).to.equal(indexed.hash());
    } finally {
      await late.close();
      await proxy.stop();
    }
  });

  it('takes a label and a pool that are switched off out of the snapshot at once, keeps them out, and brings them back as they are on the chain', async () => {
    await catchUp();
    const whole = indexed.look(poolsOf).map(({ key }) => key);
    const [pool] = indexed.look(poolsOf).filter(({ source }) => source === 'uniswap_v3');
    if (pool === undefined) throw new Error('the devnet has no V3 pool');
    const left = indexed
      .look(poolsOf)
      .filter(({ key, source }) => key !== pool.key && source !== 'uniswap_v2')
      .map(({ key }) => key);
    const labels = () => indexed.reports.findLast((report) => report.kind === 'published')?.labels;
    const all = labels() ?? [];
    expect(all).to.include.members(['aerodrome', 'sushiswap_v2', 'uniswap_v2', 'uniswap_v3']);
    const now = () =>
      indexed
        .look(poolsOf)
        .map(({ key }) => key)
        .sort();
    indexed.follower.switchOff({ venues: ['uniswap_v2'], pools: [pool.key] });
    // No step in between: the node may be the reason.
    expect(now()).to.deep.equal([...left].sort());
    expect(labels()).to.deep.equal(all.filter((label) => label !== 'uniswap_v2'));
    await activity.mine(await activity.trades(8));
    await catchUp();
    expect(now()).to.deep.equal([...left].sort());
    indexed.follower.switchOff({ venues: [], pools: [] });
    await activity.mine();
    await catchUp();
    expect(now()).to.deep.equal([...whole].sort());
    expect(labels()).to.deep.equal(all);
    await expectRebuilt();
  });

  it('finds a pool that its logs did not tell of, leaves it out, reads it again and counts it', async () => {
    const [pool] = devnet.current().pools.filter(({ family, liquidityUsd }) => family === 'uniswap_v2' && liquidityUsd > 0);
    if (pool === undefined) throw new Error('the devnet has no V2 pool');
    await halveReserves(activity, pool.address);
    const followed = Object.values(indexed.reports.findLast((report) => report.kind === 'followed')?.pools ?? {}).reduce((sum, count) => sum + count, 0);
    // What is under way may have come to it already, and the next one may come to it last.
    const rounds = 2 * Math.ceil(followed / LIMITS.indexing.auditOthers.perBlock) + 2;
    for (let round = 0; round < rounds && countOf(indexed.reports, 'audit-mismatch') === 0; round++) {
      await activity.mine();
      await catchUp();
      await indexed.follower.settled();
    }
    expect(indexed.reports.find((report) => report.kind === 'audit-mismatch')).to.deep.include({ venue: 'uniswap_v2', count: 1 });
    await activity.mine();
    await catchUp();
    await expectRebuilt();
    await expectContracts(indexed, activity);
  });
});

/** Changes a pair behind the logs' back: its slot 8 packs both reserves and the time. */
async function halveReserves(activity: Activity, pair: Address): Promise<void> {
  const reserves = BigInt((await activity.request('eth_getStorageAt', pair, '0x8', 'latest')) as `0x${string}`);
  const mask = (1n << 112n) - 1n;
  const halved = ((reserves >> 224n) << 224n) | ((((reserves >> 112n) & mask) / 2n) << 112n) | ((reserves & mask) / 2n);
  await activity.request('anvil_setStorageAt', pair, '0x8', `0x${halved.toString(16).padStart(64, '0')}`);
}

function poolsOf(view: SnapshotView): readonly PoolView[] {
  return Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).filter((pool) => pool !== undefined);
}

/** Compares every pool of Uniswap's in the published epoch with what its contract says at that block, asked through viem and Uniswap's own TickLens. */
async function expectContracts(indexed: Indexed, { client, request }: Activity): Promise<void> {
  const { pools, blockNumber } = indexed.look((view) => ({
    blockNumber: BigInt(view.block.number),
    pools: poolsOf(view).map(({ address, venue, legFacts, words }) => ({ address, venue, legFacts, words: words.slice() })),
  }));
  await request('anvil_setCode', TICK_LENS, TICK_LENS_CODE);
  for (const { address, venue, legFacts, words } of pools) {
    if (venue === 'uniswap_v2') {
      const state = v2.unpack(new WordReader(words));
      const [reserve0, reserve1] = await client.readContract({ address, abi: POOL, functionName: 'getReserves', blockNumber });
      expect(state, address).to.deep.include({ reserve0, reserve1 });
    } else if (venue === 'uniswap_v3') {
      const state = v3.unpack(new WordReader(words));
      const [[sqrtPriceX96, tick], liquidity, tickSpacing, feePpm] = await Promise.all([
        client.readContract({ address, abi: POOL, functionName: 'slot0', blockNumber }),
        client.readContract({ address, abi: POOL, functionName: 'liquidity', blockNumber }),
        client.readContract({ address, abi: POOL, functionName: 'tickSpacing', blockNumber }),
        client.readContract({ address, abi: POOL, functionName: 'fee', blockNumber }),
      ]);
      expect(legFacts, address).to.deep.equal({ tickSpacing, feePpm });
      expect(state, address).to.deep.include({ sqrtPriceX96, tick, liquidity, tickSpacing, feePpm });
      const ticks = [...state.ticks.indices].map((index, at) => ({ tick: index, liquidityNet: state.ticks.liquidityNet[at] }));
      expect(ticks, address).to.deep.equal(await readTicks(client, TICK_LENS, address, tickSpacing, [...state.ticks.indices]));
    }
  }
}
