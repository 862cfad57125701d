import { expect } from 'chai';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Devnet } from '../../src/devnet/devnet.ts';
import { type Address, NATIVE_TOKEN } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { until } from '../support/until.ts';
import { chainPrices } from './chain-prices.ts';
import { shapeFaults, type WireHop } from './replay.ts';
import { approveAll, checkRandomSwaps, executeExactly, settleHead, takeBack, takerOf, type WireSwap } from './swap-check.ts';

const MAKERS_ROUTER = '0x4ddf368080cd7946db5b459ad591c350158175e1';
const ROUTER = parseAbi([
  'function setFallback(address router, uint24 fee)',
  'function setPaused(bool paused)',
  'function removeVenue(address venue)',
  'function addVenue(address venue)',
]);
const MAKER = parseAbi([
  'struct Push { address tokenIn; address tokenOut; uint256 price; uint256 depth; }',
  'function owner() view returns (address)',
  'function setLife(uint256 blocks)',
  'function push(Push[] pushes)',
]);
const BOTH = 'fermi,kipseli';

describe('routes through proprietary market makers, whose contracts are asked before an answer', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

  const tokenNamed = (devnet: Devnet, symbol: string): Address => {
    if (symbol === 'native') return NATIVE_TOKEN;
    const found = devnet.tokens.find((token) => token.symbol === symbol);
    if (found === undefined) throw new Error(`no token ${symbol}`);
    return found.address;
  };

  /** Asks for a swap, and executes it at the state that it was quoted on: what is listed is what moves. */
  async function swap(sell: string, buy: string, amounts: Readonly<Record<string, string>>): Promise<WireSwap> {
    const taker = takerOf(braid.current());
    const { devnet } = taker;
    await settleHead(braid.current(), taker);
    const [sellToken, buyToken] = [tokenNamed(devnet, sell), tokenNamed(devnet, buy)];
    const mode = 'buyAmount' in amounts ? 'buy' : 'sell';
    const { status, swap: found, text } = await answered(() => taker.ask({ mode, sellToken, buyToken, ...amounts }));
    const context = `${sell} to ${buy}, ${JSON.stringify(amounts)}: ${text}`;
    expect(status, context).to.equal(200);
    expect(shapeFaults(found.route, sellToken, buyToken, devnet.wrappedNative), context).to.deep.equal([]);
    expect(found.warnings, context).to.equal(undefined);
    const snapshot = await taker.rpc('evm_snapshot');
    await executeExactly(taker, found, context);
    await takeBack(taker, snapshot);
    return found;
  }

  /** On a busy machine the node may not say in time what a maker gives, which leaves it out of a request: such a request is made again. */
  const answered = async <Answer extends { readonly status: number }>(ask: () => Promise<Answer>): Promise<Answer> => {
    let answer = await ask();
    await until(async () => {
      if (answer.status !== 404) return true;
      answer = await ask();
      return false;
    }, 20_000);
    return answer;
  };
  const listed = async () => {
    const { sources } = (await (
      await fetchPatiently(`${braid.current().publicUrl}/v1/devnet/sources`, { headers: { 'x-api-key': braid.current().apiKey ?? '' } })
    ).json()) as { readonly sources: readonly string[] };
    return new Set(sources);
  };
  /** Who may push prices of a maker: the devnet's deployer, for whom the node signs. */
  const ownerOf = (maker: Address) => takerOf(braid.current()).reader.readContract({ address: maker, abi: MAKER, functionName: 'owner' });
  const labelsOf = ({ route }: { readonly route: readonly WireHop[] }) => new Set(route.map(({ protocol }) => protocol));

  before(async () => {
    const taker = takerOf(braid.current());
    await approveAll(taker);
    await taker.rpc('evm_setIntervalMining', 0);
  });

  it('makers are listed, and their amounts are what their contracts give, to the wei, sold and bought, small and large, native on either side', async () => {
    await settleHead(braid.current(), takerOf(braid.current()));
    expect(await until(async () => (await listed()).has('fermi') && (await listed()).has('kipseli'), 30_000)).to.equal(true);
    for (const [sell, buy, amounts] of [
      ['WETH', 'USDC', { sellAmount: String(10n ** 15n) }],
      ['WETH', 'USDC', { sellAmount: '123456789012345678901' }],
      ['native', 'USDC', { sellAmount: String(3n * 10n ** 18n) }],
      ['USDC', 'native', { sellAmount: String(7777n * 10n ** 6n) }],
      ['WBTC', 'USDC', { sellAmount: String(10n ** 8n) }],
      ['GUSD', 'USDC', { sellAmount: '1234567' }],
      ['USDC', 'WETH', { buyAmount: '987654321098765432' }],
      ['WETH', 'USDC', { buyAmount: '30000000001' }],
    ] as const) {
      const found = await swap(sell, buy, { ...amounts, includeVenues: BOTH });
      expect(
        [...labelsOf(found)].every((label) => ['fermi', 'kipseli', 'WRAP'].includes(label)),
        JSON.stringify(found.route),
      ).to.equal(true);
    }
  });

  it('each maker is a family of its own: protocol = source, no hook, listed at its own contract (B17, S19)', async () => {
    for (const label of ['fermi', 'kipseli']) {
      const { route } = await swap('WETH', 'USDC', { sellAmount: String(10n ** 17n), includeVenues: label });
      const [{ poolAddress, protocol, source, hook }] = route as readonly [WireHop & { readonly hook: string | null }];
      expect({ hops: route.length, at: poolAddress.toLowerCase(), protocol, source, hook }).to.deep.equal({
        ...{ hops: 1, at: takerOf(braid.current()).devnet.contract(label), protocol: label, source: label, hook: null },
      });
    }
  });

  it('split with other venues and in the middle of a route, each maker serves one hop', async () => {
    let beside = 0;
    for (const [sell, buy, amounts] of [
      ['WETH', 'USDC', { sellAmount: String(150n * 10n ** 18n) }],
      ['LINK', 'USDT', { sellAmount: String(5_000n * 10n ** 18n) }],
      ['LINK', 'USDC', { sellAmount: String(3_000n * 10n ** 18n), includeVenues: BOTH, maxHops: '4' }],
      ['GUSD', 'WBTC', { sellAmount: '4000000', includeVenues: `${BOTH},uniswap_v2`, maxHops: '4' }],
      ['WBTC', 'LINK', { buyAmount: String(1_000n * 10n ** 18n) }],
    ] as const) {
      const { route } = await swap(sell, buy, amounts);
      for (const label of ['fermi', 'kipseli']) expect(route.filter(({ protocol }) => protocol === label).length, JSON.stringify(route)).to.be.at.most(1);
      if (route.some(({ protocol }) => BOTH.includes(protocol)) && route.length > 1) beside++;
    }
    expect(beside).to.be.at.least(2);
  });

  it('30 random swaps, sold and bought, through makers beside deep pools: what is listed is what moves, to the wei', async () => {
    const always = { includeVenues: `${BOTH},uniswap_v3` };
    const tally = await checkRandomSwaps(braid.current(), 30, 'makers', { always, among: ['WETH', 'USDC', 'WBTC', 'LINK', 'USDT', 'GUSD'] });
    await takerOf(braid.current()).rpc('evm_setIntervalMining', 0);
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(20);
    expect(tally.buys).to.be.at.least(5);
    expect((tally.byFamily.fermi ?? 0) + (tally.byFamily.kipseli ?? 0), JSON.stringify(tally.byFamily)).to.be.at.least(5);
  });

  it('is neither RFQ nor slow: excludeRfq and 299 ms keep makers, an exclusion by name drops them', async () => {
    const sell = { sellAmount: String(10n ** 18n), includeVenues: BOTH };
    for (const more of [{ excludeRfq: 'true' }, { timeLimitMs: '299' }]) expect(await swap('WETH', 'USDC', { ...sell, ...more })).to.have.property('route');
    const taker = takerOf(braid.current());
    const [sellToken, buyToken] = [tokenNamed(taker.devnet, 'WETH'), tokenNamed(taker.devnet, 'USDC')];
    const { swap: without } = await taker.ask({ mode: 'sell', sellToken, buyToken, sellAmount: String(10n ** 18n), excludeVenues: BOTH });
    expect([...labelsOf(without)].some((label) => BOTH.includes(label))).to.equal(false);
  });

  it('a maker that is no longer listed, a paused router and a price that has ended are no routes, and back they are ones again', async () => {
    const taker = takerOf(braid.current());
    const { devnet, rpc } = taker;
    const from = await ownerOf(devnet.contract('fermi'));
    const send = async (to: string, data: `0x${string}`) => {
      await rpc('eth_sendTransaction', { from, to, data, gas: '0x100000', gasPrice: '0x4a817c800' });
      await settleHead(braid.current(), taker);
    };
    const maker = devnet.contract('fermi');
    const life = (blocks: bigint) => encodeFunctionData({ abi: MAKER, functionName: 'setLife', args: [blocks] });
    for (const [to, off, on] of [
      [
        MAKERS_ROUTER,
        encodeFunctionData({ abi: ROUTER, functionName: 'removeVenue', args: [maker] }),
        encodeFunctionData({ abi: ROUTER, functionName: 'addVenue', args: [maker] }),
      ],
      [
        MAKERS_ROUTER,
        encodeFunctionData({ abi: ROUTER, functionName: 'setPaused', args: [true] }),
        encodeFunctionData({ abi: ROUTER, functionName: 'setPaused', args: [false] }),
      ],
      [maker, life(1n), life(0n)],
    ] as const) {
      await send(to, off);
      expect(await until(async () => !(await listed()).has('fermi'), 60_000), `off by ${to}`).to.equal(true);
      await send(to, on);
      expect(await until(async () => (await listed()).has('fermi'), 60_000), `on by ${to}`).to.equal(true);
    }
  });

  it('a price that falls after the answer is filled at Uniswap V3 where that gives at least the hop’s part, and reverts where it does not', async () => {
    const taker = takerOf(braid.current());
    const { devnet, rpc, wallet, reader, account } = taker;
    const maker = devnet.contract('fermi');
    const from = await ownerOf(maker);
    await settleHead(braid.current(), taker);
    const [sellToken, buyToken] = [tokenNamed(devnet, 'WETH'), tokenNamed(devnet, 'USDC')];
    const query = { mode: 'sell', sellToken, buyToken, sellAmount: String(10n ** 18n), includeVenues: 'fermi', slippagePct: '3' };
    const { swap: found, text } = await answered(() => taker.ask(query));
    expect(found.transaction, text).to.be.an('object');
    const send = (to: string, data: `0x${string}`) => rpc('eth_sendTransaction', { from, to, data, gas: '0x100000', gasPrice: '0x4a817c800' });
    for (const [fallback, status] of [
      [devnet.contract('swapRouter'), 'success'],
      [`0x${'0'.repeat(40)}`, 'reverted'],
    ] as const) {
      const snapshot = await rpc('evm_snapshot');
      await send(
        maker,
        encodeFunctionData({ abi: MAKER, functionName: 'push', args: [[{ tokenIn: sellToken, tokenOut: buyToken, price: 10n ** 20n, depth: 10n ** 15n }]] }),
      );
      await send(MAKERS_ROUTER, encodeFunctionData({ abi: ROUTER, functionName: 'setFallback', args: [fallback as `0x${string}`, 500] }));
      const { to, data, value } = found.transaction;
      await rpc('evm_mine');
      const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: 2_000_000n, gasPrice: 20n * 10n ** 9n });
      await rpc('evm_mine');
      const receipt = await reader.waitForTransactionReceipt({ hash });
      expect(receipt.status, account.address).to.equal(status);
      await takeBack(taker, snapshot);
    }
  });
});

