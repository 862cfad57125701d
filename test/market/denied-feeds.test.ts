import { expect } from 'chai';
import type { PriceFeed } from '../../src/chains/chains.ts';
import { createTokenPrices } from '../../src/market/token-prices.ts';
import type { MeasuredVerdict } from '../../src/snapshot/snapshot.ts';
import { constantProduct, type MarketPool, token } from './market-pools.ts';

const NOW = 1_800_000_000;
const HOUR = 3600;
const [NATIVE, DOLLAR, OTHER_DOLLAR, THIRD] = [1, 2, 3, 4] as const;
const FEED: PriceFeed = { token: token(NATIVE), feed: token(99), maximumAgeSeconds: 25 * HOUR, minimumUsd: 50, maximumUsd: 500_000 };

/** What a chain's tokens are worth whose feed said so many dollars so long ago, by pools in which the native token costs what they say. */
function priced(
  usd: number,
  ageSeconds: number,
  pools: readonly MarketPool[],
  stablecoins: readonly number[] = [DOLLAR, OTHER_DOLLAR],
  verdictOf: (address: string) => MeasuredVerdict | null = () => null,
) {
  const prices = createTokenPrices({ feeds: [FEED], stablecoins: stablecoins.map(token), minimumDepthUsd: 1000 });
  for (const number of [NATIVE, DOLLAR, OTHER_DOLLAR, THIRD]) prices.setDecimals(token(number), 6);
  for (const { key, tokens, curves } of pools) prices.setPool(key, tokens, curves);
  const updatedAt = BigInt(NOW - ageSeconds);
  prices.setReadings([
    { feed: FEED, round: { roundId: 1n, answer: BigInt(usd) * 10n ** 8n, startedAt: updatedAt, updatedAt, answeredInRound: 1n, decimals: 8n } },
  ]);
  const { report } = prices.settle(NOW, verdictOf);
  const near = (number: number): number | null => {
    const worth = prices.usd(token(number));
    return worth === null ? null : Math.round(worth * 100) / 100;
  };
  return { feeds: report.feeds, stablecoins: report.stablecoins, native: near(NATIVE), dollar: near(DOLLAR) };
}

/** Deep pools of the native token with dollars, at so many dollars each. */
const at = (...costs: readonly number[]): readonly MarketPool[] =>
  costs.map((cost, index) => constantProduct(`pool ${index}`, [NATIVE, DOLLAR + index], [1000e6, 1000e6 * cost]));

describe('the answer of a price feed that is an hour old and more', () => {
  it('is stale where by it two stablecoins would have left their dollar to the same side: they price its token then', () => {
    for (const market of [2700, 2300]) {
      const { feeds, stablecoins, native, dollar } = priced(2500, HOUR + 1, at(market, market * 1.002));
      expect([feeds.stale, feeds.used, stablecoins, dollar]).to.deep.equal([1, 0, { held: 2, lost: 0 }, 1]);
      expect(native).to.be.closeTo(market, market * 0.003);
    }
  });

  it('is believed where they agree with it, where one does, and where they are off to either side', () => {
    for (const pools of [at(2520, 2480), at(2700, 2510), at(2700, 2300), at(2700)]) {
      const { feeds, native } = priced(2500, 20 * HOUR, pools);
      expect([feeds.used, feeds.stale, native]).to.deep.equal([1, 0, 2500]);
    }
  });

  it('is believed over a single stablecoin, which then has no dollar to keep; and an answer that is younger over any number', () => {
    const one = priced(2500, 20 * HOUR, at(2700), [DOLLAR]);
    expect([one.feeds.used, one.stablecoins, one.native]).to.deep.equal([1, { held: 0, lost: 1 }, 2500]);
    const young = priced(2500, HOUR, at(2700, 2700));
    expect([young.feeds.used, young.stablecoins, young.native]).to.deep.equal([1, { held: 0, lost: 2 }, 2500]);
  });

  it('is not denied by pools of a token that does not move: they say what they said when it last did', () => {
    for (const paused of [NATIVE, OTHER_DOLLAR]) {
      const gated = (address: string): MeasuredVerdict | null =>
        address === token(paused) ? { verdict: { kind: 'gated', reason: 'honeypot' }, block: 1 } : null;
      const { feeds, native } = priced(2500, 20 * HOUR, at(2700, 2700), [DOLLAR, OTHER_DOLLAR], gated);
      expect([feeds.used, native]).to.deep.equal([1, 2500]);
    }
  });

  it('is not denied by pools that hold next to nothing', () => {
    const shallow = [DOLLAR, OTHER_DOLLAR].map((dollar) => constantProduct(`pool ${dollar}`, [NATIVE, dollar], [0.1e6, 300e6]));
    const { feeds, native } = priced(2500, 20 * HOUR, shallow);
    expect([feeds.used, native]).to.deep.equal([1, 2500]);
  });
});
