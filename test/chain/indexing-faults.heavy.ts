import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { startAnvil } from '../../src/devnet/anvil-process.ts';
import { createRandom } from '../../src/random.ts';
import { useDevnet } from '../support/devnet.ts';
import { type ProxyRule, type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { countOf, type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const PATIENCE_MS = 120_000;
/** Two seconds on a machine of its own. */
const AT_ONCE_MS = 20_000;
const REFUSED_MS = process.env.BRAID_SCALE === 'full' ? 30_000 : 1500;

/** Of a node that takes long: blocks, and how far behind it is at most, three on a machine of its own. */
const BLOCK_MS = 600;
const POLL_MS = 100;
const BLOCKS_TO_CHOOSE = 8;
const BLOCKS_CHOSEN = 10;
const MOST_BEHIND = 10;

describe('indexing behind a node that misbehaves', function suite() {
  this.timeout(600_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600 });
  let activity: Activity;
  let proxy: RpcProxy;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), createRandom(11).unit);
    proxy = await startRpcProxy(() => devnet.current().rpcUrl);
    indexed = await openIndexed(devnet.current(), { rpcUrls: [proxy.url] });
    await indexed.reach(await head());
  });
  afterEach(() => proxy.setRule(null));
  after(async () => {
    await indexed?.close();
    await proxy?.stop();
  });

  const head = async (): Promise<`0x${string}`> => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  /** Bends the answers of one method. */
  const bend =
    (method: string, change: (result: unknown, call: number) => unknown): ProxyRule =>
    async (call, forward) => {
      const answer = await forward();
      return { json: call.method === method ? { ...answer, result: change(answer.result, proxy.calls.get(method) ?? 0) } : answer };
    };
  const expectHeld = async (rule: ProxyRule): Promise<void> => {
    const before = indexed.hash();
    await activity.mine([await activity.swap()]);
    proxy.setRule(rule);
    await indexed.follower.step().catch(() => false);
    expect(indexed.hash()).to.equal(before);
  };
  const expectHealed = async (): Promise<void> => {
    proxy.setRule(null);
    await indexed.reach(await head());
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  };

  const DROPPED: readonly (readonly [string, (logs: readonly unknown[]) => unknown])[] = [
    ['every log', () => []],
    ['the first log', (logs) => logs.slice(1)],
    ['the last log', (logs) => logs.slice(0, -1)],
    ['a log in the middle', (logs) => logs.toSpliced(logs.length >> 1, 1)],
  ];
  for (const [what, drop] of DROPPED) {
    it(`never commits a block of which the node leaves out ${what} (A17)`, async () => {
      await expectHeld(bend('eth_getLogs', (result) => drop(result as readonly unknown[])));
      await expectHealed();
    });
  }

  it('asks again when logs were left out, and has the block a moment later (A17)', async () => {
    await activity.mine(await activity.trades(5));
    const asked = proxy.calls.get('eth_getLogs') ?? 0;
    proxy.setRule(bend('eth_getLogs', (result, call) => (call <= asked + 2 ? [] : result)));
    await indexed.reach(await head(), 1);
    await expectHealed();
  });

  it('finds by its audit, before the next block is out, a last log that neither bloom nor numbering miss (A17)', async () => {
    const swap = await activity.swap();
    await activity.mine([swap, swap]);
    const swaps = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67';
    proxy.setRule(
      bend('eth_getLogs', (result) => {
        const logs = result as readonly { readonly topics: readonly string[] }[];
        expect(logs.filter(({ topics }) => topics[0] === swaps)).to.have.length(2);
        return logs.at(-1)?.topics[0] === swaps ? logs.slice(0, -1) : logs;
      }),
    );
    await indexed.reach(await head(), 1);
    expect(indexed.hash()).not.to.equal(await rebuiltHash(devnet.current(), await head()));
    await indexed.follower.settled();
    expect(countOf(indexed.reports, 'audit-mismatch')).to.equal(1);
    await activity.mine();
    await expectHealed();
  });

  it('takes logs in any order and as often as they are sent (A19)', async () => {
    await activity.mine(await activity.trades(8));
    proxy.setRule(bend('eth_getLogs', (result) => [...(result as unknown[]), ...(result as unknown[])].reverse()));
    await indexed.reach(await head(), 1);
    await expectHealed();
  });

  it('takes no log of another block', async () => {
    await expectHeld(bend('eth_getLogs', (result) => (result as object[]).map((log) => ({ ...log, blockHash: `0x${'ab'.repeat(32)}` }))));
    await expectHealed();
  });

  const GARBAGE: readonly (readonly [string, ProxyRule])[] = [
    ['HTML', async () => ({ status: 200, body: '<html>busy</html>' })],
    ['JSON that is cut', async (_, forward) => ({ status: 200, body: JSON.stringify(await forward()).slice(0, -5) })],
    ['answers with another id', async (_, forward) => ({ json: { ...(await forward()), id: 987_654 } })],
    ['null results', async (_, forward) => ({ json: { ...(await forward()), result: null } })],
    ['odd hex', async (_, forward) => ({ json: { ...(await forward()), result: '0x123' } })],
    ['a header without its numbers', bend('eth_getBlockByNumber', (result) => ({ ...(result as object), number: '12' }))],
    ['a body of 50 MB', async () => ({ status: 200, body: Buffer.alloc(50 * 2 ** 20, 0x20) })],
    ['HTTP 500', async () => ({ status: 500, body: 'no' })],
  ];
  for (const [what, rule] of GARBAGE) {
    it(`commits nothing while the node answers ${what} (A4)`, async () => {
      await expectHeld(rule);
      proxy.setRule(null);
      await indexed.reach(await head());
    });
  }

  it('walks again when the block is replaced between its header and its logs (A16)', async () => {
    const snapshot = await activity.request('evm_snapshot');
    await activity.mine(await activity.trades(3));
    let replaced = false;
    proxy.setRule(async ({ method }, forward) => {
      if (method === 'eth_getLogs' && !replaced) {
        replaced = true;
        await activity.request('evm_revert', snapshot);
        await activity.mine(await activity.trades(4));
      }
      return { json: await forward() };
    });
    await indexed.follower.step().catch(() => false);
    expect(replaced).to.equal(true);
    await expectHealed();
  });

  it('serves what it has while the node refuses for seconds, then goes on (A1)', async () => {
    const before = indexed.hash();
    await proxy.refuse(true);
    await activity.mine(await activity.trades(3));
    const end = performance.now() + REFUSED_MS;
    while (performance.now() < end) await indexed.follower.step().catch(() => false);
    expect(indexed.hash()).to.equal(before);
    await proxy.refuse(false);
    const healed = performance.now();
    await indexed.reach(await head());
    expect(performance.now() - healed).to.be.below(AT_ONCE_MS);
    await expectHealed();
  });

  it('gives up on calls that are never answered, never has more than 16, and goes on at once (A2)', async () => {
    await activity.mine(await activity.trades(3));
    let asked = 0;
    proxy.setRule(async () => {
      asked++;
      return 'never';
    });
    const step = indexed.follower.step().catch(() => false);
    expect(await until(() => asked > 1, PATIENCE_MS), 'given up, and asked again').to.equal(true);
    proxy.setRule(null);
    const healed = performance.now();
    await step;
    await indexed.reach(await head());
    expect(performance.now() - healed).to.be.below(AT_ONCE_MS);
    expect(proxy.inFlight.most).to.be.at.most(16);
    expect(proxy.sockets.most).to.be.at.most(32);
    await expectHealed();
  });

  it('slows down to two calls a second while the node says 429, and honours Retry-After (A5)', async () => {
    await activity.mine(await activity.trades(3));
    let refused = 0;
    proxy.setRule(async () => {
      refused++;
      return { status: 429, body: '', headers: { 'retry-after': '1' } };
    });
    const began = performance.now();
    await indexed.follower.step().catch(() => false);
    const seconds = (performance.now() - began) / 1000;
    expect(refused / seconds).to.be.at.most(2);
    expect(refused).to.be.at.least(2);
    await expectHealed();
  });

  it('never reads from an endpoint of another chain, and comes back to its own (A6)', async () => {
    const foreign = await startAnvil({
      host: '127.0.0.1',
      port: 0,
      chainId: 2,
      accounts: 1,
      balance: 1n,
      genesisTimestamp: 1_700_000_000,
      baseFeePerGas: 10n ** 9n,
    });
    const other = await startRpcProxy(() => foreign.url);
    const pair = await openIndexed(devnet.current(), { rpcUrls: [proxy.url, other.url] });
    try {
      await pair.reach(await head());
      await proxy.refuse(true);
      const before = pair.hash();
      for (let step = 0; step < 2; step++) await pair.follower.step().catch(() => false);
      expect(pair.hash()).to.equal(before);
      expect([...other.calls.keys()]).to.deep.equal(['eth_chainId']);
      await proxy.refuse(false);
      await activity.mine(await activity.trades(2));
      await pair.reach(await head());
      expect([...other.calls.keys()]).to.deep.equal(['eth_chainId']);
    } finally {
      await pair.close();
      await other.stop();
      await foreign.stop();
    }
  });

  for (const [what, blocks] of [
    ['higher than ours', 200],
    ['lower than ours', 0],
  ] as const) {
    it(`never publishes another chain of the same id under the same address, ${what}, for a moment or for long, and goes on with its own (A6)`, async () => {
      const { chainId, rpcUrl } = devnet.current();
      const foreign = await startAnvil({
        host: '127.0.0.1',
        port: 0,
        chainId,
        accounts: 1,
        balance: 1n,
        genesisTimestamp: 1_600_000_000,
        baseFeePerGas: 10n ** 9n,
      });
      const address = { leadsTo: rpcUrl };
      const moving = await startRpcProxy(() => address.leadsTo);
      const one = await openIndexed(devnet.current(), { rpcUrls: [moving.url] });
      try {
        await one.reach(await head());
        const mine = { jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [`0x${blocks.toString(16)}`] };
        if (blocks > 0) await fetch(foreign.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(mine) });
        const before = one.hash();
        address.leadsTo = foreign.url;
        // Each is as far from the other as has to be waited for before a chain is believed to be gone.
        await one.reach('0x0', 8).catch(() => undefined);
        expect(one.hash()).to.equal(before);
        expect(one.reports.filter(({ kind }) => kind === 'orphaned')).to.deep.equal([]);
        address.leadsTo = rpcUrl;
        await activity.mine(await activity.trades(2));
        await one.reach(await head());
        expect(one.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
      } finally {
        await one.close();
        await moving.stop();
        await foreign.stop();
      }
    });
  }

  it('goes on behind backends that are at different blocks, without a step back or a reorg', async () => {
    const steady = await openIndexed(devnet.current(), { rpcUrls: [proxy.url] });
    try {
      await steady.reach(await head());
      const random = createRandom(5).unit;
      let lag = 0;
      proxy.setRule(async (call, forward) => {
        const answer = await forward();
        if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== 'latest' || lag === 0) return { json: answer };
        const { number } = answer.result as { readonly number: string };
        const older = await activity.client.getBlock({ blockNumber: BigInt(number) - BigInt(lag) });
        return { json: { ...answer, result: await activity.request('eth_getBlockByHash', older.hash, false) } };
      });
      for (let block = 0; block < 5; block++) {
        await activity.mine(await activity.trades(2));
        for (let poll = 0; poll < 6; poll++) {
          lag = random() < 0.5 ? 2 : 0;
          await steady.follower.step();
        }
      }
      const numbers = steady.reports.flatMap((report) => (report.kind === 'published' ? [report.block.number] : []));
      expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
      expect(countOf(steady.reports, 'reorg')).to.equal(0);
      lag = 0;
      await steady.reach(await head());
      expect(steady.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
    } finally {
      await steady.close();
    }
  });

  it('keeps up with a node whose logs come after the next block: all but the newest are published (A3)', async () => {
    await indexed.reach(await head());
    let newest = '';
    proxy.setRule(async (call, forward) => {
      const answer = await forward();
      const [filter] = call.params as readonly { readonly blockHash?: string }[];
      return { json: call.method === 'eth_getLogs' && filter?.blockHash === newest ? { ...answer, result: [] } : answer };
    });
    for (let block = 0; block < 4; block++) {
      const before = await head();
      await activity.mine(await activity.trades(2));
      newest = await head();
      if (block === 0) await indexed.follower.step().catch(() => false);
      else await indexed.reach(before, 1);
    }
    await expectHealed();
  });

  it('is never many answers behind a node that takes one and a half blocks for each: heads and logs are asked for beside each other (A3)', async () => {
    // Of what logs alone do not tell of every block asks some times more.
    const deployments = devnet.current().deployments.filter(({ venue }) => venue === 'uniswap_v2' || venue === 'uniswap_v3');
    const told = { ...devnet.current(), deployments };
    const slow = await openIndexed(told, { rpcUrls: [proxy.url] });
    const heads = { now: 0, most: 0 };
    try {
      // As fast by what they say themselves as those that follow.
      for (let block = 0; block < LIMITS.indexing.ahead.blocks; block++) await activity.mine();
      await slow.reach(await head());
      const random = createRandom(29).unit;
      proxy.setRule(async ({ method, params: [what] }, forward) => {
        const isHead = method === 'eth_getBlockByNumber' && what === 'latest';
        if (isHead) heads.most = Math.max(heads.most, ++heads.now);
        const ms = BLOCK_MS * (0.75 + 1.5 * random());
        // Half of it on the way there, or on the way back.
        const [before, after] = random() < 0.5 ? [ms, 0] : [0, ms];
        await pause(before);
        const answer = await forward();
        await pause(after);
        if (isHead) heads.now--;
        return { json: answer };
      });
      const following = new AbortController();
      const followed = (async () => {
        while (!following.signal.aborted) {
          await slow.follower.step().catch(() => false);
          await pause(POLL_MS);
        }
      })();
      const behind: number[] = [];
      for (let block = 0; block < BLOCKS_TO_CHOOSE + BLOCKS_CHOSEN; block++) {
        await activity.mine(await activity.trades(2));
        await pause(BLOCK_MS);
        const { number } = await activity.client.getBlock({ blockTag: 'latest' });
        const published = slow.reports.findLast((report) => report.kind === 'published');
        if (block >= BLOCKS_TO_CHOOSE) behind.push(Number(number) - (published?.block.number ?? 0));
      }
      following.abort();
      await followed;
      expect(heads.most, 'heads that were asked for at once').to.be.above(1);
      expect(Math.max(...behind), `blocks behind: ${behind.join(' ')}`).to.be.at.most(MOST_BEHIND);
      proxy.setRule(null);
      await slow.reach(await head(), 20);
      expect(slow.hash()).to.equal(await rebuiltHash(told, await head()));
    } finally {
      await slow.close();
    }
  });

  it('has every pool again as soon as a node answers that failed eth_call alone, without a trade, and says meanwhile what is missing', async () => {
    const late = await openIndexed(devnet.current(), { rpcUrls: [proxy.url] });
    try {
      await late.reach(await head());
      await activity.mine(await activity.newV3Pool());
      for (const fault of ['internal', 'gateway'] as const) {
        proxy.setRule(async ({ method }, forward) => {
          if (method !== 'eth_call') return { json: await forward() };
          const error = { jsonrpc: '2.0', id: (await forward()).id, error: { code: -32603, message: 'Internal error' } };
          return fault === 'internal' ? { json: error } : { status: 503, body: JSON.stringify(error) };
        });
        for (let block = 0; block < 2; block++) {
          await activity.mine(await activity.trades(2));
          await late.reach(await head(), 1);
        }
        expect(late.reports.findLast((report) => report.kind === 'waiting')?.pools).to.be.greaterThan(0);
        proxy.setRule(null);
        // The head is the same.
        await late.reach('0x0', 2).catch(() => undefined);
        expect(late.reports.findLast((report) => report.kind === 'waiting')).to.include({ pools: 0, tokens: 0, announcements: 0 });
        expect(late.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
      }
    } finally {
      await late.close();
    }
  });

  it('turns to the next endpoint when one fails', async () => {
    const spare = await startRpcProxy(() => devnet.current().rpcUrl);
    const pair = await openIndexed(devnet.current(), { rpcUrls: [proxy.url, spare.url] });
    try {
      await pair.reach(await head());
      proxy.setRule(async () => ({ status: 502, body: '' }));
      await activity.mine(await activity.trades(2));
      await pair.reach(await head(), 1);
      expect(spare.calls.get('eth_getLogs')).to.be.at.least(1);
    } finally {
      await pair.close();
      await spare.stop();
    }
  });

  it('halves the range of a discovery that the node finds too large (A18)', async () => {
    proxy.setRule(async ({ method, params }, forward) => {
      const filter = params[0] as { readonly fromBlock?: string; readonly toBlock?: string } | undefined;
      const width = Number(filter?.toBlock ?? 0) - Number(filter?.fromBlock ?? 0);
      if (method !== 'eth_getLogs' || filter?.fromBlock === undefined || width < 8) return { json: await forward() };
      const { id } = await forward();
      return { json: { jsonrpc: '2.0', id, error: { code: -32602, message: 'block range is too large' } } };
    });
    const late = await openIndexed(devnet.current(), { rpcUrls: [proxy.url] });
    try {
      await late.reach(await head(), 1);
      expect(late.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
    } finally {
      await late.close();
    }
  });

  it('publishes the block without the pools that can not be read, and reads them later', async () => {
    const late = await openIndexed(devnet.current(), { rpcUrls: [proxy.url] });
    try {
      await late.reach(await head());
      await activity.mine(await activity.newV3Pool());
      proxy.setRule(async ({ method }, forward) => (method === 'eth_call' ? { status: 500, body: '' } : { json: await forward() }));
      await late.reach(await head(), 1);
      proxy.setRule(null);
      await late.follower.step();
      expect(late.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
    } finally {
      await late.close();
    }
  });
});
