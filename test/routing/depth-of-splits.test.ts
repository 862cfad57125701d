import { expect } from 'chai';
import fc from 'fast-check';
import { check } from '../support/property.ts';
import { randomPools } from './random-world.ts';
import { expectRouteShape, longestPath } from './route-shape.ts';
import { job, openWorld, pairPool, planOf, token } from './world.ts';

const E18 = 10n ** 18n;
const TOKENS = 8;

describe('maxHops of a route that splits and meets again', () => {
  // Two ways from 1 to 4 and two from 4 to 2: together the longer ones make four hops.
  const ends = [
    [1, 3],
    [3, 4],
    [4, 2],
    [1, 4],
    [4, 5],
    [5, 2],
  ] as const;
  const open = openWorld({ pools: ends.map((pair, id) => pairPool(id, pair, [1000n * E18, 1000n * E18], 5)), tokenCount: 6 });

  for (const mode of ['sell', 'buy'] as const) {
    it(`bounds the longest way through all of it, not each branch alone, in ${mode}`, () => {
      const longest = (maxHops: number) => longestPath(planOf(open.solve(job(token(1), token(2), 300n * E18, { mode, maxHops }), open.view)).hops);
      expect([2, 3, 4, 5].map(longest)).to.deep.equal([2, 3, 4, 4]);
    });
  }

  it('holds for every depth, and no pool or token comes twice', () => {
    const amounts = fc.double({ min: 3, max: 26, noNaN: true }).map((exponent) => BigInt(Math.round(10 ** exponent)));
    const modes = fc.constantFrom('sell' as const, 'buy' as const);
    check(
      fc.property(randomPools(TOKENS, 24), amounts, modes, (pools, amount, mode) => {
        const market = openWorld({ pools, tokenCount: TOKENS });
        for (const maxHops of [1, 2, 3, 4, 5, 6, 7]) {
          const result = market.solve(job(token(1), token(2), amount, { mode, maxHops }), market.view);
          if (result.ok) expectRouteShape(result.plan.hops, maxHops);
        }
      }),
      60,
    );
  });
});
