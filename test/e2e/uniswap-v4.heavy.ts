import { expect } from 'chai';
import { encodeFunctionData, type Hex } from 'viem';
import type { Devnet } from '../../src/devnet/devnet.ts';
import { type Address, NATIVE_TOKEN } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { shapeFaults, type WireHop } from './replay.ts';
import { approveAll, checkRandomSwaps, executeExactly, settleHead, takeBack, takerOf, type WireSwap } from './swap-check.ts';

/** Those that the devnet's pools of Uniswap V4 trade. */
const TOKENS = ['WETH', 'USDC', 'DAI', 'WBTC', 'LINK', 'UNI', 'AAVE'];
const ALL = 'uniswap_v4,uniswap_v3,uniswap_v2,sushiswap_v2,aerodrome';

type RoutedSwap = Omit<WireSwap, 'route'> & { readonly route: readonly (WireHop & { readonly hook?: string | null })[] };

describe('swaps through pools of Uniswap V4: native token, hooks, and routes that mix both forms', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

  const tokenNamed = (devnet: Devnet, symbol: string): Address => {
    if (symbol === 'native') return NATIVE_TOKEN;
    const found = devnet.tokens.find((token) => token.symbol === symbol);
    if (found === undefined) throw new Error(`no token ${symbol}`);
    return found.address;
  };

  /** Asks for a swap, and executes it at the state that it was quoted on: what is listed is what moves. */
  async function swap(sell: string, buy: string, sellAmount: bigint, includeVenues: string, more: Readonly<Record<string, string>> = {}): Promise<RoutedSwap> {
    const taker = takerOf(braid.current());
    const { devnet } = taker;
    await settleHead(braid.current(), taker);
    const [sellToken, buyToken] = [tokenNamed(devnet, sell), tokenNamed(devnet, buy)];
    const {
      status,
      swap: found,
      text,
    } = await taker.ask({ mode: 'sell', sellToken, buyToken, sellAmount: String(sellAmount), includeVenues, maxHops: '7', ...more });
    const context = `${sell} to ${buy}, ${sellAmount}: ${text}`;
    expect(status, context).to.equal(200);
    const routed = found as unknown as RoutedSwap;
    expect(shapeFaults(routed.route, sellToken, buyToken, devnet.wrappedNative), context).to.deep.equal([]);
    const snapshot = await taker.rpc('evm_snapshot');
    await executeExactly(taker, routed, context);
    await takeBack(taker, snapshot);
    return routed;
  }

  /** How many pools each path of the calldata has: the manager stands once before the number of tokens between. */
  function pathsOf(devnet: Devnet, { transaction }: RoutedSwap): readonly number[] {
    const manager = devnet.deployments.find(({ family }) => family === 'uniswap_v4')?.factory;
    if (manager === undefined) throw new Error('no manager');
    const head = new RegExp(`09[0-9a-f]{8}${manager.slice(2)}([0-9a-f]{2})`, 'g');
    return [...transaction.data.matchAll(head)].map(([, between = '']) => Number.parseInt(between, 16) + 1);
  }

  const isNative = (token: string) => token.toLowerCase() === NATIVE_TOKEN;
  const tradesNative = ({ protocol, tokenIn, tokenOut }: WireHop) => protocol !== 'WRAP' && (isNative(tokenIn) || isNative(tokenOut));
  const tradesWrapped = (devnet: Devnet | null, { protocol, tokenIn, tokenOut }: WireHop) =>
    protocol !== 'WRAP' && [tokenIn, tokenOut].some((token) => token.toLowerCase() === devnet?.wrappedNative);

  before(async () => {
    const taker = takerOf(braid.current());
    await approveAll(taker);
    await taker.rpc('evm_setIntervalMining', 0);
  });

  it('native token goes into a native pool as it is, and comes out of one as it is', async () => {
    for (const [sell, buy, amount] of [
      ['native', 'USDC', 10n ** 18n],
      ['USDC', 'native', 2500n * 10n ** 6n],
      ['native', 'WBTC', 10n ** 18n],
    ] as const) {
      const { route } = await swap(sell, buy, amount, 'uniswap_v4');
      expect(route.some(tradesNative), JSON.stringify(route)).to.equal(true);
    }
  });

  it('wrapped token changes its form for a native pool, before it and behind it', async () => {
    for (const [sell, buy, amount] of [
      ['WETH', 'DAI', 10n ** 18n],
      ['DAI', 'WETH', 2500n * 10n ** 18n],
    ] as const) {
      const { route } = await swap(sell, buy, amount, 'uniswap_v4');
      expect(route.map(({ protocol }) => protocol)).to.include('WRAP');
    }
  });

  it('one split takes both forms, sold as either and bought as either: WRAP carries what changes', async () => {
    const { devnet } = braid.current();
    const mixed = new Set<string>();
    for (const [sell, buy, unit] of [
      ['native', 'USDC', 10n ** 18n],
      ['WETH', 'USDC', 10n ** 18n],
      ['USDC', 'native', 2500n * 10n ** 6n],
      ['USDC', 'WETH', 2500n * 10n ** 6n],
    ] as const) {
      for (const size of [200n, 800n, 1500n]) {
        const { route } = await swap(sell, buy, size * unit, ALL);
        if (route.some(tradesNative) && route.some((hop) => tradesWrapped(devnet, hop))) mixed.add(`${sell} to ${buy}`);
      }
    }
    expect([...mixed]).to.have.length(4);
  });

  it('both forms in the middle of a route', async () => {
    const { devnet } = braid.current();
    let mixed = 0;
    for (const [sell, buy, unit] of [
      ['LINK', 'DAI', 180n * 10n ** 18n],
      ['WBTC', 'DAI', 4n * 10n ** 6n],
      ['DAI', 'WBTC', 2500n * 10n ** 18n],
    ] as const) {
      for (const size of [20n, 100n, 300n]) {
        const { route } = await swap(sell, buy, size * unit, ALL);
        if (route.some(tradesNative) && route.some((hop) => tradesWrapped(devnet, hop))) mixed++;
      }
    }
    expect(mixed).to.be.at.least(3);
  });

  it('pools of known hooks say their variant and their hook', async () => {
    const expected: Readonly<Record<string, string>> = { dynamic_fee: 'dynamicFeeHook', output_fee: 'outputFeeHook', passive: 'passiveHook' };
    for (const [variant, sell, buy, amount] of [
      ['dynamic_fee', 'AAVE', 'USDC', 10n ** 18n],
      ['dynamic_fee', 'USDC', 'AAVE', 10n ** 8n],
      ['output_fee', 'AAVE', 'WETH', 10n ** 18n],
      ['output_fee', 'LINK', 'native', 10n ** 20n],
      ['passive', 'UNI', 'USDC', 10n ** 20n],
    ] as const) {
      const { route } = await swap(sell, buy, amount, `uniswap_v4:${variant}`);
      const hook = braid.current().devnet?.contract(expected[variant] ?? '');
      for (const hop of route.filter(({ protocol }) => protocol !== 'WRAP')) {
        expect([hop.source, hop.hook?.toLowerCase()]).to.deep.equal([`uniswap_v4:${variant}`, hook]);
      }
    }
  });

  it('a fee that the hook changes without a log is that of the next quote', async () => {
    const taker = takerOf(braid.current());
    const { devnet } = taker;
    const pool = devnet.pools.find(({ family, tokens, feePpm }) => family === 'uniswap_v4' && feePpm === 2500 && tokens.includes(tokenNamed(devnet, 'AAVE')));
    if (pool === undefined) throw new Error('no pool with a dynamic fee');
    const before = await swap('AAVE', 'USDC', 10n ** 18n, 'uniswap_v4:dynamic_fee');
    const impose = [
      { type: 'function', name: 'impose', stateMutability: 'nonpayable', outputs: [], inputs: ['bytes32', 'uint24', 'uint24'].map((type) => ({ type })) },
    ] as const;
    const data = encodeFunctionData({ abi: impose, args: [pool.key as Hex, 100_000, 100_000] });
    await taker.wallet.sendTransaction({ to: devnet.contract('dynamicFeeHook'), data, gas: 200_000n, gasPrice: 20n * 10n ** 9n });
    const after = await swap('AAVE', 'USDC', 10n ** 18n, 'uniswap_v4:dynamic_fee');
    expect(Number(after.buyAmount) / Number(before.buyAmount)).to.be.within(0.89, 0.92);
  });

  it('the hostile pool has the best price of all and is never taken', async () => {
    const taker = takerOf(braid.current());
    const hostile = taker.devnet.contract('hostileHook');
    for (const [sell, buy, amount] of [
      ['WETH', 'USDC', 10n ** 17n],
      ['USDC', 'WETH', 100n * 10n ** 6n],
    ] as const) {
      const { route } = await swap(sell, buy, amount, ALL);
      expect(route.map(({ hook }) => hook?.toLowerCase())).to.not.include(hostile);
    }
    // The swap's block was taken back: pools that are read at each block are absent until the service has left it.
    await settleHead(braid.current(), taker);
    const sources = (await (
      await fetch(`${braid.current().publicUrl}/v1/devnet/sources`, { headers: { 'x-api-key': braid.current().apiKey ?? '' } })
    ).text()) as string;
    for (const label of ['uniswap_v4', 'uniswap_v4:dynamic_fee', 'uniswap_v4:output_fee', 'uniswap_v4:passive'])
      expect(sources, sources).to.contain(`"${label}"`);
    expect(sources).to.not.contain('unknown');
  });

  it('two and three pools in a row are one leg, which gives what the route lists, to the wei, from the taker and by Permit2', async () => {
    const taker = takerOf(braid.current());
    await approveAll(taker, taker.devnet.permit2);
    const lengths = new Map<number, number>();
    for (const [sell, buy, amount] of [
      ['UNI', 'WETH', 10n ** 18n],
      ['UNI', 'native', 10n ** 19n],
      ['LINK', 'AAVE', 10n ** 19n],
      ['AAVE', 'DAI', 10n ** 18n],
      ['UNI', 'LINK', 10n ** 19n],
      ['UNI', 'WBTC', 10n ** 20n],
      ['native', 'UNI', 10n ** 18n],
    ] as const) {
      for (const funding of sell === 'native' ? ['allowance-holder'] : ['allowance-holder', 'permit2']) {
        const found = await swap(sell, buy, amount, 'uniswap_v4', funding === 'permit2' ? { funding } : {});
        for (const pools of pathsOf(taker.devnet, found)) lengths.set(pools, (lengths.get(pools) ?? 0) + 1);
      }
    }
    process.stdout.write(`      ${JSON.stringify([...lengths])}\n`);
    expect(lengths.get(2) ?? 0).to.be.at.least(2);
    expect(lengths.get(3) ?? 0).to.be.at.least(2);
  });

  it('random swaps through Uniswap V4 alone are executed to the wei', async () => {
    const tally = await checkRandomSwaps(braid.current(), 15, 'swaps-v4', { always: { includeVenues: 'uniswap_v4', maxHops: '7' }, among: TOKENS });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(8);
  });
});
