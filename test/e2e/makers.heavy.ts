import { expect } from 'chai';
import type { DevnetMaker } from '../../src/devnet/devnet.ts';
import type { MakerFault } from '../../src/devnet/makers/faults.ts';
import { RETRY_SECONDS } from '../../src/devnet/makers/go-wrong.ts';
import type { Address } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { until } from '../support/until.ts';
import type { WireHop } from './replay.ts';
import { approveAll, askUntil, executeExactly, settleHead, takeBack, takerOf, type WireSwap } from './swap-check.ts';

type Signed = WireSwap & { readonly rfqExpiry?: number; readonly deadline: number; readonly driftExposedShareBps?: number };

const PATIENCE_MS = 100_000;
const WETH = 10n ** 18n;

describe('swaps through makers who sign', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ devnetMakers: true, env: { FRESHNESS_BOUND_MS: '600000' } });

  const makers = (): readonly DevnetMaker[] => braid.current().devnet?.makers ?? [];
  const tokenOf = (symbol: string): Address => {
    const token = braid.current().devnet?.tokens.find((candidate) => candidate.symbol === symbol);
    if (token === undefined) throw new Error(`no token ${symbol}`);
    return token.address;
  };
  const pair = (sell: string, buy: string) => ({ sellToken: tokenOf(sell), buyToken: tokenOf(buy) });
  const ordersOf = (maker: DevnetMaker) => maker.calls().filter(({ method }) => method.endsWith('OrderERC20'));
  const orders = (): number => makers().flatMap(ordersOf).length;
  const viaMakers = ({ route }: { readonly route: readonly WireHop[] }) => route.filter(({ protocol }) => protocol === 'airswap').length;
  const quote = async (query: Readonly<Record<string, string>>) => {
    const { apiKey, publicUrl } = braid.current();
    const headers = { 'x-api-key': apiKey ?? '' };
    const response = await fetchPatiently(`${publicUrl}/v1/quote?${new URLSearchParams({ chainId: '31337', mode: 'sell', ...query })}`, { headers });
    return { status: response.status, body: (await response.json()) as { readonly route: readonly WireHop[]; readonly buyAmount: string } };
  };
  const throughMakers = { ...{ includeVenues: 'airswap' } };

  /** Until its prices are in the snapshot and it signs in time: on a busy machine it may be late for one request. */
  async function signed(query: Readonly<Record<string, string>>): Promise<Signed> {
    return await askUntil(takerOf(braid.current()), query, (swap) => swap.warnings === undefined && viaMakers(swap) > 0, PATIENCE_MS);
  }

  before(async () => {
    const taker = takerOf(braid.current());
    await approveAll(taker);
    await taker.rpc('evm_setIntervalMining', 0);
  });
  afterEach(() => {
    for (const maker of makers()) maker.setFault(null);
  });

  it('are listed, and quoted by what makers indicate: nobody is asked to sign for a quote', async () => {
    const listed = async () => {
      const { sources } = (await (
        await fetchPatiently(`${braid.current().publicUrl}/v1/devnet/sources`, { headers: { 'x-api-key': braid.current().apiKey ?? '' } })
      ).json()) as { readonly sources: readonly string[] };
      return sources.includes('airswap');
    };
    expect(await until(listed, PATIENCE_MS)).to.equal(true);
    const before = orders();
    const query = { ...pair('WETH', 'USDC'), sellAmount: String(WETH), ...throughMakers };
    expect(await until(async () => (await quote(query)).status === 200, PATIENCE_MS)).to.equal(true);
    expect(orders()).to.equal(before);
  });

  for (const [title, query] of [
    ['sold, one maker', { mode: 'sell', ...{ sell: 'WETH', buy: 'USDC' }, sellAmount: String(WETH), includeVenues: 'airswap' }],
    ['sold, split over both makers', { mode: 'sell', ...{ sell: 'WETH', buy: 'USDC' }, sellAmount: String(60n * WETH), includeVenues: 'airswap' }],
    ['sold, beside pools', { mode: 'sell', ...{ sell: 'WETH', buy: 'USDC' }, sellAmount: String(120n * WETH) }],
    ['sold, through two makers in a row', { mode: 'sell', ...{ sell: 'LINK', buy: 'USDC' }, sellAmount: String(100n * WETH), includeVenues: 'airswap' }],
    ['bought', { mode: 'buy', ...{ sell: 'WETH', buy: 'USDC' }, buyAmount: '3000000001', includeVenues: 'airswap' }],
  ] as const) {
    it(`settle what was signed, to the wei: ${title}`, async () => {
      const taker = takerOf(braid.current());
      await settleHead(braid.current(), taker);
      const { sell, buy, ...rest } = query;
      const swap = await signed({ ...rest, ...pair(sell, buy), userAddress: taker.devnet.accounts[4]?.address ?? '' });
      const { rfqExpiry = 0, deadline } = swap;
      expect(rfqExpiry).to.be.above(0);
      expect(deadline).to.be.at.most(rfqExpiry);
      for (const hop of swap.route.filter(({ protocol }) => protocol === 'airswap'))
        expect(hop.poolAddress.toLowerCase()).to.equal(taker.devnet.contract('swapERC20'));
      if (rest.mode === 'sell') expect(swap.driftExposedShareBps).to.be.within(0, 10_000);
      const snapshot = await taker.rpc('evm_snapshot');
      await executeExactly(taker, swap, `${title}: ${JSON.stringify(swap.route)}`);
      await takeBack(taker, snapshot);
    });
  }

  it('userAddress is sent to makers that meter users, and to no other one: makers that only screen keep the taker, by their own record', async () => {
    const taker = takerOf(braid.current());
    const [from, user] = [taker.devnet.accounts[0]?.address, taker.devnet.accounts[4]?.address];
    expect(makers().map(({ name, screens }) => [name, screens])).to.deep.equal([
      ['harbour', false],
      ['meridian', true],
    ]);
    for (const userAddress of [user, undefined]) {
      const query = { mode: 'sell', ...pair('WETH', 'USDC'), sellAmount: String(60n * WETH), ...throughMakers };
      const before = makers().map((maker) => ordersOf(maker).length);
      const isByBoth = (swap: WireSwap) => swap.warnings === undefined && makers().every((maker, at) => ordersOf(maker).length > (before[at] ?? 0));
      await askUntil(taker, { ...query, ...(userAddress === undefined ? {} : { userAddress }) }, isByBoth, PATIENCE_MS);
      for (const [at, maker] of makers().entries()) {
        const told = ordersOf(maker)
          .slice(before[at])
          .map(({ params }) => params.proxyingFor);
        expect(new Set(told), maker.name).to.deep.equal(new Set([maker.screens ? from : (userAddress ?? from)]));
      }
    }
  });

  it('the deadline is the earlier one of what is asked for and what an order holds, exactly, and an order that holds for ever does so until 2^63 − 1 (F9)', async () => {
    const taker = takerOf(braid.current());
    const latest = 2n ** 63n - 1n;
    const query = { mode: 'sell', ...pair('WETH', 'USDC'), sellAmount: String(WETH), ...throughMakers };
    const now = async () => BigInt(Math.max(Math.floor(Date.now() / 1000), Number((await taker.reader.getBlock()).timestamp)));
    for (const [kind, deadlineOf] of [
      [null, async () => (await now()) + 30n],
      ['endless', async () => (await now()) + 1_000n],
      ['endless', async () => 2n ** 53n + 1n],
      ['endless', async () => latest],
    ] as const) {
      for (const maker of makers()) maker.setFault(kind === null ? null : { kind });
      await settleHead(braid.current(), taker);
      const found: { deadline: bigint; swap: WireSwap; text: string }[] = [];
      const isSigned = async (): Promise<boolean> => {
        const deadline = await deadlineOf();
        const { status, swap, text } = await taker.ask({ ...query, deadline: String(deadline) });
        if (status === 200 && swap.warnings === undefined && viaMakers(swap) > 0) found.push({ deadline, swap, text });
        return found.length > 0;
      };
      expect(await until(isSigned, PATIENCE_MS)).to.equal(true);
      const [{ deadline, swap, text }] = found as [(typeof found)[number]];
      const said = (name: string) => BigInt(new RegExp(`"${name}":([0-9]+)`).exec(text)?.[1] ?? -1n);
      expect(said('deadline'), text).to.equal(deadline);
      if (kind === null) expect(said('rfqExpiry') > deadline, text).to.equal(true);
      else expect(said('rfqExpiry'), text).to.equal(latest);
      const snapshot = await taker.rpc('evm_snapshot');
      await executeExactly(taker, swap, text);
      await takeBack(taker, snapshot);
    }
  });

  it('no maker is asked for anything with excludeRfq, nor below 300 ms: the route is one of the chain', async () => {
    const taker = takerOf(braid.current());
    const before = orders();
    for (const excluding of [{ excludeRfq: 'true' }, { timeLimitMs: '299' }, { excludeVenues: 'airswap' }]) {
      const query = { ...pair('WETH', 'USDC'), sellAmount: String(20n * WETH), ...excluding };
      const { status, swap, text } = await taker.ask({ mode: 'sell', ...query });
      expect(status, text).to.equal(200);
      expect(viaMakers(swap)).to.equal(0);
      expect(viaMakers((await quote(query)).body)).to.equal(0);
    }
    expect(orders()).to.equal(before);
  });

  it('where makers do not sign, the route is one of the chain alone, with one warning, and settles', async () => {
    const taker = takerOf(braid.current());
    const query = { mode: 'sell', ...pair('WETH', 'USDC'), sellAmount: String(120n * WETH) };
    for (const kind of ['wrong-signer', 'silent'] satisfies MakerFault['kind'][]) {
      await signed(query);
      for (const maker of makers()) maker.setFault({ kind });
      await settleHead(braid.current(), taker);
      let answer = await taker.ask(query);
      // The maker may be left out for other reasons while the machine is busy.
      await until(async () => {
        if (answer.swap.warnings !== undefined) return true;
        answer = await taker.ask(query);
        return false;
      }, PATIENCE_MS);
      const { status, swap, text } = answer;
      expect(status, text).to.equal(200);
      expect(
        swap.warnings?.map(({ code }) => code),
        `${kind}: ${text}`,
      ).to.deep.equal(['RFQ_FIRMUP_FAILED']);
      expect(viaMakers(swap)).to.equal(0);
      expect('rfqExpiry' in swap || 'driftExposedShareBps' in swap).to.equal(false);
      const snapshot = await taker.rpc('evm_snapshot');
      await executeExactly(taker, swap, text);
      await takeBack(taker, snapshot);
      for (const maker of makers()) maker.setFault(null);
    }
  });

  it('a maker that is busy is left alone: its prices leave quotes at once, and it is asked nothing meanwhile', async () => {
    const query = { mode: 'sell', ...pair('LINK', 'WETH'), sellAmount: String(100n * WETH), includeVenues: 'airswap' };
    const taker = takerOf(braid.current());
    await signed(query);
    const [harbour] = makers();
    if (harbour === undefined) throw new Error('no makers');
    const { sellToken, buyToken, sellAmount } = query;
    const gone = async () => (await quote({ sellToken, buyToken, sellAmount, includeVenues: 'airswap' })).status === 404;
    const began = performance.now();
    const calls = () => harbour.calls().filter(({ at }) => at >= began);
    harbour.setFault({ kind: 'busy' }, 'all');
    expect(await until(gone, PATIENCE_MS)).to.equal(true);
    // It says so twice more, and is asked for swaps all the while.
    const isAskedThrice = async (): Promise<boolean> => {
      expect([(await taker.ask(query)).status, await gone()]).to.deep.equal([404, true]);
      return calls().length >= 3;
    };
    expect(await until(isAskedThrice, PATIENCE_MS)).to.equal(true);
    harbour.setFault(null);
    const [first, ...later] = calls();
    expect(new Set(calls().map(({ method }) => method))).to.deep.equal(new Set(['getAllPricingERC20']));
    let before = first?.at ?? Number.NaN;
    for (const { at } of later) {
      // A timer may be early by a millisecond or two.
      expect(at - before).to.be.at.least(1_000 * RETRY_SECONDS - 5);
      before = at;
    }
    await signed(query);
  });
});
