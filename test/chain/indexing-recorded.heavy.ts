import { expect } from 'chai';
import { decodeAbiParameters, encodeAbiParameters, getCreate2Address, type Hex, keccak256, pad, toEventSelector, toFunctionSelector } from 'viem';
import { openFollower } from '../../src/indexing/open-follower.ts';
import type { IndexerReport } from '../../src/indexing/report.ts';
import { SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress, type DurationMs } from '../../src/units/units.ts';
import { loadIndexerVenues } from '../../src/venues/venues.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { type RecordedBlock, type RecordedChain, readRecordedBlock, replay, startReplay } from '../support/recorded-chain.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { newBuffers } from './indexing/world.ts';

const WETH = asAddress('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2');
/** Factories with the hash of their pairs' init code, as the peripheries of both have it. */
const FACTORIES = [
  ['uniswap_v2', asAddress('0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f'), '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'],
  ['sushiswap_v2', asAddress('0xC0AEe478e3658e2610c5F7A4A2E1777cE9e4f2Ac'), '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303'],
] as const;
const PAIR_CREATED = toEventSelector('PairCreated(address,address,address,uint256)');
const SYNC = toEventSelector('Sync(uint112,uint112)');
const PATIENCE = 20;

type Pair = { readonly factory: Address; readonly address: Address; readonly token0: Address; readonly token1: Address };
type Log = { readonly address: Hex; readonly topics: readonly Hex[] };

describeWithSharedData('recorded blocks of Ethereum', function suite() {
  this.timeout(300_000);

  for (const [block, pairsTraded] of [
    [17_666_333, 19],
    [19_932_148, 27],
  ] as const) {
    it(`block ${block} is indexed exactly: the reserves of every pair that it traded are the pair's own after it`, async () => {
      const recorded = readRecordedBlock(sharedData(`state/eth-${block}.txs.json.gz`));
      const chain = await startReplay(sharedData(`state/eth-${block}.genesis.json.gz`), recorded);
      try {
        const pairs = await tradedPairs(chain, recorded);
        expect(pairs.length).to.equal(pairsTraded);
        const indexed = await index(chain, pairs, () => replay(chain, recorded));
        for (const pair of pairs) {
          const [reserve0, reserve1] = await reservesOf(chain, pair);
          // A pair of which this state lacks what makes it tradable has no place in the snapshot.
          const is = reserve0 === 0n || reserve1 === 0n ? undefined : [reserve0, reserve1];
          expect(indexed.get(pair.address), pair.address).to.deep.equal(is);
        }
        expect(indexed.size).to.equal(pairsTraded);
      } finally {
        await chain.stop();
      }
    });
  }
});

/** The pairs that the block's logs tell of and that a factory made: mines it, looks, and goes back. */
async function tradedPairs(chain: RecordedChain, recorded: RecordedBlock): Promise<readonly Pair[]> {
  const before = await chain.rpc.request('evm_snapshot');
  await replay(chain, recorded);
  const logs = (await chain.rpc.request('eth_getLogs', { fromBlock: 'latest', toBlock: 'latest' })) as readonly Log[];
  const pairs: Pair[] = [];
  for (const address of new Set(logs.filter(({ topics }) => topics[0] === SYNC).map(({ address }) => asAddress(address)))) {
    const [token0, token1] = [await tokenOf(chain, address, 'token0()'), await tokenOf(chain, address, 'token1()')];
    const made = FACTORIES.find(([, factory, codeHash]) => address === pairOf(token0, token1, factory, codeHash));
    if (made !== undefined) pairs.push({ factory: made[1], address, token0, token1 });
  }
  await chain.rpc.request('evm_revert', before);
  return pairs;
}

/** Reserves by pair after an indexer has started before the block and followed it. The factory's logs lie in blocks that this chain does not have: the block before tells of them. */
async function index(chain: RecordedChain, pairs: readonly Pair[], mine: () => Promise<void>): Promise<ReadonlyMap<string, readonly bigint[]>> {
  const first = (await chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly number: Hex; readonly hash: Hex };
  const created = pairs.map(({ factory, address, token0, token1 }, at) => ({
    address: factory,
    topics: [PAIR_CREATED, pad(token0), pad(token1)],
    data: encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, BigInt(at)]),
    blockHash: first.hash,
    blockNumber: first.number,
    logIndex: `0x${at.toString(16)}`,
  }));
  const proxy = await startRpcProxy(() => chain.url);
  proxy.setRule(async ({ method, params }, forward) => {
    const answer = await forward();
    const [filter] = params as readonly { readonly blockHash?: string }[];
    return { json: method === 'eth_getLogs' && filter?.blockHash === first.hash ? { ...answer, result: created } : answer };
  });
  const buffers = newBuffers();
  const reports: IndexerReport[] = [];
  const deployments = FACTORIES.map(([family, factory]) => ({ venue: 'uniswap_v2', family, factory, fromBlock: Number(first.number) }));
  const data = { chainId: 1, rpcUrls: [proxy.url], deployments, buffers, wrappedNative: WETH, pollMs: 50 as DurationMs };
  const { follower, rpc } = openFollower(data, {
    venues: await loadIndexerVenues(),
    writer: new SnapshotWriter(buffers),
    report: (report) => reports.push(report),
    onHead: () => undefined,
    startDepthBlocks: 0,
  });
  const reach = async (number: number): Promise<void> => {
    let last: unknown = null;
    for (let step = 0; step < PATIENCE; step++) {
      await follower.step().catch((error: unknown) => {
        last = error;
      });
      if (reports.some((report) => report.kind === 'published' && report.block.number === number)) return;
    }
    throw new Error(`block ${number} was not published`, { cause: last });
  };
  try {
    await reach(Number(first.number));
    await mine();
    await reach(Number(first.number) + 1);
    await follower.settled();
    expect(reports.filter(({ kind }) => kind === 'audit-mismatch')).to.deep.equal([]);
    const view = SnapshotReader.claim(buffers, 1).pin();
    if (view === null) throw new Error('nothing is published');
    const pools = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).filter((pool) => pool !== undefined);
    return new Map(pools.map(({ key, words }) => [key, [0, 2].map((at) => (words[at] as bigint) + ((words[at + 1] as bigint) << 64n))]));
  } finally {
    rpc.close();
    await proxy.stop();
  }
}

async function call(chain: RecordedChain, to: Address, signature: string): Promise<Hex> {
  return (await chain.rpc.request('eth_call', { to, data: toFunctionSelector(signature) }, 'latest')) as Hex;
}

async function tokenOf(chain: RecordedChain, pair: Address, signature: string): Promise<Address> {
  const [token] = decodeAbiParameters([{ type: 'address' }], await call(chain, pair, signature));
  return asAddress(token);
}

async function reservesOf(chain: RecordedChain, { address }: Pair): Promise<readonly [bigint, bigint]> {
  const [reserve0, reserve1] = decodeAbiParameters([{ type: 'uint112' }, { type: 'uint112' }, { type: 'uint32' }], await call(chain, address, 'getReserves()'));
  return [reserve0, reserve1];
}

function pairOf(token0: Address, token1: Address, factory: Address, codeHash: Hex): Address {
  const salt = keccak256(`0x${token0.slice(2)}${token1.slice(2)}`);
  return asAddress(getCreate2Address({ from: factory, salt, bytecodeHash: codeHash }));
}
