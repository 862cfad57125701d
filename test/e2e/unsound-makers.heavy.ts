import { expect } from 'chai';
import { encodeFunctionData, erc20Abi } from 'viem';
import type { DevnetMaker } from '../../src/devnet/devnet.ts';
import type { MakerFault } from '../../src/devnet/makers/faults.ts';
import type { Address } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { callsFromNow } from '../support/calls-since.ts';
import { startCanary } from '../support/canary.ts';
import { scrape } from '../support/scrape.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import type { WireHop } from './replay.ts';
import { approveTokens, askUntil, estimateGas, executeExactly, settleHead, takeBack, takerOf, type WireSwap } from './swap-check.ts';

type Query = Readonly<Record<string, string>>;

const PATIENCE_MS = 100_000;
const TIME_LIMIT_MS = 3_000;
/** Whoever is late by this is stuck: what is promised is measured by bench/makers.ts. */
const STUCK_MS = 10 * (TIME_LIMIT_MS + 250);
/** Rounds of makers that can not keep what they sign: the figure, and a slice of it for every day. */
const ROUNDS = FULL_SCALE ? 100 : 4;
const WETH = 10n ** 18n;
const USDC = 10n ** 6n;
const GAS = '0x493e0';

describe('makers whose orders can not be settled, who fail together, or who lead elsewhere', function suite() {
  this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
  const braid = useBraid({ devnetMakers: true, env: { FRESHNESS_BOUND_MS: '600000' } });

  const taker = () => takerOf(braid.current());
  const makers = (): readonly DevnetMaker[] => braid.current().devnet?.makers ?? [];
  const tokenOf = (symbol: string): Address => {
    const token = braid.current().devnet?.tokens.find((candidate) => candidate.symbol === symbol);
    if (token === undefined) throw new Error(`no token ${symbol}`);
    return token.address;
  };
  const sold = (sell: string, buy: string, amount: bigint): Query => ({
    ...{ mode: 'sell', sellToken: tokenOf(sell), buyToken: tokenOf(buy), sellAmount: String(amount), timeLimitMs: String(TIME_LIMIT_MS) },
  });
  const viaMakers = ({ route }: { readonly route: readonly WireHop[] }) => route.filter(({ protocol }) => protocol === 'airswap').length;
  const codesOf = ({ warnings = [] }: WireSwap) => warnings.map(({ code }) => code).filter((code) => code !== 'HIGH_PRICE_IMPACT');
  /** How many orders each maker is asked for from now on. */
  const ordersFromNow = (): (() => readonly number[]) => {
    const watched = makers().map((maker) => callsFromNow(() => maker.calls()));
    return () => watched.map((calls) => calls().filter(({ method }) => method.endsWith('OrderERC20')).length);
  };
  /** Routes that were looked for since the start, for whatever request. */
  const solves = async (): Promise<number> => {
    const text = await scrape(braid.current().internalUrl);
    return [...text.matchAll(/^braid_solver_run_seconds_count\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  };

  /** Until their prices are in the snapshot and so many hops are signed in time, by each of so many makers: on a busy machine one may be late for a request. */
  async function signed(query: Query, { hops = 1, by = 1 } = {}): Promise<WireSwap> {
    let orders = ordersFromNow();
    const isWanted = (swap: WireSwap) => {
      const asked = orders().filter((count) => count > 0).length;
      orders = ordersFromNow();
      return codesOf(swap).length === 0 && viaMakers(swap) >= hops && asked >= by;
    };
    return await askUntil(taker(), query, isWanted, PATIENCE_MS);
  }

  /** Asks until one of those makers, by place, is asked for an order, which it is not while its prices are away. What came then, and after how long; `runs`: routes that were looked for. */
  async function askThem(query: Query, failing: readonly number[] = [...makers().keys()]) {
    let found: { readonly status: number; readonly swap: WireSwap; readonly text: string; readonly ms: number; readonly runs: number } | null = null;
    await until(async () => {
      const [orders, before, began] = [ordersFromNow(), await solves(), performance.now()];
      const answer = await taker().ask(query);
      const ms = performance.now() - began;
      if (orders().some((count, at) => count > 0 && failing.includes(at))) found = { ...answer, ms, runs: (await solves()) - before };
      return found !== null;
    }, PATIENCE_MS);
    if (found === null) throw new Error('no maker was asked');
    return found as { readonly status: number; readonly swap: WireSwap; readonly text: string; readonly ms: number; readonly runs: number };
  }

  /** A route of the chain alone, with one warning, that a wallet would send. */
  async function expectDegraded({ status, swap, text, ms, runs }: Awaited<ReturnType<typeof askThem>>, context: string): Promise<void> {
    const said = `${context}: ${text}`;
    expect(status, said).to.equal(200);
    expect(codesOf(swap), said).to.deep.equal(['RFQ_FIRMUP_FAILED']);
    const offChain = swap.route.filter(({ protocol, source }) => protocol === 'airswap' || protocol === 'ondo' || source === 'uniswap_v4:angstrom');
    expect(offChain, said).to.deep.equal([]);
    expect('rfqExpiry' in swap || 'driftExposedShareBps' in swap, said).to.equal(false);
    // The first, and one without anybody who signs.
    expect(runs, said).to.equal(2);
    expect(ms, said).to.be.below(STUCK_MS);
    expect(await estimateGas(taker(), swap).catch(String), said).to.be.a('bigint');
    await executeExactly(taker(), swap, said);
  }

  before(async () => {
    await approveTokens(taker(), [tokenOf('WETH'), tokenOf('USDC')]);
    await taker().rpc('evm_setIntervalMining', 0);
  });
  afterEach(() => {
    for (const maker of makers()) maker.setFault(null);
  });

  /** Has every maker send its balance of a token away, or take back what it approved, and sign all the same. */
  async function drain(token: Address, how: 'balance' | 'allowance'): Promise<void> {
    const { rpc, balance, devnet } = taker();
    const elsewhere = devnet.accounts[9]?.address;
    if (elsewhere === undefined) throw new Error('too few accounts');
    for (const maker of makers()) {
      if (how === 'balance') maker.setFault({ kind: 'spent' }, 'all');
      const data =
        how === 'balance'
          ? encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [elsewhere, await balance(token, maker.signer)] })
          : encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [maker.contract, 0n] });
      await rpc('anvil_impersonateAccount', maker.signer);
      await rpc('eth_sendTransaction', { from: maker.signer, to: token, data, gas: GAS });
    }
    await rpc('evm_mine');
    for (const { signer, contract } of makers()) {
      const left =
        how === 'balance'
          ? await balance(token, signer)
          : await taker().reader.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args: [signer, contract] });
      expect(left, how).to.equal(0n);
    }
  }

  it(`F12 in ${ROUNDS} of ${ROUNDS} rounds an order that its maker has no balance or no allowance for is in no answer: RFQ_FIRMUP_FAILED, and a route without it that eth_estimateGas takes and that executes`, async () => {
    const random = seededRandom('makers without funds');
    for (let round = 0; round < ROUNDS; round++) {
      const how = round % 2 === 0 ? 'balance' : 'allowance';
      const buys = round % 4 < 2 ? 'USDC' : 'WETH';
      const amount = BigInt(random.integer(100, 1_000));
      const trade = buys === 'USDC' ? sold('WETH', 'USDC', (WETH * amount) / 10n) : sold('USDC', 'WETH', 250n * USDC * amount);
      // Beside pools that are dearer than makers at any size.
      const query = { ...trade, includeVenues: 'airswap,uniswap_v2' };
      await signed(query);
      const snapshot = await taker().rpc('evm_snapshot');
      await drain(tokenOf(buys), how);
      await settleHead(braid.current(), taker());
      await expectDegraded(await askThem(query), `seed ${SEED}, round ${round}, ${how} of ${buys}`);
      for (const maker of makers()) maker.setFault(null);
      await takeBack(taker(), snapshot);
    }
  });

  const SILENT: MakerFault = { kind: 'silent' };
  const FORGED: MakerFault = { kind: 'wrong-signer' };
  const TOGETHER: readonly (readonly [who: string, faults: readonly (MakerFault | null)[]])[] = [
    ['the first fails', [FORGED, null]],
    ['both are silent', [SILENT, SILENT]],
    ['both fail', [FORGED, FORGED]],
    ['the second is silent', [null, SILENT]],
  ];
  for (const [who, faults] of FULL_SCALE ? TOGETHER : TOGETHER.slice(0, 2)) {
    it(`F1, F15 two makers in one route, ${who}: one re-solve without any off-chain venue, one warning, and an answer though nobody answers`, async () => {
      const query = sold('WETH', 'USDC', 120n * WETH);
      await signed(query, { hops: 2, by: 2 });
      for (const [at, maker] of makers().entries()) maker.setFault(faults[at] ?? null);
      const snapshot = await taker().rpc('evm_snapshot');
      await settleHead(braid.current(), taker());
      const failing = faults.flatMap((fault, at) => (fault === null ? [] : [at]));
      await expectDegraded(await askThem(query, failing), who);
      await takeBack(taker(), snapshot);
    });
  }

  it('F13 makers that redirect to another port, for orders and for prices: it is never asked', async () => {
    const canary = await startCanary('{"jsonrpc":"2.0","id":1,"result":[]}');
    try {
      const query = sold('WETH', 'USDC', 60n * WETH);
      await signed(query);
      for (const maker of makers()) maker.setFault({ kind: 'redirect', location: `${canary.origin}/` });
      const snapshot = await taker().rpc('evm_snapshot');
      await settleHead(braid.current(), taker());
      await expectDegraded(await askThem(query), 'orders');
      await takeBack(taker(), snapshot);
      expect(canary.hits()).to.equal(0);
      const prices = makers().map((maker) => callsFromNow(() => maker.calls()));
      for (const maker of makers()) maker.setFault({ kind: 'redirect', location: `${canary.origin}/` }, 'all');
      // The second is asked for when the first was answered, and followed nowhere.
      expect(await until(() => prices.every((calls) => calls().length >= 2), PATIENCE_MS)).to.equal(true);
      expect(canary.hits()).to.equal(0);
      // It is there for whoever asks it.
      await (await fetch(canary.origin)).text();
      expect(canary.hits()).to.equal(1);
    } finally {
      await canary.stop();
    }
  });
});
