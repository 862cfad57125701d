import { expect } from 'chai';
import type { QuoteResponse, SwapResponse } from '../../schemas/types.gen.ts';
import { type Devnet, plainMarket } from '../../src/devnet/devnet.ts';
import { useBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';

const TAKER = '0x00000000000000000000000000000000000A11cE';
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const GWEI = 1_000_000_000;

describe('values in USD, by the prices of the chain', function suite() {
  this.timeout(300_000);
  const braid = useBraid();

  function devnet(): Devnet {
    const { devnet: chain } = braid.current();
    if (chain === null) throw new Error('only on the devnet');
    return chain;
  }

  function addressOf(symbol: string): string {
    const found = devnet().tokens.find((token) => token.symbol === symbol)?.address;
    if (found === undefined) throw new Error(symbol);
    return found;
  }

  async function ask<Response = QuoteResponse>(parameters: Readonly<Record<string, string>>, path = 'quote'): Promise<Response> {
    const { publicUrl, apiKey } = braid.current();
    const query = new URLSearchParams({ chainId: '31337', mode: 'sell', taker: TAKER, ...parameters });
    const response = await fetchPatiently(`${publicUrl}/v1/${path}?${query}`, { headers: { 'x-api-key': apiKey ?? '' } });
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).to.equal(200);
    return body as Response;
  }

  async function rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(devnet().rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return ((await response.json()) as { readonly result: unknown }).result;
  }

  it('of every token with decimals: within 0.5% of what it is worth, either side, in both modes, and their quotient is the impact (S10)', async () => {
    for (const { symbol, address, decimals, usd } of plainMarket(devnet()).tokens) {
      if (decimals === null || symbol === 'USDC') continue;
      // In millionths of a token first; of a token that can not be divided, one.
      const millionths = BigInt(Math.round((50 / usd) * 1e6));
      const amount = String((millionths * 10n ** BigInt(decimals)) / 1_000_000n);
      const worth = (Number(amount) / 10 ** decimals) * usd;
      const sold = await ask({ sellToken: address, buyToken: addressOf('USDC'), sellAmount: amount });
      const bought = await ask({ mode: 'buy', sellToken: addressOf('USDC'), buyToken: address, buyAmount: amount });
      expect(sold.amountInUsd, symbol).to.be.closeTo(worth, worth * 0.005);
      expect(bought.amountOutUsd, symbol).to.be.closeTo(worth, worth * 0.005);
      for (const { amountInUsd, amountOutUsd, priceImpact } of [sold, bought]) {
        for (const value of [amountInUsd, amountOutUsd]) expect(Number(Number(value).toPrecision(12)), symbol).to.equal(value);
        expect(priceImpact, symbol).to.be.closeTo(Number(amountOutUsd) / Number(amountInUsd), 1e-15);
      }
      expect(sold.amountOutUsd, symbol).to.equal(Number(sold.buyAmount) / 1e6);
      expect(bought.amountInUsd, symbol).to.equal(Number(bought.sellAmount) / 1e6);
    }
  });

  it('of a token without a price: null, and so is the impact; what is priced still is', async () => {
    const sold = await ask({ sellToken: addressOf('MUTE'), buyToken: addressOf('USDC'), sellAmount: String(10n ** 20n) });
    expect([sold.amountInUsd, sold.priceImpact, sold.amountOutUsd]).to.deep.equal([null, null, Number(sold.buyAmount) / 1e6]);
    const bought = await ask({ sellToken: addressOf('USDC'), buyToken: addressOf('MUTE'), sellAmount: '50000000' });
    expect([bought.amountInUsd, bought.amountOutUsd, bought.priceImpact]).to.deep.equal([50, null, null]);
    expect(bought.gasUsd).to.be.above(0);
  });

  it('of gas: its units at the gas price, by the price of the native token, and gas prunes (S9)', async () => {
    for (const changes of [{}, { gasPriceGwei: '7.000000001' }, { sellToken: NATIVE }]) {
      const quote = await ask({ sellToken: addressOf('WETH'), buyToken: addressOf('USDC'), sellAmount: String(10n ** 18n), ...changes });
      expect(quote.gasMode).to.equal('prune');
      expect(quote.gasUsd).to.be.closeTo((Number(quote.gas) * Number(quote.gasPriceWei) * 2500) / 1e18, 1e-9);
    }
  });

  it('decide how deep is searched by default: 2 hops below 25,000 USD, 3 from there, 4 from 250,000 and 6 from 10,000,000, of what the request fixes (R17)', async () => {
    for (const [usd, hops] of [
      ['24999.999999', 2],
      ['25000', 3],
      ['249999.999999', 3],
      ['250000', 4],
      ['9999999.999999', 4],
      ['10000000', 6],
    ] as const) {
      const amount = String(Math.round(Number(usd) * 1e6));
      const sold = await ask({ sellToken: addressOf('USDC'), buyToken: addressOf('DAI'), sellAmount: amount });
      expect(sold.maxHops, `selling ${usd}`).to.equal(hops);
    }
    for (const [amount, hops] of [
      ['24999999999', 2],
      ['25000000000', 3],
      ['250000000000', 4],
    ] as const) {
      expect((await ask({ mode: 'buy', sellToken: addressOf('DAI'), buyToken: addressOf('USDC'), buyAmount: amount })).maxHops, `buying ${amount}`).to.equal(
        hops,
      );
    }
    // The sell side has no price: by the best direct quote of the other.
    expect((await ask({ sellToken: addressOf('MUTE'), buyToken: addressOf('USDC'), sellAmount: String(10n ** 20n) })).maxHops).to.equal(2);
  });

  it('HIGH_PRICE_IMPACT: of two amounts that differ by one base unit the one that gives up more than 15% is warned of, the other is not (B16)', async () => {
    const trade = { sellToken: addressOf('USDC'), buyToken: addressOf('RPL'), maxHops: '1', includeVenues: 'sushiswap_v2' };
    const impact = async (amount: bigint): Promise<number> => Number((await ask({ ...trade, sellAmount: String(amount) })).priceImpact);
    let [low, high] = [10_000_000n, 1n];
    for (high = low * 2n; (await impact(high)) >= 0.85; high *= 2n) low = high;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if ((await impact(middle)) >= 0.85) low = middle;
      else high = middle;
    }
    const swap = (amount: bigint) => ask<SwapResponse>({ ...trade, sellAmount: String(amount), slippagePct: '1' }, 'swap');
    const [quiet, warned] = [await swap(low), await swap(high)];
    expect(quiet.priceImpact).to.be.within(0.85, 0.850001);
    expect(warned.priceImpact).to.be.within(0.849999, 0.85).and.below(0.85);
    expect([quiet.warnings, warned.warnings?.map(({ code }) => code)]).to.deep.equal([undefined, ['HIGH_PRICE_IMPACT']]);
  });

  it('the gas price is the head’s base fee, but at least the chain’s minimum; a price that is sent is taken to the wei', async () => {
    const trade = { sellToken: addressOf('WETH'), buyToken: addressOf('USDC'), sellAmount: String(10n ** 18n) };
    const mineAt = async (baseFee: number) => {
      await rpc('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`);
      await rpc('evm_mine');
      const { number, baseFeePerGas } = (await rpc('eth_getBlockByNumber', 'latest', false)) as { readonly number: string; readonly baseFeePerGas: string };
      return { number: Number(number), baseFee: Number(baseFeePerGas) };
    };
    // Without the chain's own mining the head stays.
    await rpc('evm_setIntervalMining', 0);
    try {
      for (const [baseFee, expected] of [
        [GWEI / 2, GWEI],
        [3 * GWEI + 1, 3 * GWEI + 1],
      ] as const) {
        let [head, quote] = [await mineAt(baseFee), await ask(trade)];
        // A block of the chain's own that was under way may take the fee, or come after.
        while (head.baseFee !== baseFee || quote.blockNumber !== head.number) {
          if (head.baseFee !== baseFee || quote.blockNumber > head.number) head = await mineAt(baseFee);
          quote = await ask(trade);
        }
        expect(quote.gasPriceWei).to.equal(expected);
      }
      const sent = await ask({ ...trade, gasPriceGwei: '0.000000123' });
      expect([sent.gasPriceWei, sent.gasMode]).to.deep.equal([123, 'prune']);
    } finally {
      await rpc('evm_setIntervalMining', 86_400);
    }
  });
});
