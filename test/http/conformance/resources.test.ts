import { expect } from 'chai';
import type { QuoteResponse } from '../../../schemas/types.gen.ts';
import { shapeFaults } from '../../e2e/replay.ts';
import { NATIVE, needsOwn, needsWrappedNative, useService, ZERO } from './support/service.ts';
import { askQuote, buying, expectReplay, quoteOf } from './support/trades.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('Resources and their fields: QuoteResponse', () => {
  const service = useService();

  it('Required fields and their types, in both modes: the schema that interface and code share; optional fields are null when unknown (S1)', async () => {
    for (const changes of [
      {},
      buying(service()),
      { sellToken: NATIVE, sellAmount: '1000000000000000000' },
      { taker: '0x00000000000000000000000000000000000A11cE' },
    ]) {
      const quote = await quoteOf(service(), changes);
      expect(quote.quoteId).to.match(UUID);
      expect(quote.chainId).to.equal(service().chainId);
      for (const name of ['amountInUsd', 'amountOutUsd', 'priceImpact', 'gasPriceWei', 'gasUsd', 'taker', 'recipient', 'allowanceTarget'])
        expect(quote).to.have.property(name);
      for (const name of ['transaction', 'deadline', 'rfqExpiry', 'driftExposedShareBps', 'permit2']) expect(quote).not.to.have.property(name);
    }
  });

  it('buyAmount is output from exact integer re-simulation, net of any fee and gross of gas (gas is never deducted): what the hops into the buy token give, less the fee', async () => {
    for (const [changes, key] of [
      [{}, undefined],
      [{}, null],
      [{ gasPriceGwei: '5000' }, undefined],
    ] as const) {
      const { route, buyToken, buyAmount, fee } = await quoteOf(service(), changes, key === undefined ? {} : { key });
      const gross = route
        .filter(({ tokenOut }) => tokenOut.toLowerCase() === buyToken.toLowerCase())
        .reduce((sum, { amountOut }) => sum + BigInt(amountOut), 0n);
      expect(BigInt(buyAmount) + BigInt(fee?.feeAmount ?? 0)).to.equal(gross);
    }
  });

  it('In `buy` sellAmount is the solved input, which is the maximum the taker funds: what the hops out of the sell token take', async () => {
    const { route, sellToken, sellAmount } = await quoteOf(service(), buying(service()));
    const spent = route.filter(({ tokenIn }) => tokenIn.toLowerCase() === sellToken.toLowerCase()).reduce((sum, { amountIn }) => sum + BigInt(amountIn), 0n);
    expect(String(spent)).to.equal(sellAmount);
  });

  it('priceImpact is the ratio `amountOutUsd / amountInUsd`, null when either side is unpriced; gasUsd is null when unpriced', async () => {
    const { priceImpact, amountInUsd, amountOutUsd, gasUsd, gasPriceWei } = await quoteOf(service());
    // The embedded chain has a price of both.
    if (service().own !== null) expect([amountInUsd, amountOutUsd, gasUsd]).not.to.include(null);
    if (amountInUsd == null || amountOutUsd == null) expect(priceImpact).to.equal(null);
    // Of two decimals: to divide the floats that stand for them may differ in the last place.
    else expect(priceImpact).to.be.closeTo(amountOutUsd / amountInUsd, 1e-15);
    if (gasPriceWei === null) expect(gasUsd).to.equal(null);
  });

  it('gas: estimated total plan gas units, Always present, a positive integer', async () => {
    for (const changes of [{}, buying(service()), { maxHops: '1' }]) {
      const { gas } = await quoteOf(service(), changes);
      expect(Number.isSafeInteger(gas) && gas > 20_000 && gas < 30_000_000, String(gas)).to.equal(true);
    }
  });

  it('gasPriceWei May exceed 2^53: as an exact JSON integer (S3)', async () => {
    const text = await (await askQuote(service(), { gasPriceGwei: '9007199.254740993' })).text();
    expect(text).to.match(/"gasPriceWei":9007199254740993[,}]/);
  });

  it('gasMode is one of `blind`, `guardrail`, `prune`, and not `blind` where a gas price is sent (S9)', async () => {
    expect((await quoteOf(service())).gasMode).to.be.oneOf(['blind', 'guardrail', 'prune']);
    expect((await quoteOf(service(), { gasPriceGwei: '3' })).gasMode).to.be.oneOf(['guardrail', 'prune']);
  });

  it('blockNumber: the block at which the state snapshot was pinned: it never goes back', async () => {
    let last = 0;
    for (let i = 0; i < 5; i++) {
      const { blockNumber } = await quoteOf(service());
      expect(blockNumber).to.be.at.least(last);
      last = blockNumber;
    }
  });

  it('warnings: Omitted when empty; The only quote-level code is `FEE_ON_TRANSFER`', async () => {
    for (const changes of [{}, buying(service()), { sellAmount: `${service().sellAmount}00` }]) {
      const response = await askQuote(service(), changes);
      if (response.status !== 200) continue;
      const { warnings } = (await response.json()) as QuoteResponse;
      if (warnings === undefined) continue;
      expect(warnings.length).to.be.greaterThan(0);
      expect([...new Set(warnings.map(({ code }) => code))]).to.deep.equal(['FEE_ON_TRANSFER']);
    }
  });

  it('allowanceTarget: Contract the taker must approve; the allowance holder on a quote (S16), null for native-token sells, never the router (complaint 20)', async () => {
    const { settlement } = service();
    const { allowanceTarget } = await quoteOf(service());
    expect((await quoteOf(service(), { sellToken: NATIVE, sellAmount: '1000000000000000000' })).allowanceTarget).to.equal(null);
    if (settlement === null) return;
    expect(allowanceTarget?.toLowerCase()).to.equal(settlement.allowanceHolder.toLowerCase());
    expect(allowanceTarget?.toLowerCase()).not.to.equal(settlement.router.toLowerCase());
  });
});

