import { expect } from 'chai';
import { encodeAbiParameters, encodePacked, getCreate2Address, keccak256 } from 'viem';
import { venuesOf } from '../../src/chains/chains.ts';
import { createRandom } from '../../src/random.ts';
import { type SnapshotView, WordReader } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import { state as v3 } from '../../src/venues/uniswap_v3/state.ts';
import { useDevnet } from '../support/devnet.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { type Indexed, openIndexed } from './indexing/world.ts';

const BLOCKS = 40;
/** Fewer than blocks, so that the node is not asked for them one by one. */
const MOST_RANGES = 8;
/** Venues whose pools are found by pairs, or that list them themselves. */
const FOUND = ['aerodrome', 'erc4626', 'pancakeswap_v2', 'pancakeswap_v3', 'sushiswap_v2', 'uniswap_v2', 'uniswap_v3', 'uniswap_v4'];

const feeOf = (words: readonly bigint[]): number => v3.unpack(new WordReader(BigUint64Array.from(words))).feePpm;

type Seen = Readonly<Record<string, unknown>>;

describe('a chain whose node gives no ranges of logs', function suite() {
  this.timeout(300_000);
  const handle = useDevnet({ blockTimeSeconds: 86_400 });
  let proxy: RpcProxy;
  let activity: Activity;
  let byLogs: ReadonlyMap<string, Seen>;
  before(async () => {
    proxy = await startRpcProxy(() => handle.current().rpcUrl);
    activity = await openActivity(handle.current(), createRandom(7).unit);
    for (let block = 0; block < BLOCKS; block++) await activity.mine();
    const indexed = await openIndexed(handle.current());
    await indexed.reach(await head());
    byLogs = indexed.look(poolsOf);
    await indexed.close();
  });
  after(() => proxy?.stop());
  const head = async (): Promise<`0x${string}`> => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  const refuseRanges = (code: number, message: string): void =>
    proxy.setRule(async ({ method, params: [filter] }, forward) => {
      const isRange = method === 'eth_getLogs' && (filter as { readonly fromBlock?: string }).fromBlock !== undefined;
      return { json: isRange ? { jsonrpc: '2.0', id: 1, error: { code, message } } : await forward() };
    });
  const tokens = (): readonly Address[] => [handle.current().wrappedNative, ...handle.current().tokens.map(({ address }) => address)];
  const open = (options: Parameters<typeof openIndexed>[1] = {}): Promise<Indexed> =>
    openIndexed(handle.current(), { rpcUrls: [proxy.url], tokens: tokens(), mostLogRanges: MOST_RANGES, ...options });

  /** Without ids of the snapshot, which follow from the order of discovery. */
  function poolsOf(view: SnapshotView): ReadonlyMap<string, Seen> {
    const pools = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).filter((pool) => pool !== undefined);
    return new Map(
      pools.map(({ key, address, hook, protocol, source, venue, tokens: ids, legFacts, words }) => {
        const addresses = ids.map((id) => view.token(id));
        return [
          key,
          { address, hook, protocol, source, venue, tokens: addresses.map((token) => [token.address, token.decimals]), legFacts, words: [...words] },
        ];
      }),
    );
  }

  it('finds every pool of listed tokens that a factory can be asked for, each as the one who read its announcement knows it', async () => {
    refuseRanges(-32600, 'query exceeds max block range 0');
    const indexed = await open();
    try {
      await indexed.reach(await head(), 12);
      const byPairs = indexed.look(poolsOf);
      const expected = [...byLogs].filter(([, { protocol, hook, legFacts }]) => FOUND.includes(String(protocol)) && hook === null && isUsual(legFacts as Seen));
      expect(expected.length).to.be.above(30);
      for (const [key, pool] of expected) expect(byPairs.get(key), `${pool.protocol} ${key}`).to.deep.equal(pool);
      expect(
        [...byPairs.keys()].filter((key) => !byLogs.has(key)),
        'none that is not',
      ).to.deep.equal([]);
      expect(new Set(expected.map(([, { protocol }]) => protocol)).size, 'of all of these').to.equal(FOUND.length);
      const said = indexed.reports.flatMap((report) => (report.kind === 'log' && report.message.includes('no ranges') ? [report.message] : []));
      expect(said).to.have.length(1);
      expect(said[0]).to.include('not those of').and.include('balancer_v2').and.include('curve').and.not.include('uniswap');
      const phases = indexed.reports.flatMap((report) => (report.kind === 'progress' && report.done === report.total ? [report.phase] : []));
      expect(phases).to.include.members(['pairs', 'states']);
    } finally {
      await indexed.close();
    }
  });

  it('has them from the factories where the init code hashes of the catalogue lead to as well', async () => {
    refuseRanges(-32600, 'query exceeds max block range 0');
    const indexed = await open();
    try {
      await indexed.reach(await head(), 12);
      for (const family of ['uniswap_v2', 'uniswap_v3']) {
        const bytecodeHash = venuesOf(1).find((row) => row.family === family)?.pools?.initCodeHash;
        const from = handle.current().deployments.find((deployment) => deployment.family === family)?.factory;
        if (bytecodeHash === undefined || from === undefined) throw new Error(`no ${family}`);
        const found = [...indexed.look(poolsOf).values()].filter(({ protocol }) => protocol === family);
        expect(found.length, family).to.be.above(5);
        for (const { address, tokens: sides, words } of found) {
          const [token0, token1] = (sides as readonly (readonly [Address, unknown])[]).map(([token]) => token) as [Address, Address];
          const salt =
            family === 'uniswap_v2'
              ? encodePacked(['address', 'address'], [token0, token1])
              : encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint24' }], [token0, token1, feeOf(words as readonly bigint[])]);
          expect(getCreate2Address({ from, salt: keccak256(salt), bytecodeHash }).toLowerCase()).to.equal(address);
        }
      }
    } finally {
      await indexed.close();
    }
  });

  it('does so whatever the node says for a no, and follows on from there, with pools that come later', async () => {
    refuseRanges(-32601, 'the method is disabled');
    const indexed = await open();
    try {
      await indexed.reach(await head(), 20);
      await activity.mine(await activity.newV2Pair('uniswap'));
      await activity.mine(await activity.trades(2));
      await indexed.reach(await head());
      const whole = await openIndexed(handle.current());
      await whole.reach(await head());
      const [found, there] = [indexed.look(poolsOf), whole.look(poolsOf)];
      await whole.close();
      for (const [key, pool] of found) expect(pool, key).to.deep.equal(there.get(key));
      const later = [...there.keys()].filter((key) => !byLogs.has(key));
      expect(later).to.have.length(1);
      expect(
        later.filter((key) => !found.has(key)),
        'not found',
      ).to.deep.equal([]);
    } finally {
      await indexed.close();
    }
  });

  it('waits where no tokens are listed, since there is nothing to go by, and says why', async () => {
    refuseRanges(-32600, 'query exceeds max block range 0');
    const indexed = await open({ tokens: [] });
    try {
      const failed = await indexed.follower.step().catch((error: Error) => error.message);
      expect(failed).to.include('range-too-large');
      expect(indexed.reports.filter(({ kind }) => kind === 'published')).to.have.length(0);
    } finally {
      await indexed.close();
    }
  });

  function isUsual({ fee, tickSpacing, native }: Seen): boolean {
    if (native === undefined) return true;
    return [
      [100, 1],
      [500, 10],
      [3000, 60],
      [10_000, 200],
    ].some(([usual, spacing]) => fee === usual && tickSpacing === spacing);
  }
});
