import { expect } from 'chai';
import fc from 'fast-check';
import type { QuoteResponse, SwapResponse } from '../../../schemas/types.gen.ts';
import { plainMarket } from '../../../src/devnet/devnet.ts';
import { shapeFaults } from '../../e2e/replay.ts';
import { SEED } from '../../support/seeded-random.ts';
import { expectPlainRefusal, expectQuote } from '../support/checks.ts';
import { NATIVE, type Service, useService } from './support/service.ts';
import { depthOf, expectReplay, expectSwap, queryOf } from './support/trades.ts';

const FULL = process.env.BRAID_SCALE === 'full';
const TAKERS = [
  '0x00000000000000000000000000000000000A11cE',
  '0x0000000000000000000000000000000000000b0b',
  '0xABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD',
] as const;
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });

/** What is asked, with the exact meaning of the texts beside them. */
type Asked = {
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly mode: 'sell' | 'buy';
  readonly amount: bigint;
  /** Percent in millionths after clamping. */
  readonly slippageMillionths: bigint;
};

/** Well-formed requests of every shape: all parameters, each in its range and around its ends. */
function requests({ chainId, sellToken, buyToken, labels, own }: Service): fc.Arbitrary<Asked> {
  const others = own?.braid.devnet == null ? [] : plainMarket(own.braid.devnet).tokens.map(({ address }) => address);
  const token = fc.constantFrom(sellToken, buyToken, NATIVE, ...others);
  const label = fc.constantFrom(...labels, 'nobody', 'WRAP');
  const shape = {
    pair: fc.tuple(token, token).filter(([left, right]) => left.toLowerCase() !== right.toLowerCase()),
    mode: fc.constantFrom('sell' as const, 'buy' as const),
    amount: fc
      .tuple(fc.integer({ min: 0, max: 26 }), fc.integer({ min: 1, max: 999_999 }))
      .map(([zeros, digits]) => (BigInt(digits) * 10n ** BigInt(zeros)) / 1000n || 1n),
    slippage: some(fc.integer({ min: -1_000_000, max: 80_000_000 })),
    maxHops: some(fc.integer({ min: -3, max: 11 }).map(String)),
    gasPriceGwei: some(fc.constantFrom('0.000000001', '1', '2.5', '1e3', '123456789.123456789', '1e12')),
    taker: fc.constantFrom(...TAKERS),
    recipient: some(fc.constantFrom(...TAKERS)),
    feeBps: some(fc.integer({ min: 0, max: 1500 }).map(String)),
    timeLimitMs: some(fc.integer({ min: 50, max: 5000 }).map(String)),
    excludeRfq: some(fc.constantFrom('true', 'FALSE', '1', '0')),
    lists: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      fc.array(label, { maxLength: 3 }).map((list) => ({ excludeVenues: list.join(',') })),
      fc.array(label, { maxLength: 3 }).map((list) => ({ includeVenues: list.join(' , ') })),
    ),
  };
  return fc.record(shape).map(({ pair, mode, amount, slippage, feeBps, lists, ...rest }) => {
    const clamped = BigInt(Math.min(50_000_000, Math.max(10, slippage ?? 500_000)));
    const parameters = {
      chainId: String(chainId),
      mode,
      sellToken: pair[0],
      buyToken: pair[1],
      [`${mode}Amount`]: String(amount),
      slippagePct: slippage === undefined ? undefined : millionths(slippage),
      feeBps,
      feeRecipient: feeBps === undefined ? undefined : TAKERS[1],
      ...lists,
      ...rest,
    };
    return { parameters, mode, amount, slippageMillionths: mode === 'buy' ? 0n : clamped };
  });
}

