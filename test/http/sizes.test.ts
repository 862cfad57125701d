import { expect } from 'chai';
import type { QuoteResponse } from '../../schemas/types.gen.ts';
import { type Client, createClient } from './conformance/support/client.ts';
import { expectPlainRefusal, expectQuote } from './support/checks.ts';
import { type PricedToken, startPricedBraid, tokenNamed, WETH, worth } from './support/priced-pool-set.ts';

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const DECIMALS = ['SEAT', 'GUSD', 'USDC', 'WBTC', 'USDT', 'WETH', 'NEAR'].map((symbol) => (symbol === 'WETH' ? WETH : tokenNamed(symbol)));
/** Interface specification, maxHops. */
const THRESHOLDS = [
  { usd: 25_000, below: 2, from: 3 },
  { usd: 250_000, below: 3, from: 4 },
  { usd: 10_000_000, below: 4, from: 6 },
] as const;

describe('sizes in USD, over a pool set with prices', function suite() {
  this.timeout(300_000);
  let braid: Awaited<ReturnType<typeof startPricedBraid>>;
  let client: Client;

  before(async () => {
    braid = await startPricedBraid();
    client = createClient(braid.url, braid.key);
  });
  after(() => braid.stop());

  type Trade = { readonly sell: PricedToken; readonly buy: PricedToken; readonly amount: bigint; readonly mode?: 'sell' | 'buy'; readonly maxHops?: number };
  function ask({ sell, buy, amount, mode = 'sell', maxHops }: Trade): Promise<Response> {
    const query = { chainId: '1', mode, sellToken: sell.address, buyToken: buy.address, [`${mode}Amount`]: String(amount) };
    return client.ask(`/v1/quote?${new URLSearchParams({ ...query, ...(maxHops === undefined ? {} : { maxHops: String(maxHops) }) })}`);
  }
  const quote = async (trade: Trade): Promise<QuoteResponse> => expectQuote(await ask(trade));
  const partnerOf = (token: PricedToken) => (token.symbol === 'USDC' ? WETH : tokenNamed('USDC'));
  /** The largest amount that is clearly below one: by a base unit, or by a billionth where a unit is finer. */
  const clearlyBelow = (amount: bigint) => amount - (amount / 1_000_000_000n || 1n);

  for (const token of DECIMALS) {
    const { symbol, decimals, usd } = token;

    it(`USD value of the input and of the output at the prices of the file (complaint 8): ${decimals} decimals, ${symbol}`, async () => {
      const partner = partnerOf(token);
      for (const dollars of [800, 120_000]) {
        for (const [sell, buy] of [
          [token, partner],
          [partner, token],
        ] as const) {
          const amount = worth(sell, dollars);
          const body = await quote({ sell, buy, amount });
          expect(body.amountInUsd).to.be.closeTo((Number(amount) / 10 ** sell.decimals) * sell.usd, dollars * 1e-11);
          expect(body.amountOutUsd).to.be.closeTo((Number(body.buyAmount) / 10 ** buy.decimals) * buy.usd, dollars * 1e-11);
          expect(body.priceImpact).to.be.closeTo(Number(body.amountOutUsd) / Number(body.amountInUsd), 1e-15);
          // Two pools at 30 bps with 230 million behind them; what a whole seat is worth may be lost to rounding.
          expect(body.priceImpact).to.be.within(0.98 - (decimals === 0 ? 40 / dollars : 0), 1);
        }
      }
      expect(usd).to.be.greaterThan(0);
    });

    for (const { usd: threshold, below, from } of THRESHOLDS) {
      it(`default hop depth by size (complaints 8 and 21): ${decimals} decimals, ${symbol}: ${below} below ${threshold} USD and ${from} from there`, async () => {
        const amount = worth(token, threshold);
        const partner = partnerOf(token);
        for (const mode of ['sell', 'buy'] as const) {
          const [sell, buy] = mode === 'sell' ? [token, partner] : [partner, token];
          expect((await quote({ sell, buy, mode, amount: clearlyBelow(amount) })).maxHops, `${mode} below`).to.equal(below);
          expect((await quote({ sell, buy, mode, amount })).maxHops, `${mode} at`).to.equal(from);
          expect((await quote({ sell, buy, mode, amount: amount + 1n })).maxHops, `${mode} above`).to.equal(from);
        }
      });
    }
  }

  it('the native token is priced as its wrapped form', async () => {
    const native = { ...WETH, address: NATIVE };
    const body = await quote({ sell: native, buy: tokenNamed('USDC'), amount: worth(WETH, 25_000) });
    expect([body.amountInUsd, body.maxHops]).to.deep.equal([25_000, 3]);
  });

  for (const [from, to] of [
    ['USDC', 'WBTC'],
    ['SEAT', 'NEAR'],
    ['USDT', 'GUSD'],
    ['WETH', 'USDC'],
  ] as const) {
    it(`output is monotone in input across the depth thresholds: ${from} for ${to} (complaint 21)`, async () => {
      const [sell, buy] = [from, to].map((symbol) => (symbol === 'WETH' ? WETH : tokenNamed(symbol))) as [PricedToken, PricedToken];
      const around = THRESHOLDS.flatMap(({ usd }) => [0.98, 0.999, 0.9999, 1, 1.0001, 1.001, 1.02].map((factor) => usd * factor));
      const between = Array.from({ length: 24 }, (_, i) => 10_000 * 1.4 ** i);
      let last = 0n;
      for (const dollars of [...around, ...between].sort((a, b) => a - b)) {
        const body = await quote({ sell, buy, amount: worth(sell, dollars) });
        // Shares of a split are whole basis points: a ten-thousandth of what the larger trade gives may be lost to them.
        expect(BigInt(body.buyAmount) >= last - last / 10_000n, `${dollars} USD: ${body.buyAmount} after ${last}`).to.equal(true);
        last = BigInt(body.buyAmount) > last ? BigInt(body.buyAmount) : last;
      }
    });
  }

  describe('R17: omitted and no route found: one step deeper at a time up to 4', () => {
    const small = (link: number, maxHops?: number) => ({
      sell: WETH,
      buy: tokenNamed(`LINK${link}`),
      amount: worth(WETH, 1000),
      ...(maxHops === undefined ? {} : { maxHops }),
    });

    it('from 2: what is 2, 3 or 4 hops away is found at just that depth, what is 5 away is not', async () => {
      expect((await quote(small(0))).maxHops).to.equal(2);
      expect((await quote(small(1))).maxHops).to.equal(3);
      expect((await quote(small(2))).maxHops).to.equal(4);
      await expectPlainRefusal(await ask(small(3)), 404);
    });

    it('an explicit value is never escalated', async () => {
      for (const hops of [1, 2, 3, 4]) await expectPlainRefusal(await ask(small(3, hops)), 404);
      expect((await quote(small(3, 5))).maxHops).to.equal(5);
      expect((await quote(small(4, 6))).route).to.have.length.at.least(6);
      expect((await quote(small(5, 7))).maxHops).to.equal(7);
    });

    it('from 3 to 4; 4 and 6 never escalate', async () => {
      const sized = (link: number, dollars: number) => ({ ...small(link), amount: worth(WETH, dollars) });
      expect((await quote(sized(2, 30_000))).maxHops).to.equal(4);
      await expectPlainRefusal(await ask(sized(3, 30_000)), 404);
      await expectPlainRefusal(await ask(sized(3, 300_000)), 404);
      expect((await quote(sized(4, 10_000_000))).maxHops).to.equal(6);
      await expectPlainRefusal(await ask(sized(5, 10_000_000)), 404);
    });
  });

  describe('R17: a side without a price', () => {
    const [dark, dim, usdc] = [tokenNamed('DARK'), tokenNamed('DIM'), tokenNamed('USDC')];

    it('the size is that of the other side by the best direct quote', async () => {
      for (const [dollars, depth] of [
        [1000, 2],
        [30_000, 3],
        [300_000, 4],
        [11_000_000, 6],
      ] as const) {
        const sold = await quote({ sell: dark, buy: usdc, amount: worth(dark, dollars) });
        expect([sold.maxHops, sold.amountInUsd, sold.priceImpact], `sell ${dollars}`).to.deep.equal([depth, null, null]);
        const bought = await quote({ sell: usdc, buy: dark, mode: 'buy', amount: worth(dark, dollars) });
        expect([bought.maxHops, bought.amountOutUsd, bought.priceImpact], `buy ${dollars}`).to.deep.equal([depth, null, null]);
      }
    });

    it('if still unpriced, depth 3', async () => {
      for (const dollars of [1, 1000, 20_000_000]) expect((await quote({ sell: dark, buy: dim, amount: worth(dark, dollars) })).maxHops).to.equal(3);
    });
  });
});
