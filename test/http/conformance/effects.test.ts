import { expect } from 'chai';
import type { QuoteResponse } from '../../../schemas/types.gen.ts';
import { expectPlainRefusal } from '../support/checks.ts';
import { needsOwn, needsSwaps, POLICY, type Service, useService } from './support/service.ts';
import { askQuote, atOneBlock, buying, depthOf, quoteOf, swapOf } from './support/trades.ts';

const FEE_RECIPIENT = '0x00000000000000000000000000000000000000Ab';

/** amount × (100 − percent) / 100, rounded down, from the decimal text of the percentage (S4). */
function floorOf(amount: string, percent: string): string {
  const [whole = '0', fraction = ''] = percent.split('.');
  const unit = 100n * 10n ** BigInt(fraction.length);
  return ((BigInt(amount) * (unit - BigInt(whole + fraction))) / unit).toString();
}

function tokenOf(service: Service, symbol: string): string {
  return service.own?.braid.devnet?.tokens.find((token) => token.symbol === symbol)?.address ?? '';
}

describe('Endpoints: what the parameters do', () => {
  const service = useService();

  it('mode: `sell` is exact-in: fix `sellAmount`, maximize output', async () => {
    for (const label of service().labels) {
      if ((await askQuote(service(), { includeVenues: label })).status !== 200) continue;
      const pair = await atOneBlock(
        () => quoteOf(service()),
        () => quoteOf(service(), { includeVenues: label }),
      );
      if (pair === null) continue;
      const [quote, narrow] = pair;
      expect([quote.mode, quote.sellAmount]).to.deep.equal(['sell', service().sellAmount]);
      // Gas decides too, so that the best amount may lose against a cheaper route by what its gas is worth; ordinary sizes lie far above.
      expect(BigInt(quote.buyAmount) * 1000n >= BigInt(narrow.buyAmount) * 999n, label).to.equal(true);
    }
  });

  it('mode: `buy` is exact-out: fix `buyAmount`, minimize input; it equals exactly the requested target (complaint 2)', async () => {
    const target = BigInt(service().buyAmount);
    for (const buyAmount of [target, target + 1n, target / 3n + 7n].map(String)) {
      for (const maxHops of [undefined, '1', '2', '4']) {
        const quote = await quoteOf(service(), { ...buying(service()), buyAmount, maxHops });
        expect(quote.mode).to.equal('buy');
        expect(quote.buyAmount).to.equal(buyAmount);
        expect(quote.minBuyAmount).to.equal(buyAmount);
      }
    }
    // The least input, held against selling that input: it yields no less than was asked, but for what gas lets go.
    let sellAmount = '';
    const pair = await atOneBlock(
      async () => {
        const bought = await quoteOf(service(), buying(service()));
        sellAmount = bought.sellAmount;
        return bought;
      },
      () => quoteOf(service(), { sellAmount }),
    );
    if (pair !== null) expect(BigInt(pair[1].buyAmount) * 1000n >= target * 999n).to.equal(true);
  });

  it('slippagePct: Percent (0.5 means 0.50%). Default 0.5. Sets `minBuyAmount` in `sell` only (S4)', async () => {
    expect((await quoteOf(service())).slippagePct).to.equal(0.5);
    for (const [sent, applied] of [
      [undefined, '0.5'],
      ['0', '0.00001'],
      ['0.123456789', '0.123456789'],
      ['7.5', '7.5'],
      ['49.99999', '49.99999'],
      ['99', '50'],
    ] as const) {
      const quote = await quoteOf(service(), { slippagePct: sent });
      expect(quote.minBuyAmount, applied).to.equal(floorOf(quote.buyAmount, applied));
    }
    const buy = await quoteOf(service(), { ...buying(service()), slippagePct: '10' });
    expect([buy.slippagePct, buy.minBuyAmount]).to.deep.equal([0, service().buyAmount]);
  });

  it('maxHops: An explicit value is honored verbatim', async () => {
    for (const maxHops of [1, 2, 3, 4, 7]) {
      const quote = await quoteOf(service(), { maxHops: String(maxHops) });
      expect(quote.maxHops).to.equal(maxHops);
      expect(depthOf(quote)).to.be.within(1, maxHops);
    }
  });

  it('maxHops: An explicit value is never escalated: one hop where two are needed is 404', async function () {
    needsOwn(this, service());
    // MUTE trades against WETH only, and SEAT not against MUTE.
    const pair = { sellToken: tokenOf(service(), 'MUTE'), buyToken: tokenOf(service(), 'SEAT'), sellAmount: String(1000n * 10n ** 18n) };
    await expectPlainRefusal(await askQuote(service(), { ...pair, maxHops: '1' }), 404);
    expect(depthOf(await quoteOf(service(), { ...pair, maxHops: '2' }))).to.equal(2);
  });

  it('gasPriceGwei: used for `gasUsd`: twice the price is twice the value; it is no part of the transaction', async () => {
    const once = await quoteOf(service(), { gasPriceGwei: '1', maxHops: '1', includeVenues: await oneVenue() });
    const twice = await quoteOf(service(), { gasPriceGwei: '2', maxHops: '1', includeVenues: await oneVenue() });
    expect([once.gasPriceWei, twice.gasPriceWei]).to.deep.equal([1_000_000_000, 2_000_000_000]);
    if (service().own !== null) expect([once.gasUsd, twice.gasUsd]).not.to.include(null);
    if (once.gasUsd === null || twice.gasUsd === null) return;
    expect(Number(twice.gasUsd) / Number(twice.gas)).to.be.closeTo((2 * Number(once.gasUsd)) / Number(once.gas), 1e-9 * Number(once.gasUsd));
  });

  it("gasPriceGwei: When omitted, the chain's live feed is used (head base fee floored at the chain's minimum gas price)", async function () {
    const own = needsOwn(this, service());
    const { rpcUrl } = own.braid.devnet ?? { rpcUrl: '' };
    const quote = await quoteOf(service());
    const block = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [`0x${quote.blockNumber.toString(16)}`, false] };
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(block) });
    const { result } = (await answer.json()) as { result: { baseFeePerGas: string } };
    const baseFee = Number(BigInt(result.baseFeePerGas));
    expect(quote.gasPriceWei).to.equal(Math.max(baseFee, 1_000_000_000));
    expect(quote.gasMode).to.be.oneOf(['guardrail', 'prune']);
  });

  it('taker, recipient: echoed; recipient defaults to `taker`, null on taker-less quotes', async () => {
    const [taker, recipient] = ['0x00000000000000000000000000000000000A11cE', '0x0000000000000000000000000000000000000B0b'];
    const fields = ({ taker: left, recipient: right }: QuoteResponse) => [left, right];
    expect(fields(await quoteOf(service()))).to.deep.equal([null, null]);
    expect(fields(await quoteOf(service(), { taker }))).to.deep.equal([taker, taker]);
    expect(fields(await quoteOf(service(), { taker, recipient }))).to.deep.equal([taker, recipient]);
    expect(fields(await quoteOf(service(), { recipient }))).to.deep.equal([null, recipient]);
  });

  it('feeBps: A request-supplied fee splits 85% to `feeRecipient` and 15% to the protocol; `buyAmount` and `minBuyAmount` are returned net (S5)', async () => {
    for (const feeBps of ['1', '333', '1500']) {
      const { fee, buyAmount, minBuyAmount, buyToken } = await quoteOf(service(), { feeBps, feeRecipient: FEE_RECIPIENT }, { key: null });
      if (fee === undefined) throw new Error('no fee block');
      const amount = BigInt(fee.feeAmount);
      const gross = BigInt(buyAmount) + amount;
      expect(amount).to.equal((gross * BigInt(feeBps)) / 10_000n);
      const partnerAmount = (amount * 85n) / 100n;
      expect(fee).to.deep.equal({
        feeBps: Number(feeBps),
        feeToken: buyToken,
        feeAmount: fee.feeAmount,
        partnerAmount: String(partnerAmount),
        protocolAmount: String(amount - partnerAmount),
        partnerShareBps: 8500,
        partner: fee.partner,
      });
      expect(fee.partner.toLowerCase()).to.equal(FEE_RECIPIENT.toLowerCase());
      expect(minBuyAmount).to.equal(floorOf(buyAmount, '0.5'));
    }
  });

  it('feeBps: In `buy` the routing target is grossed up so the recipient still gets exactly the requested amount after the fee (S5)', async () => {
    const { fee, buyAmount, route } = await quoteOf(service(), { ...buying(service()), feeBps: '777', feeRecipient: FEE_RECIPIENT }, { key: null });
    if (fee === undefined) throw new Error('no fee block');
    expect(buyAmount).to.equal(service().buyAmount);
    const target = BigInt(buyAmount);
    const gross = target + BigInt(fee.feeAmount);
    const netOf = (amount: bigint) => amount - (amount * 777n) / 10_000n;
    expect(netOf(gross)).to.equal(target);
    expect(netOf(gross - 1n) < target).to.equal(true);
    const yielded = route
      .filter(({ tokenOut }) => tokenOut.toLowerCase() === service().buyToken.toLowerCase())
      .reduce((sum, hop) => sum + BigInt(hop.amountOut), 0n);
    expect(yielded >= gross).to.equal(true);
  });

  it('feeBps: Ignored when the API key carries a server-side fee policy, but still no fee without a feeRecipient (R12)', async function () {
    const { policyKey } = needsOwn(this, service());
    const { fee } = await quoteOf(service(), { feeBps: '1000', feeRecipient: FEE_RECIPIENT }, { key: policyKey });
    expect(fee).to.include({ feeBps: POLICY.feeBps, partnerShareBps: POLICY.partnerShareBps });
    expect(fee?.partner.toLowerCase()).to.equal(POLICY.partner.toLowerCase());
    await expectPlainRefusal(await askQuote(service(), { feeBps: '1000' }, { key: policyKey }), 400);
  });

  it('feeBps: 0 is no request fee: with a key nothing, without one the anonymous fee (R12)', async () => {
    const zero = { feeBps: '0', feeRecipient: FEE_RECIPIENT };
    expect((await quoteOf(service(), zero, { key: null })).fee).to.include({ feeBps: 10, partnerShareBps: 0 });
    const { own } = service();
    if (own !== null) expect(await quoteOf(service(), zero, { key: own.key(50) })).not.to.have.property('fee');
  });

  it('timeLimitMs: direct routes are always considered: unloaded, `timeLimitMs=50` is never 503 (B5)', async () => {
    for (let i = 0; i < 10; i++) await quoteOf(service(), { timeLimitMs: '50' });
  });

  it('excludeRfq, excludeRwa, and a `timeLimitMs` below 300 leave on-chain venues routable', async () => {
    const plain = await quoteOf(service(), { excludeRfq: 'true' });
    expect(plain.route).to.have.length.at.least(1);
    for (const changes of [{ excludeRwa: '1' }, { excludeRfq: 'true', excludeRwa: 'true' }, { timeLimitMs: '299' }]) await quoteOf(service(), changes);
  });

  it('amounts of 9007199254740993 and 2^200+1 base units are echoed exactly, and no body holds an exponent (complaints 3 and 4)', async () => {
    for (const amount of ['9007199254740993', String(2n ** 200n + 1n)]) {
      for (const pair of [{}, { sellToken: service().buyToken, buyToken: service().sellToken }]) {
        const response = await askQuote(service(), { ...pair, sellAmount: amount });
        expect(response.status).to.be.oneOf([200, 404]);
        const text = await response.text();
        expect(text).not.to.contain('e+');
        if (response.status === 200) expect(text).to.contain(`"sellAmount":"${amount}"`);
      }
    }
  });

  it('2.5e24 base units quote fine: of 24 decimals that is two and a half tokens (complaint 4)', async function () {
    needsOwn(this, service());
    const { sellAmount } = await quoteOf(service(), {
      sellToken: tokenOf(service(), 'NEAR'),
      buyToken: tokenOf(service(), 'USDC'),
      sellAmount: `25${'0'.repeat(23)}`,
    });
    expect(sellAmount).to.equal(`25${'0'.repeat(23)}`);
    const { buyAmount } = await quoteOf(service(), {
      ...buying(service()),
      sellToken: tokenOf(service(), 'USDC'),
      buyToken: tokenOf(service(), 'NEAR'),
      buyAmount: '2500000000000000000000001',
    });
    expect(buyAmount).to.equal('2500000000000000000000001');
  });

  it('userAddress: It never gates settlement', async function () {
    needsSwaps(this, service());
    const { transaction, taker } = await swapOf(service(), { userAddress: '0x0000000000000000000000000000000000000B0b' });
    expect([transaction.from, taker].map((address) => address?.toLowerCase())).to.deep.equal(Array(2).fill('0x00000000000000000000000000000000000a11ce'));
    expect(transaction.data.toLowerCase()).not.to.contain('0b0b0b'.padStart(40, '0'));
  });

  /** A label through which the pair has a direct way. */
  async function oneVenue(): Promise<string> {
    const { route } = await quoteOf(service(), { maxHops: '1' });
    return route.find(({ protocol }) => protocol !== 'WRAP')?.source ?? '';
  }
});