function millionths(value: number): string {
  const digits = String(Math.abs(value)).padStart(7, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

describe('any well-formed request', () => {
  const service = useService();

  it('is answered as the fields of the interface say, or has no route', async function () {
    this.timeout(900_000);
    const paced = service().client.key === null;
    const numRuns = FULL ? 2000 : paced ? 40 : 120;
    const counts = { quotes: 0, swaps: 0, none: 0 };
    const endpoints = service().settlement === null ? (['quote'] as const) : (['quote', 'swap'] as const);
    await fc.assert(
      fc.asyncProperty(requests(service()), fc.constantFrom(...endpoints), async (asked, endpoint) => {
        const response = await service().client.ask(`/v1/${endpoint}?${queryOf(asked.parameters)}`);
        if (response.status === 404) {
          counts.none++;
          await expectPlainRefusal(response, 404);
          return;
        }
        const body = endpoint === 'swap' ? await expectSwap(response) : await expectQuote(response);
        checkEcho(body, asked);
        checkAmounts(body, asked);
        checkLists(body, asked);
        expectReplay(body);
        expect(depthOf(body)).to.be.at.most(body.maxHops);
        checkShape(body, service());
        if (endpoint === 'swap') checkTransaction(body as SwapResponse, service());
        counts[endpoint === 'swap' ? 'swaps' : 'quotes']++;
      }),
      { numRuns, seed: SEED },
    );
    // A generator that finds no routes tests nothing.
    expect(counts.quotes + counts.swaps, JSON.stringify(counts)).to.be.at.least(numRuns / 4);
    process.stdout.write(`      ${JSON.stringify(counts)}\n`);
  });
});

function checkEcho(body: QuoteResponse, { parameters, mode, amount }: Asked): void {
  const { sellToken, buyToken, taker, recipient, maxHops, gasPriceGwei } = parameters;
  expect([body.mode, body.sellToken, body.buyToken]).to.deep.equal([mode, sellToken, buyToken]);
  expect([body.taker, body.recipient]).to.deep.equal([taker, recipient ?? taker]);
  expect(mode === 'sell' ? body.sellAmount : body.buyAmount).to.equal(String(amount));
  if (maxHops !== undefined) expect(body.maxHops).to.equal(Math.min(7, Math.max(1, Number(maxHops))));
  if (gasPriceGwei !== undefined) expect(body.gasMode).not.to.equal('blind');
  expect(body.allowanceTarget === null).to.equal(sellToken === NATIVE);
}

function checkAmounts({ route, buyToken, ...body }: QuoteResponse, { mode, parameters, slippageMillionths }: Asked): void {
  const [sold, bought] = [BigInt(body.sellAmount), BigInt(body.buyAmount)];
  expect(bought > 0n && sold > 0n).to.equal(true);
  expect(body.minBuyAmount).to.equal(String((bought * (100_000_000n - slippageMillionths)) / 100_000_000n));
  const gross = route.filter(({ tokenOut }) => tokenOut.toLowerCase() === buyToken.toLowerCase()).reduce((sum, { amountOut }) => sum + BigInt(amountOut), 0n);
  const feeAmount = BigInt(body.fee?.feeAmount ?? 0);
  if (mode === 'sell') expect(bought + feeAmount).to.equal(gross);
  else expect(bought + feeAmount <= gross).to.equal(true);
  if (body.fee === undefined) return;
  const { feeBps, partnerAmount, protocolAmount, partnerShareBps } = body.fee;
  expect(feeAmount).to.equal(((bought + feeAmount) * BigInt(feeBps)) / 10_000n);
  expect(BigInt(partnerAmount)).to.equal((feeAmount * BigInt(partnerShareBps)) / 10_000n);
  expect(BigInt(partnerAmount) + BigInt(protocolAmount)).to.equal(feeAmount);
  if (Number(parameters.feeBps ?? 0) > 0 && partnerShareBps === 8500) expect(feeBps).to.equal(Number(parameters.feeBps));
}

function checkLists({ route }: QuoteResponse, { parameters: { includeVenues, excludeVenues } }: Asked): void {
  const listOf = (text: string | undefined) =>
    (text ?? '')
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== '');
  const [included, excluded] = [listOf(includeVenues), listOf(excludeVenues)];
  const matches = (list: readonly string[], source: string) => list.some((label) => source === label || source.startsWith(`${label}:`));
  for (const { source } of route) {
    if (source === 'WRAP') continue;
    if (included.length > 0) expect(matches(included, source), source).to.equal(true);
    expect(matches(excluded, source), source).to.equal(false);
  }
}

/** Where a venue settles in the native token itself its hops show the sentinel: these rules are those of the venues of the devnet. */
function checkShape({ route, sellToken, buyToken }: QuoteResponse, { own }: Service): void {
  const wrapped = own?.braid.devnet?.wrappedNative;
  if (wrapped !== undefined) expect(shapeFaults(route, sellToken, buyToken, wrapped)).to.deep.equal([]);
}

function checkTransaction({ transaction, sellToken, sellAmount, taker }: SwapResponse, { settlement }: Service): void {
  const native = sellToken === NATIVE;
  expect(transaction.from).to.equal(taker);
  expect(transaction.value).to.equal(native ? sellAmount : '0');
  expect(transaction.to.toLowerCase()).to.equal((native ? settlement?.router : settlement?.allowanceHolder)?.toLowerCase());
}
