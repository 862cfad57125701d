import { expect } from 'chai';
import fc from 'fast-check';
import { check } from '../support/property.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { manyTokenPool, randomPoolsOfManyTokens } from './random-world.ts';
import { expectRouteShape } from './route-shape.ts';
import { job, openWorld, pairPool, planOf, replay, token } from './world.ts';

const TOKENS = 6;
const modes = fc.constantFrom('sell' as const, 'buy' as const);

describe('a pool of more than two tokens', () => {
  for (const stable of [false, true]) {
    for (const [size, unit] of [
      ['a trade', 10n ** 18n],
      ['a trade of few units', 1n],
    ] as const) {
      for (const mode of ['sell', 'buy'] as const) {
        it(`serves ${size} once, though it would pay to leave it and come back (${stable ? 'stable' : 'weighted'}, ${mode})`, () => {
          // What the pool gives of token 3 is worth half more outside of it, for token 4, which it takes too.
          const depth = 10n ** 6n * unit;
          const wide = { ...manyTokenPool([1, 2, 3, 4], stable, Number(depth), []), id: `0x${'c'.repeat(40)}` };
          for (const direct of [depth / 2n, (depth * 105n) / 100n]) {
            const pools = [wide, pairPool(0, [3, 4], [depth, (depth * 3n) / 2n]), pairPool(1, [1, 2], [depth, direct])];
            const open = openWorld({ pools, tokenCount: 5 });
            for (const amount of [1000n * unit, 100_000n * unit]) {
              expectRouteShape(planOf(open.solve(job(token(1), token(2), amount, { mode }), open.view)).hops, 3);
            }
          }
        });
      }
    }
  }

  it('serves once in any market, in routes that give what they list', function () {
    this.timeout(FULL_SCALE ? 300_000 : 30_000);
    const amounts = fc.double({ min: 2, max: 24, noNaN: true }).map((exponent) => BigInt(Math.round(10 ** exponent)));
    check(
      fc.property(randomPoolsOfManyTokens(TOKENS, 6), amounts, fc.integer({ min: 1, max: 5 }), modes, (pools, amount, maxHops, mode) => {
        const open = openWorld({ pools, tokenCount: TOKENS });
        const result = open.solve(job(token(1), token(2), amount, { mode, maxHops }), open.view);
        if (!result.ok) return;
        const { plan } = result;
        expectRouteShape(plan.hops, maxHops);
        expect(replay(open, plan, token(1), plan.sellAmount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
      }),
      120,
    );
  });
});
