import { expect } from 'chai';
import { encodeFunctionData, parseAbi } from 'viem';
import type { PriceSources } from '../../src/chains/chains.ts';
import { deriveAccounts } from '../../src/devnet/accounts.ts';
import type { PricingReport } from '../../src/market/market.ts';
import { createRandom } from '../../src/random.ts';
import type { SnapshotBuffers, SnapshotView } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import { bookOfView } from '../market/book-of-view.ts';
import { useDevnet } from '../support/devnet.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { type Indexed, newBuffers, openIndexed } from './indexing/world.ts';

const FEED = parseAbi([
  'struct Round { uint80 id; int256 answer; uint256 updatedAt; uint80 answeredIn; }',
  'function transmit(int256 answer)',
  'function pretend(Round round, bool silent)',
]);
const ETHER = 2500n * 10n ** 8n;
type Shown = Readonly<Record<string, number | null>>;

describe('the prices of a chain', function suite() {
  this.timeout(600_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600 });
  const { deployer } = deriveAccounts().house;
  let activity: Activity;
  let indexed: Indexed;
  let buffers: SnapshotBuffers;

  before(async () => {
    activity = await openActivity(devnet.current(), createRandom(3).unit);
    await answer(ETHER);
    buffers = newBuffers();
    indexed = await open(devnet.current().prices);
  });
  after(async () => {
    await indexed?.close();
  });

  async function open(prices: PriceSources, into: SnapshotBuffers = buffers): Promise<Indexed> {
    const opened = await openIndexed(devnet.current(), { prices, buffers: into });
    await opened.reach(await head());
    return opened;
  }

  async function head(): Promise<`0x${string}`> {
    return (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  }

  async function tellFeed(data: `0x${string}`): Promise<void> {
    const [feed] = devnet.current().prices.feeds;
    await activity.request('anvil_dropAllTransactions');
    await activity.request('eth_sendTransaction', { from: deployer, to: feed?.feed, data, gas: '0x30d40', gasPrice: '0x2e90edd000' });
    await activity.request('evm_mine');
  }

  /** A block with an answer of the feed of the native token; the index follows. */
  async function answer(usd: bigint): Promise<void> {
    await tellFeed(encodeFunctionData({ abi: FEED, functionName: 'transmit', args: [usd] }));
    await indexed?.reach(await head());
  }

  async function pretend(
    round: { readonly id?: bigint; readonly answer?: bigint; readonly age?: bigint; readonly answeredIn?: bigint },
    silent = false,
  ): Promise<void> {
    const { timestamp } = await activity.client.getBlock({ blockTag: 'latest' });
    const { id = 9n, age = 0n } = round;
    const told = { id, answer: round.answer ?? ETHER, updatedAt: timestamp - age, answeredIn: round.answeredIn ?? id };
    await tellFeed(encodeFunctionData({ abi: FEED, functionName: 'pretend', args: [told, silent] }));
    await indexed.reach(await head());
  }

  function symbolOf(address: Address): string {
    return devnet.current().tokens.find((token) => token.address === address)?.symbol ?? address;
  }

  function addressOf(symbol: string): Address {
    const found = devnet.current().tokens.find((token) => token.symbol === symbol)?.address;
    if (found === undefined) throw new Error(symbol);
    return found;
  }

  function shown(of: Indexed = indexed): Shown {
    return of.look((view) => Object.fromEntries(tokensOf(view).map(({ address, usd }) => [symbolOf(address), usd])));
  }

  /** Prices that follow from what a snapshot shows, by a book that knows nothing else. */
  function following(anchors: ReadonlyMap<Address, number>): Shown {
    return indexed.look((view) => {
      const { stablecoins, minimumDepthUsd } = devnet.current().prices;
      const book = bookOfView(view, anchors, minimumDepthUsd, new Set([addressOf('WETH'), ...stablecoins]));
      return Object.fromEntries(tokensOf(view).map(({ address }) => [symbolOf(address), book.usd(address)]));
    });
  }

  function anchored(etherUsd: number | null): ReadonlyMap<Address, number> {
    const dollars = devnet.current().prices.stablecoins.map((address) => [address, 1] as const);
    return new Map([...dollars, ...(etherUsd === null ? [] : [[addressOf('WETH'), etherUsd] as const])]);
  }

  function pricing(): PricingReport {
    const report = indexed.reports.findLast((one) => one.kind === 'priced');
    if (report === undefined) throw new Error('nothing was priced');
    return report.pricing;
  }

  it('are within 0.5% of the true ones for all tokens with a deep pool; a token of unknown decimals has none', () => {
    const prices = shown();
    const off = devnet.current().tokens.flatMap(({ symbol, usd }) => {
      const ours = prices[symbol];
      return ours === null || ours === undefined || Math.abs(ours / usd - 1) <= 0.005 ? [] : [`${symbol}: ${ours} for ${usd}`];
    });
    expect(off).to.deep.equal([]);
    const unpriced = devnet.current().tokens.filter(({ symbol }) => (prices[symbol] ?? null) === null);
    expect(unpriced.filter(({ decimals }) => decimals !== null).map(({ symbol }) => symbol)).to.deep.equal([]);
    expect(unpriced.map(({ symbol }) => symbol)).to.include('MUTE');
    expect([prices.WETH, prices.USDC, prices.DAI]).to.deep.equal([2500, 1, 1]);
  });

  it('are of the same block as the pools that they come from, block by block', async () => {
    const seen = new Set<string>();
    for (let block = 0; block < 6; block++) {
      await activity.mine(await activity.trades(4));
      await indexed.reach(await head());
      expect(shown()).to.deep.equal(following(anchored(2500)));
      seen.add(JSON.stringify(shown()));
    }
    expect(seen.size).to.be.at.least(2);
  });

  it('follow the feed, and count it', async () => {
    await answer((ETHER * 101n) / 100n);
    expect(shown().WETH).to.equal(2525);
    expect(shown()).to.deep.equal(following(anchored(2525)));
    expect(pricing()).to.deep.include({ feeds: { used: 1, stale: 0, refused: 0, unread: 0 }, stablecoins: { held: 3, lost: 0 }, oldestSeconds: 0 });
    await answer(ETHER);
  });

  for (const [what, round, silent, state] of [
    ['is older than it may be', { age: 3601n }, false, 'stale'],
    ['is 0', { answer: 0n }, false, 'refused'],
    ['is negative', { answer: -ETHER }, false, 'refused'],
    ['is absurd', { answer: ETHER * 1000n }, false, 'refused'],
    ['is next to nothing', { answer: 1n }, false, 'refused'],
    ['is 2^255 − 1', { answer: 2n ** 255n - 1n }, false, 'refused'],
    ['is from the future', { age: -100_000n }, false, 'refused'],
    ['is of a round that was not answered', { id: 10n, answeredIn: 9n }, false, 'refused'],
    ['is of no round', { id: 0n }, false, 'refused'],
    ['is none', {}, true, 'refused'],
  ] as const) {
    it(`an answer that ${what} is not used: the token is priced through pools`, async () => {
      await pretend(round, silent);
      expect(pricing().feeds).to.include({ used: 0, [state]: 1 });
      expect(shown()).to.deep.equal(following(anchored(null)));
      expect(shown().WETH)
        .to.be.closeTo(2500, 2500 * 0.02)
        .and.not.equal(2500);
      await answer(ETHER);
      expect([shown().WETH, pricing().feeds.used]).to.deep.equal([2500, 1]);
    });
  }

  it('of a stablecoin that pools to a token with a feed say to be off a dollar are those that pools give', async () => {
    // The feed says that ether is worth 12% less of a dollar than stablecoins are traded for: they are worth less than one.
    await answer((ETHER * 88n) / 100n);
    expect(pricing().stablecoins).to.deep.equal({ held: 0, lost: 3 });
    for (const symbol of ['USDC', 'USDT', 'DAI']) expect(shown()[symbol], symbol).to.be.closeTo(0.88, 0.01);
    expect(shown()).to.deep.equal(following(new Map([[addressOf('WETH'), 2200]])));
    await answer(ETHER);
    expect([shown().USDC, pricing().stablecoins.held]).to.deep.equal([1, 3]);
  });

  it('after a reorg they are those of the new branch, and of the old one where it is gone back to', async () => {
    const before = shown();
    const snapshot = await activity.request('evm_snapshot');
    await activity.mine(await activity.trades(8));
    await indexed.reach(await head());
    expect(shown()).not.to.deep.equal(before);
    await activity.request('evm_revert', snapshot);
    await activity.request('evm_mine');
    await indexed.reach(await head());
    expect(shown()).to.deep.equal(before);
  });

  it('of an indexer that takes over, and of one that starts anew, are the same to the last bit; what the first knew and the second does not is gone', async () => {
    await activity.mine(await activity.trades(8));
    await indexed.reach(await head());
    const before = shown();
    const anew = await open(devnet.current().prices, newBuffers());
    expect(shown(anew)).to.deep.equal(before);
    await anew.close();
    await indexed.close();
    indexed = await open(devnet.current().prices);
    expect(shown()).to.deep.equal(before);
    // Without anything to start from nothing is left of what was published.
    await indexed.close();
    indexed = await open({ ...devnet.current().prices, feeds: [], stablecoins: [] });
    expect(Object.values(shown()).filter((usd) => usd !== null)).to.deep.equal([]);
  });
});

function tokensOf(view: SnapshotView) {
  return Array.from({ length: view.tokenCount }, (_, id) => view.token(id));
}