describe('routes through market makers whose prices are pushed in every block', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ devnetBots: true });

  it('what is answered is what the maker gives at the answer’s block, to the wei, and its price moves from block to block', async () => {
    const { devnet, apiKey, publicUrl } = braid.current();
    if (devnet === null || apiKey === null) throw new Error('only on the devnet');
    const [sellToken, buyToken] = ['WETH', 'USDC'].map((symbol) => devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '');
    const amounts = new Map<number, string>();
    let asked = 0;
    const answered = await until(async () => {
      const query = {
        chainId: '31337',
        mode: 'sell',
        sellToken: sellToken ?? '',
        buyToken: buyToken ?? '',
        sellAmount: '1234567890123456789',
        includeVenues: 'fermi',
      };
      const response = await fetchPatiently(`${publicUrl}/v1/quote?${new URLSearchParams(query)}`, { headers: { 'x-api-key': apiKey } });
      asked++;
      // On a busy machine the prices of a block may be read only when the next is there: then the maker is absent.
      if (response.status !== 200) return false;
      const { blockNumber, route } = (await response.json()) as { readonly blockNumber: number; readonly route: readonly WireHop[] };
      const [hop] = route;
      if (hop === undefined) throw new Error('no hop');
      const price = () => chainPrices(devnet, blockNumber)(hop, BigInt(hop.amountIn));
      // The node answers about its newest block from the state that it holds, which may be that of the next one by then; of an older block it does not.
      const isExact = await until(async () => (await price()) === BigInt(hop.amountOut), 60_000);
      expect(isExact, `block ${blockNumber}: ${hop.amountOut}, and the chain says ${await price()}`).to.equal(true);
      expect(amounts.get(blockNumber) ?? hop.amountOut, 'two answers of one block').to.equal(hop.amountOut);
      amounts.set(blockNumber, hop.amountOut);
      return amounts.size >= 5;
    }, 120_000);
    expect(answered, `${asked} asked, ${amounts.size} blocks`).to.equal(true);
    expect(new Set(amounts.values()).size).to.be.at.least(4);
  });
});