describe('Resources and their fields: RouteHop', () => {
  const service = useService();

  it('bps: share of the source token’s balance at that point, in the listed order, exact; hops in topological order (S6, S7, S8)', async () => {
    const { wrappedNative, sellToken, buyToken, sellAmount } = service();
    const trades = [{}, buying(service()), { sellAmount: `${sellAmount}0` }, { sellAmount: `${sellAmount}0`, maxHops: '4' }];
    for (const changes of trades) {
      const response = await askQuote(service(), changes);
      if (response.status !== 200) continue;
      const quote = (await response.json()) as QuoteResponse;
      expectReplay(quote);
      // Where a venue settles in the native token itself its hops show the sentinel: these rules are those of the other venues.
      if (wrappedNative !== null && service().own !== null) expect(shapeFaults(quote.route, sellToken, buyToken, wrappedNative)).to.deep.equal([]);
    }
  });

  it('Several hops with the same source token show splits of that balance: first-level inputs sum to `sellAmount` to the wei, for primes and odd splits (complaint 11)', async function () {
    needsOwn(this, service());
    let split = 0;
    for (const sellAmount of [1_000_000_000_000_000_003n, 500_000_000_000_000_000_009n, 1_999_999_999_999_999_999_999n, 7n].map(String)) {
      const response = await askQuote(service(), { sellAmount });
      if (response.status === 404) continue;
      const { route, sellToken } = (await response.json()) as QuoteResponse;
      const first = route.filter(({ tokenIn }) => tokenIn.toLowerCase() === sellToken.toLowerCase());
      expect(String(first.reduce((sum, { amountIn }) => sum + BigInt(amountIn), 0n))).to.equal(sellAmount);
      expect(first.at(-1)?.bps).to.equal(10_000);
      if (first.length > 1) split++;
    }
    expect(split).to.be.at.least(2);
  });

  it('source: hook null means that it equals `protocol`; else it is `family:variant` (S20); every source is one that the sources endpoint lists', async () => {
    for (const changes of [{}, buying(service()), { sellAmount: `${service().sellAmount}0` }]) {
      const response = await askQuote(service(), changes);
      if (response.status !== 200) continue;
      const { route } = (await response.json()) as QuoteResponse;
      for (const { protocol, source, hook } of route) {
        if (hook === null || hook === undefined) expect(source).to.equal(protocol);
        else expect(source).to.match(new RegExp(`^${protocol}:.+`));
        if (protocol !== 'WRAP') expect(service().labels).to.include(source);
      }
    }
  });

  it('D6 sentinel↔wrapped: not an error: one synthetic `WRAP` hop, zero pool address, 1:1 before fee, never through a pool (R10, complaint 6)', async function () {
    const wrappedNative = needsWrappedNative(this, service());
    for (const [sellToken, buyToken] of [
      [NATIVE, wrappedNative],
      [wrappedNative, `0x${NATIVE.slice(2).toUpperCase()}`],
    ]) {
      for (const mode of ['sell', 'buy']) {
        const amount = '1234567890123456789';
        const pair = { mode, sellToken, buyToken, sellAmount: mode === 'sell' ? amount : undefined, buyAmount: mode === 'buy' ? amount : undefined };
        const { route, fee, ...rest } = await quoteOf(service(), { ...pair, maxHops: '1' });
        expect(route).to.have.length(1);
        expect(route[0]).to.include({ protocol: 'WRAP', source: 'WRAP', poolAddress: ZERO, hook: null, bps: 10_000 });
        expect(route[0]?.amountIn).to.equal(route[0]?.amountOut);
        expect(rest.sellAmount).to.equal(route[0]?.amountIn);
        const feeAmount = BigInt(fee?.feeAmount ?? 0);
        expect(BigInt(rest.buyAmount) + feeAmount).to.equal(BigInt(rest.sellAmount));
        if (rest.amountInUsd !== null && fee === undefined) expect(rest.priceImpact).to.equal(1);
      }
    }
  });
});

describe('Resources and their fields: FeeBreakdown', () => {
  const service = useService();

  it('feeToken: Always the buy token, in both modes and as the caller wrote it; feeAmount is in it', async () => {
    for (const changes of [{}, buying(service()), { buyToken: service().buyToken.toLowerCase() }]) {
      const { fee, buyToken } = await quoteOf(service(), changes, { key: null });
      expect(fee?.feeToken).to.equal(buyToken);
    }
  });

  it('the anonymous fee: `partnerAmount` "0", `partnerShareBps` 0, `protocolAmount` all of it (R13), rounded down (S5)', async () => {
    const { fee, buyAmount } = await quoteOf(service(), {}, { key: null });
    if (fee === undefined) throw new Error('no fee block');
    const gross = BigInt(buyAmount) + BigInt(fee.feeAmount);
    expect(BigInt(fee.feeAmount)).to.equal((gross * 10n) / 10_000n);
    expect(fee).to.include({ feeBps: 10, partnerAmount: '0', protocolAmount: fee.feeAmount, partnerShareBps: 0 });
    expect(fee.partner).not.to.equal(ZERO);
  });
});
