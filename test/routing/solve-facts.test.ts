import { expect } from 'chai';
import { job, openWorld, pairPool, planOf, token } from './world.ts';

const E18 = 10n ** 18n;

describe('what a solve says about itself', () => {
  const open = openWorld({
    pools: [
      pairPool(0, [1, 2], [1_000n * E18, 1_000n * E18]),
      pairPool(1, [1, 2], [2_000n * E18, 2_000n * E18]),
      pairPool(2, [1, 3], [500n * E18, 500n * E18]),
      pairPool(3, [3, 2], [500n * E18, 500n * E18]),
    ],
    tokenCount: 4,
    usd: { 0: 2000, 1: 1, 2: 1 },
    baseFee: 10n ** 9n,
  });

  // Several times what the pools hold is searched again with less, nearly all of it in buy by selling, and what needs gas also at fewer hops: none of these is the trade's own model.
  for (const [mode, amount] of [
    ['sell', 200n * E18],
    ['sell', 10_000n * E18],
    ['buy', 200n * E18],
    ['buy', 3_100n * E18],
  ] as const) {
    it(`the model's amount is that of the whole trade: ${mode} ${amount / E18}`, () => {
      const { facts, grossAmount, sellAmount } = planOf(open.solve(job(token(1), token(2), amount, { mode, maxHops: 4 }), open.view));
      const exact = Number(mode === 'sell' ? grossAmount : sellAmount);
      expect(Math.abs(facts.approxOutput / exact - 1)).to.be.below(0.01);
      expect(facts.columnsGenerated).to.be.above(0);
      expect(facts.pathsConsidered).to.be.above(0);
    });
  }
});
