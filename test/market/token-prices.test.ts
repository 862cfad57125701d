import { expect } from 'chai';
import { createTokenPrices } from '../../src/market/market.ts';
import type { MeasuredVerdict } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import { constantProduct, type MarketPool, token } from './market-pools.ts';

const E18 = 1e18;
const [NATIVE, DOLLAR, LISTED, OTHER, FAKE, TOO] = [0, 1, 2, 3, 4, 5] as const;
const NOW = 1_000_000;
const WEAK = 2e6;

/** A chain's prices with a feed for the native token, a stablecoin and a listed token, and a pool of each with the native token; the other token has none but with the listed one. */
function market(more: readonly MarketPool[] = []) {
  const feed = { token: token(NATIVE), feed: token(99), maximumAgeSeconds: 100, minimumUsd: 1, maximumUsd: 1e6 };
  const prices = createTokenPrices({ feeds: [feed], stablecoins: [token(DOLLAR)], minimumDepthUsd: 1000 }, [token(LISTED)]);
  const round = { roundId: 1n, answer: 2000n, startedAt: BigInt(NOW), updatedAt: BigInt(NOW), answeredInRound: 1n, decimals: 0n };
  prices.setReadings([{ feed, round }]);
  const pools = [
    constantProduct('dollar', [NATIVE, DOLLAR], [1000 * E18, WEAK * E18]),
    constantProduct('listed', [NATIVE, LISTED], [1000 * E18, (WEAK / 4) * E18]),
    constantProduct('other', [LISTED, OTHER], [(WEAK / 4) * E18, WEAK * E18]),
    ...more,
  ];
  for (const number of [NATIVE, DOLLAR, LISTED, OTHER, FAKE, TOO]) prices.setDecimals(token(number), 18);
  for (const { key, tokens, curves } of pools) prices.setPool(key, tokens, curves);
  const verdicts = new Map<Address, MeasuredVerdict>();
  return {
    prices,
    settle: () => prices.settle(NOW, (address) => verdicts.get(address) ?? null),
    find: (number: number, verdict: MeasuredVerdict['verdict'], block = 7, openAt?: readonly number[]) =>
      void verdicts.set(token(number), { verdict, block, ...(openAt === undefined ? {} : { openAt }) }),
    usd: (number: number) => prices.usd(token(number)),
  };
}

describe('the tokens by which others are priced', () => {
  it('are those with a feed, stablecoins and listed ones, from the first block on, when nothing is measured', () => {
    const { settle, usd } = market();
    expect(settle().report.pricedBy).to.deep.equal({ used: 3, barred: 0 });
    expect([NATIVE, DOLLAR, LISTED].map(usd)).to.deep.equal([2000, 1, 4]);
    expect(usd(OTHER)).to.be.closeTo(1, 1e-9);
  });

  it('are no others, whatever was found of them: clean, taxed, gated or nothing', () => {
    const seeded = [constantProduct('f', [NATIVE, FAKE], [8000 * E18, 8000 * E18]), constantProduct('g', [FAKE, OTHER], [8000 * E18, 1e-9 * E18])];
    const { settle, find, usd } = market(seeded);
    const { settle: settleFair, usd: fair } = market();
    settleFair();
    for (const verdict of [
      null,
      { kind: 'clean' },
      { kind: 'taxed', buyPpm: 1, sellPpm: 1, scope: 'universal' },
      { kind: 'gated', reason: 'paused' },
      { kind: 'imprecise' },
      { kind: 'unmeasurable' },
    ] as const) {
      if (verdict !== null) find(FAKE, verdict);
      settle();
      for (const number of [NATIVE, DOLLAR, LISTED, OTHER]) expect(usd(number), `${number} ${verdict?.kind}`).to.equal(fair(number));
      expect(usd(FAKE), 'its own price is what it is traded for').to.be.closeTo(2000, 1e-6);
    }
  });

  it('are none that were found to tax, to refuse, or to refuse some pools, until they are found otherwise, however old that is', () => {
    for (const [verdict, openAt] of [
      [{ kind: 'gated', reason: 'paused' }, undefined],
      [{ kind: 'taxed', buyPpm: 0, sellPpm: 10, scope: 'sell-only' }, undefined],
      [{ kind: 'clean' }, [1]],
    ] as const) {
      const { settle, find, usd, prices } = market();
      settle();
      find(LISTED, verdict, 7, openAt);
      expect(settle().report.pricedBy).to.deep.equal({ used: 2, barred: 1 });
      expect([usd(OTHER), usd(LISTED), prices.deepestPools(token(OTHER))]).to.deep.equal([null, 4, []]);
      expect(settle().changes).to.deep.equal([]);
      // What was found plain since, or only imprecise, or could not be measured, stands for nothing bad.
      for (const kind of ['clean', 'imprecise', 'unmeasurable'] as const) {
        find(LISTED, { kind }, 300);
        settle();
        expect(usd(OTHER), kind).to.be.closeTo(1, 1e-9);
      }
    }
  });

  it('do not say of a stablecoin that it lost its dollar where they are barred themselves', () => {
    const { settle, find, prices } = market();
    // Half of what the feed says.
    const { key, tokens, curves } = constantProduct('dollar', [NATIVE, DOLLAR], [1000 * E18, (WEAK / 2) * E18]);
    prices.setPool(key, tokens, curves);
    expect(settle().report.stablecoins).to.deep.equal({ held: 0, lost: 1 });
    find(NATIVE, { kind: 'gated', reason: 'paused' });
    expect(settle().report.stablecoins).to.deep.equal({ held: 1, lost: 0 });
  });
});
