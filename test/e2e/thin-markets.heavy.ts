import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';

describe('trades that take most of what thin markets hold', function suite() {
  this.timeout(300_000);
  const braid = useBraid();

  async function quote(mode: 'sell' | 'buy', sell: string, buy: string, amount: bigint): Promise<{ status: number; sellAmount: bigint; buyAmount: bigint }> {
    const { publicUrl, devnet, apiKey } = braid.current();
    const of = (symbol: string) => devnet?.tokens.find((token) => token.symbol === symbol)?.address ?? '';
    const query = new URLSearchParams({ chainId: '31337', mode, sellToken: of(sell), buyToken: of(buy), [`${mode}Amount`]: String(amount) });
    const response = await fetchPatiently(`${publicUrl}/v1/quote?${query}`, { headers: { 'x-api-key': apiKey ?? '' } });
    const body = (await response.json()) as { sellAmount?: string; buyAmount?: string };
    return { status: response.status, sellAmount: BigInt(body.sellAmount ?? 0), buyAmount: BigInt(body.buyAmount ?? 0) };
  }

  for (const [sell, buy, amount] of [
    ['WETH', 'MUTE', 40n * 10n ** 18n],
    ['SEAT', 'MUTE', 2_000n],
    ['MUTE', 'WETH', 400_000n * 10n ** 18n],
    ['WETH', 'USDC', 4_000n * 10n ** 18n],
  ] as const) {
    it(`buying what selling ${amount} ${sell} for ${buy} gives has a route, and asks at most 2% more`, async () => {
      const sold = await quote('sell', sell, buy, amount);
      expect(sold.status).to.equal(200);
      const bought = await quote('buy', sell, buy, sold.buyAmount);
      expect(bought.status).to.equal(200);
      expect(Number(bought.sellAmount) / Number(amount)).to.be.at.most(1.02);
    });
  }

  for (const [sell, buy, unit] of [
    ['AAVE', 'PEPE', 10n ** 18n * 1_000n],
    ['USDT', 'LDO', 10n ** 6n * 200_000n],
    ['DAI', 'WBTC', 10n ** 18n * 1_000_000n],
    ['USDC', 'WETH', 10n ** 6n * 2_000_000n],
  ] as const) {
    it(`output is monotone in input: ${sell} for ${buy}, twelve sizes (complaint 21)`, async () => {
      let last = 0n;
      for (let step = 1n; step <= 12n; step++) {
        const { status, buyAmount } = await quote('sell', sell, buy, unit * step);
        expect(status, `${step}`).to.equal(200);
        // A ten-thousandth for shares in whole basis points.
        expect(buyAmount >= last - last / 10_000n, `step ${step}: ${buyAmount} after ${last}`).to.equal(true);
        last = buyAmount > last ? buyAmount : last;
      }
    });
  }
});
