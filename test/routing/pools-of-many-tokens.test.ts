// A pool of more than two tokens may serve several pairs of one route, and be entered more than once: what it gives is then what the chain gives, with its state carried from hop to hop.
import { expect } from 'chai';
import fc from 'fast-check';
import { check } from '../support/property.ts';
import { manyTokenPool, randomPoolsOfManyTokens } from './random-world.ts';
import { expectRouteShape } from './route-shape.ts';
import { bestSinglePath, job, openWorld, type PoolEntry, pairPool, planOf, quotePool, replay, token, type World } from './world.ts';

const TOKENS = 6;
const E18 = 10n ** 18n;
const modes = fc.constantFrom('sell' as const, 'buy' as const);

/** The least input with which the best path without splits over the given pools gives a target. */
function leastInputAlone(world: World, target: bigint, maxHops: number): bigint {
  let [low, high] = [0n, 1n];
  while (bestSinglePath(world, token(1), token(2), high, maxHops) < target) high *= 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (bestSinglePath(world, token(1), token(2), middle, maxHops) < target) low = middle;
    else high = middle;
  }
  return high;
}

describe('a pool of more than two tokens', () => {
  for (const stable of [false, true]) {
    for (const [size, unit] of [
      ['a trade', E18],
      ['a trade of few units', 1n],
    ] as const) {
      it(`gives ${size} at least what its best use once gives, be it left and entered again or not (${stable ? 'stable' : 'weighted'})`, () => {
        // What the pool gives of token 3 is worth half more outside of it, for token 4, which it takes too.
        const depth = 10n ** 6n * unit;
        const wide = { ...manyTokenPool([1, 2, 3, 4], stable, Number(depth), []), id: `0x${'c'.repeat(40)}` };
        for (const direct of [depth / 2n, (depth * 105n) / 100n]) {
          const pools = [wide, pairPool(0, [3, 4], [depth, (depth * 3n) / 2n]), pairPool(1, [1, 2], [depth, direct])];
          const open = openWorld({ pools, tokenCount: 5 });
          // Without the way back into the pool.
          const once = openWorld({ pools: pools.toSpliced(1, 1), tokenCount: 5 });
          for (const amount of [1000n * unit, 100_000n * unit]) {
            const sold = planOf(open.solve(job(token(1), token(2), amount), open.view));
            expectRouteShape(sold.hops, 3);
            expect(replay(open, sold, token(1), amount)).to.deep.equal({ output: sold.grossAmount, stranded: 0n });
            expect(sold.grossAmount >= bestSinglePath(once, token(1), token(2), amount, 3), 'sell').to.equal(true);
            const bought = planOf(open.solve(job(token(1), token(2), amount, { mode: 'buy' }), open.view));
            expectRouteShape(bought.hops, 3);
            expect(replay(open, bought, token(1), bought.sellAmount)).to.deep.equal({ output: bought.grossAmount, stranded: 0n });
            expect(bought.grossAmount >= amount && bought.sellAmount <= leastInputAlone(once, amount, 3), 'buy').to.equal(true);
          }
        }
      });
    }
  }

  it('is entered again where that pays: leaving it for a pool that is worth half more and coming back gives what the chain gives for both entries', () => {
    const depth = 10n ** 6n * E18;
    const wide = { ...manyTokenPool([1, 2, 3, 4], false, Number(depth), []), id: `0x${'c'.repeat(40)}` };
    const open = openWorld({ pools: [wide, pairPool(0, [3, 4], [depth, (depth * 3n) / 2n])], tokenCount: 5 });
    const amount = 1000n * E18;
    const plan = planOf(open.solve(job(token(1), token(2), amount), open.view));
    expect(plan.hops.filter(({ poolKey }) => poolKey === wide.id)).to.have.lengthOf.above(1);
    const pool = open.pools.find(({ key }) => key === wide.id);
    if (pool === undefined) throw new Error('the pool');
    const alone = quotePool(pool, 0, 1, amount);
    expect(alone.ok && plan.grossAmount > (alone.amountOut * 14n) / 10n).to.equal(true);
  });

  it('serves a trade three times in one route, each time in the state that the times before left', () => {
    // 1 → 2 in the pool, 2 → 3 outside, 3 → 4 in the pool, 4 → 5 outside, 5 → 0 in the pool: outside a unit is worth half more, in the pool it is worth one.
    const depth = 10n ** 6n * E18;
    const wide = { ...manyTokenPool([1, 2, 3, 4, 5, 0], false, Number(depth), [1, 1, 1, 1, 1, 1]), id: `0x${'c'.repeat(40)}` };
    const between = (id: number, ends: readonly [number, number]): PoolEntry => pairPool(id, ends, [depth, (depth * 3n) / 2n]);
    const open = openWorld({ pools: [wide, between(0, [2, 3]), between(1, [4, 5])], tokenCount: TOKENS });
    const amount = 1000n * E18;
    const plan = planOf(open.solve(job(token(1), token(0), amount, { maxHops: 5 }), open.view));
    expectRouteShape(plan.hops, 5);
    expect(plan.hops.filter(({ poolKey }) => poolKey === wide.id)).to.have.lengthOf.at.least(3);
    expect(replay(open, plan, token(1), amount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
    // Two gains of half, less seven fees and slippage.
    expect(plan.grossAmount > (amount * 215n) / 100n, String(plan.grossAmount)).to.equal(true);
  });

  it('of eight tokens gives all that its tokens together are worth: the sides of a split meet in it', () => {
    // Token 1 leads to 2 … 7 by pools of their own, and the pool takes all six into token 0: each side is a sixth of the trade.
    const tokens = [0, 2, 3, 4, 5, 6, 7, 8];
    const depth = 10n ** 6n * E18;
    const star = {
      ...manyTokenPool(
        tokens,
        false,
        Number(depth),
        tokens.map(() => 1),
      ),
      id: `0x${'c'.repeat(40)}`,
    };
    const sides = [2, 3, 4, 5, 6, 7].map((side, id) => pairPool(id, [1, side], [1000n * E18, 1000n * E18], 0));
    const open = openWorld({ pools: [star, ...sides], tokenCount: 9 });
    const amount = 3000n * E18;
    const plan = planOf(open.solve(job(token(1), token(0), amount, { maxHops: 2 }), open.view));
    expect(plan.hops).to.have.lengthOf(12);
    expect(replay(open, plan, token(1), amount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
    // Six pools of 1,000 at 500 each give a third of 1,000 each; the star is deep, takes a thousandth, and weighs all alike.
    const [side, kept] = [1000n / 3n, 0.999];
    expect(Number(plan.grossAmount) / 1e18).to.be.closeTo(Number(side) * 6 * kept, 8);
    const alone = openWorld({ pools: [star, ...sides.slice(0, 1)], tokenCount: 9 });
    expect(plan.grossAmount > 2n * planOf(alone.solve(job(token(1), token(0), amount, { maxHops: 2 }), alone.view)).grossAmount).to.equal(true);
  });

  it('is, in any market, in routes that give what they list', function () {
    this.timeout(300_000);
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
      60,
      2400,
    );
  });
});
