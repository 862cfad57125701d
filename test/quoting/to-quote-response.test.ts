import { expect } from 'chai';
import fc from 'fast-check';
import { serialise, toQuoteResponse } from '../../src/quoting/quoting.ts';
import { asAddress, asWei, NATIVE_TOKEN, ZERO_ADDRESS } from '../../src/units/units.ts';
import { accepted, type Changes, NATIVE, RECIPIENT, TAKER, USDC, WETH } from '../validation/queries.ts';
import { seeded } from '../validation/seeded.ts';
import { COLLECTOR, feeFor, HOLDER, hostedChain, POOL, planFor, planHop, QUOTE_ID, responseOf } from './fixtures.ts';

const COLLECTOR_TEXT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const SENTINEL_CHECKSUMMED = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

function quote(changes: Changes, gross: bigint, planChanges: Parameters<typeof planFor>[2] = {}) {
  const request = accepted(changes);
  return responseOf({ request, plan: planFor(request, gross, planChanges), fee: feeFor(request) });
}

describe('toQuoteResponse', () => {
  it('fills every field', () => {
    expect(quote({ sellAmount: '0001000', taker: TAKER }, 2_500_000n)).to.deep.equal({
      quoteId: QUOTE_ID,
      chainId: 1,
      mode: 'sell',
      sellToken: WETH,
      buyToken: USDC,
      sellAmount: '1000',
      buyAmount: '2497500',
      minBuyAmount: '2485012',
      slippagePct: { jsonNumber: '0.5' },
      amountInUsd: null,
      amountOutUsd: null,
      priceImpact: null,
      // With what paying a fee takes.
      gas: 136_000,
      gasPriceWei: 12_500_000_000n,
      gasUsd: null,
      gasMode: 'guardrail',
      maxHops: 2,
      blockNumber: 24_693_611,
      fee: { feeBps: 10, feeToken: USDC, feeAmount: '2500', partnerAmount: '0', protocolAmount: '2500', partnerShareBps: 0, partner: COLLECTOR_TEXT },
      taker: TAKER,
      recipient: TAKER,
      allowanceTarget: HOLDER,
      route: [
        {
          poolAddress: POOL,
          protocol: 'uniswap_v3',
          source: 'uniswap_v3',
          hook: null,
          tokenIn: WETH,
          tokenOut: USDC,
          amountIn: '1000',
          amountOut: '2500000',
          bps: 10_000,
        },
      ],
    });
  });

  it('amounts beyond 2^53 are exact (complaint 3), and large ones have no exponent (complaint 4)', () => {
    for (const amount of [9007199254740993n, 2n ** 200n + 1n, 25n * 10n ** 23n]) {
      const { sellAmount } = quote({ sellAmount: `${amount}` }, 10n);
      expect(sellAmount).to.equal(`${amount}`);
    }
  });

  describe('mode=sell', () => {
    it('minBuyAmount is floor(buyAmount × (100 − slippagePct) / 100), from the decimal text (S4)', () => {
      const rows: readonly (readonly [string, string, string])[] = [
        ['0.5', '0.5', '995'],
        ['50', '50', '500'],
        ['99', '50', '500'],
        ['0', '0.00001', '999'],
        ['33.333333333333333333333333333', '33.333333333333333333333333333', '666'],
        ['0.1', '0.1', '999'],
        ['0.2', '0.2', '998'],
      ];
      for (const [slippagePct, applied, least] of rows) {
        const request = accepted({ slippagePct });
        const response = responseOf({ request, plan: planFor(request, 1000n), fee: feeFor(request, null) });
        expect([response.slippagePct.jsonNumber, response.minBuyAmount], slippagePct).to.deep.equal([applied, least]);
      }
    });

    it('the floor is the largest integer that the tolerance admits, for amounts of any size', () => {
      const percents = fc.tuple(fc.integer({ min: 1, max: 49 }), fc.stringMatching(/^[0-9]{1,30}$/)).map(([whole, places]) => `${whole}.${places}`);
      fc.assert(
        fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), percents, (gross, slippagePct) => {
          const request = accepted({ slippagePct });
          const { minBuyAmount } = responseOf({ request, plan: planFor(request, gross), fee: null });
          const [whole = '', places = ''] = slippagePct.split('.');
          const kept = 100n * 10n ** BigInt(places.length) - BigInt(whole + places);
          const unit = 100n * 10n ** BigInt(places.length);
          expect(BigInt(minBuyAmount) * unit <= gross * kept && (BigInt(minBuyAmount) + 1n) * unit > gross * kept).to.equal(true);
        }),
        seeded(300),
      );
    });

    it('the fee of a request splits 85 to 15, rounded down for the partner', () => {
      const { fee, buyAmount } = quote({ feeBps: '25', feeRecipient: RECIPIENT }, 9_999n);
      expect(buyAmount).to.equal('9975');
      expect(fee).to.deep.equal({
        feeBps: 25,
        feeToken: USDC,
        feeAmount: '24',
        partnerAmount: '20',
        protocolAmount: '4',
        partnerShareBps: 8500,
        partner: RECIPIENT,
      });
    });

    it('no fee: no block', () => {
      const request = accepted({});
      const response = responseOf({ request, plan: planFor(request, 10n), fee: feeFor(request, null) });
      expect(response).not.to.have.property('fee');
      expect(response.buyAmount).to.equal('10');
    });

    it('an output of nothing is dust (complaint 7); an output of one is a quote', () => {
      const request = accepted({});
      const input = { request, fee: feeFor(request), hosted: hostedChain(), quoteId: QUOTE_ID };
      expect(toQuoteResponse({ ...input, plan: planFor(request, 0n) })).to.deep.equal({ ok: false, reason: 'dust' });
      expect(responseOf({ ...input, plan: planFor(request, 1n) })).to.deep.include({ buyAmount: '1', minBuyAmount: '0' });
    });
  });

  describe('mode=buy', () => {
    it('buyAmount and minBuyAmount are the request exactly, slippagePct is 0, the fee is what lies between gross target and target (S5)', () => {
      const response = quote({ mode: 'buy', buyAmount: '0009990', slippagePct: '3' }, 10_007n);
      expect(response).to.deep.include({ buyAmount: '9990', minBuyAmount: '9990', slippagePct: { jsonNumber: '0' }, sellAmount: '12345' });
      expect(response.fee).to.deep.include({ feeAmount: '9', protocolAmount: '9' });
    });

    it('a plan below its gross target is a bug, not a quote', () => {
      const request = accepted({ mode: 'buy', buyAmount: '9990' });
      const input = { request, fee: feeFor(request), hosted: hostedChain(), quoteId: QUOTE_ID };
      expect(() => toQuoteResponse({ ...input, plan: planFor(request, 9_998n) })).to.throw(/below its target 9999/);
    });
  });

  describe('addresses (R14)', () => {
    const lower = (text: string) => text.toLowerCase();

    it("repeats the caller's text wherever the address occurs, and checksums the others", () => {
      const upper = `0x${USDC.slice(2).toUpperCase()}`;
      const request = accepted({
        sellToken: lower(WETH),
        buyToken: upper,
        taker: lower(TAKER),
        recipient: lower(RECIPIENT),
        feeBps: '10',
        feeRecipient: lower(RECIPIENT),
      });
      const response = responseOf({ request, plan: planFor(request, 1000n), fee: feeFor(request) });
      expect(response).to.deep.include({ sellToken: lower(WETH), buyToken: upper, taker: lower(TAKER), recipient: lower(RECIPIENT), allowanceTarget: HOLDER });
      expect(response.fee).to.deep.include({ feeToken: upper, partner: lower(RECIPIENT) });
      expect(response.route[0]).to.deep.include({ tokenIn: lower(WETH), tokenOut: upper, poolAddress: POOL });
    });

    it('a fee recipient that is nothing else is checksummed', () => {
      expect(quote({ feeBps: '10', feeRecipient: lower(RECIPIENT) }, 1000n).fee?.partner).to.equal(RECIPIENT);
    });

    it('taker and recipient of one address keep their own letters each', () => {
      expect(quote({ taker: TAKER, recipient: lower(TAKER) }, 10n)).to.deep.include({ taker: TAKER, recipient: lower(TAKER) });
    });

    it('is null for what was not sent', () => expect(quote({}, 10n)).to.deep.include({ taker: null, recipient: null }));

    it('the sentinel in a hop has the text of the caller who sent it, else its checksum', () => {
      const native = accepted({ sellToken: NATIVE.replace('ee', 'EE') });
      const hops = (request: typeof native) => [
        planHop(request, { tokenIn: NATIVE_TOKEN, tokenOut: asAddress(WETH), poolAddress: ZERO_ADDRESS, poolKey: '', protocol: 'WRAP', source: 'WRAP' }),
        planHop(request, { tokenIn: asAddress(WETH), hook: COLLECTOR, source: 'uniswap_v4:example', protocol: 'uniswap_v4' }),
      ];
      const [wrap, second] = responseOf({ request: native, plan: planFor(native, 10n, { hops: hops(native) }), fee: null }).route;
      expect(wrap).to.deep.include({ tokenIn: NATIVE.replace('ee', 'EE'), tokenOut: WETH, poolAddress: ZERO_ADDRESS, protocol: 'WRAP', hook: null });
      expect(second).to.deep.include({ hook: COLLECTOR_TEXT, source: 'uniswap_v4:example', tokenIn: WETH });
      const other = accepted({});
      expect(responseOf({ request: other, plan: planFor(other, 10n, { hops: hops(other) }), fee: null }).route[0]?.tokenIn).to.equal(SENTINEL_CHECKSUMMED);
    });
  });

  describe('allowanceTarget (S16, complaint 20)', () => {
    it('is the allowance holder, null for native sells and while there is none', () => {
      const request = accepted({});
      const target = (changes: Changes, hosted = hostedChain()) => {
        const asked = accepted(changes);
        return responseOf({ request: asked, plan: planFor(asked, 10n), fee: null, hosted }).allowanceTarget;
      };
      expect(target({})).to.equal(HOLDER);
      expect(target({ buyToken: NATIVE })).to.equal(HOLDER);
      for (const text of [NATIVE, SENTINEL_CHECKSUMMED]) expect(target({ sellToken: text })).to.equal(null);
      expect(target({}, hostedChain({ allowanceHolder: null }))).to.equal(null);
      expect(
        responseOf({ request, plan: planFor(request, 10n), fee: null, hosted: hostedChain({ router: asAddress(RECIPIENT) }) }).allowanceTarget,
      ).not.to.equal(RECIPIENT);
    });
  });

  describe('USD values (S10)', () => {
    const price = (usd: number, decimals: number) => ({ usd, decimals });

    it('value what is reported, net of fee, to 12 significant digits, with the decimals of each token', () => {
      const prices = { sell: price(2500, 18), buy: price(0.9999, 6), native: price(2500, 18) };
      const response = quote({ sellAmount: '1234567890123456789' }, 3_086_419_725n, { prices });
      expect(response.buyAmount).to.equal('3083333306');
      expect(response.amountInUsd).to.equal(3086.41972531);
      expect(response.amountOutUsd).to.equal(3083.02497267);
      expect(response.priceImpact).to.be.closeTo(3083.02497267 / 3086.41972531, 1e-15);
      // 136,000 gas × 12.5 gwei = 0.0017 native.
      expect(response.gasUsd).to.equal(4.25);
    });

    it('tokens of 0, 2, 6, 8, 18 and 24 decimals (complaint 8)', () => {
      for (const decimals of [0, 2, 6, 8, 18, 24]) {
        const prices = { sell: price(3, decimals), buy: null, native: null };
        expect(quote({ sellAmount: `${7n * 10n ** BigInt(decimals)}` }, 10n, { prices })).to.deep.include({
          amountInUsd: 21,
          amountOutUsd: null,
          priceImpact: null,
          gasUsd: null,
        });
      }
    });

    it('in buy value the solved input and the target', () => {
      const prices = { sell: price(1, 0), buy: price(2, 0), native: null };
      expect(quote({ mode: 'buy', buyAmount: '9990' }, 10_050n, { prices })).to.deep.include({ amountInUsd: 12_345, amountOutUsd: 19_980 });
    });

    it('an unknown gas price gives null, and one beyond 2^53 stays exact', () => {
      expect(quote({}, 10n, { gasPriceWei: null, gasMode: 'blind', prices: { sell: null, buy: null, native: price(2500, 18) } })).to.deep.include({
        gasPriceWei: null,
        gasUsd: null,
      });
      const response = quote({}, 10n, { gasPriceWei: 123456789123456789123n });
      expect(serialise(response)).to.contain('"gasPriceWei":123456789123456789123,');
    });

    it('an input worth nothing has no price impact, and a value beyond floats is null', () => {
      expect(quote({ sellAmount: '1' }, 10n, { prices: { sell: price(0, 0), buy: price(1, 0), native: null } })).to.deep.include({
        amountInUsd: 0,
        priceImpact: null,
      });
      expect(quote({}, 10n, { prices: { sell: price(Number.MAX_VALUE, 0), buy: price(1, 0), native: null } })).to.deep.include({
        amountInUsd: null,
        priceImpact: null,
      });
    });
  });

  it('is valid against its schema for any plan and request', () => {
    const wei = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
    const tokenPrice = fc.option(fc.record({ usd: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), decimals: fc.integer({ min: 0, max: 255 }) }));
    const plan = fc.record({
      prices: fc.record({ sell: tokenPrice, buy: tokenPrice, native: tokenPrice }),
      gasPriceWei: fc.option(fc.bigInt({ min: 0n, max: 10n ** 30n })),
      gas: fc.nat({ max: 30_000_000 }),
      maxHops: fc.integer({ min: 1, max: 7 }),
    });
    const request = fc.record({
      slippagePct: fc.constantFrom('0', '1e-5', '0.5', '49.99999999999999999999', '99'),
      feeBps: fc.nat({ max: 1500 }).map(String),
      sell: fc.boolean(),
      amount: wei,
    });
    fc.assert(
      fc.property(plan, request, wei, (changes, { sell, amount, ...asked }, gross) => {
        const mode = sell ? { mode: 'sell', sellAmount: `${amount}` } : { mode: 'buy', buyAmount: `${amount / 2n + 1n}` };
        const decoded = accepted({ ...asked, ...mode, feeRecipient: RECIPIENT });
        const reached = sell ? gross : asWei(2n ** 256n - 1n);
        const response = responseOf({ request: decoded, plan: planFor(decoded, reached, changes), fee: feeFor(decoded) });
        // Net plus fee is gross, or the gross target.
        if (sell) expect(BigInt(response.buyAmount) + BigInt(response.fee?.feeAmount ?? 0)).to.equal(gross);
        else expect(response.buyAmount).to.equal(mode.buyAmount);
      }),
      seeded(500),
    );
  });
});
