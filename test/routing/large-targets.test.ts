import { expect } from 'chai';
import fc from 'fast-check';
import { check } from '../support/property.ts';
import { job, openWorld, type PoolEntry, pairPool, planOf, quotePool, replay, token, type World } from './world.ts';

const FEES = [0, 30, 300, 1000, 1500];

/** Ten times the largest target at least, and so much below 2^112, the most that a pair may hold, that there is room for what a tenth of it costs. */
const exponent = fc.double({ min: 31, max: 33.5, noNaN: true });
const reserve = exponent.map((digits) => BigInt(Math.floor(10 ** digits)));
const draft = fc.record({
  ends: fc.constantFrom([1, 2] as const, [1, 3] as const, [2, 3] as const),
  reserves: fc.tuple(reserve, reserve),
  feeBps: fc.oneof(fc.constantFrom(...FEES), fc.integer({ min: 0, max: 1500 })),
});
/** Worlds with a pool from 1 to 2 at least. */
const worlds = fc
  .tuple(
    draft.map((pool) => ({ ...pool, ends: [1, 2] as const })),
    fc.array(draft, { maxLength: 5 }),
  )
  .map(([first, others]) => [first, ...others].map(({ ends, reserves, feeBps }, id): PoolEntry => pairPool(id, ends, reserves, feeBps)));
const targets = fc.oneof(
  fc.double({ min: 0, max: 30, noNaN: true }).map((digits) => BigInt(Math.floor(10 ** digits))),
  fc.constant(10n ** 30n),
);

describe('a buy of up to 10^30 base units, with fees of 0 to 15 percent', () => {
  it('reaches the target by the least input: one unit less misses it', () => {
    check(
      fc.property(worlds, targets, fc.integer({ min: 1, max: 3 }), (pools, target, maxHops) => {
        const world = openWorld({ pools, tokenCount: 4 });
        const plan = planOf(world.solve(job(token(1), token(2), target, { mode: 'buy', maxHops }), world.view));
        expect(plan.grossAmount >= target).to.equal(true);
        expect(replay(world, plan, token(1), plan.sellAmount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
        expect(outputOf(world, plan.hops, plan.sellAmount - 1n) < target).to.equal(true);
      }),
      75,
      3000,
    );
  });

  it('is the closed form of the contract for one pool', () => {
    check(
      fc.property(reserve, reserve, fc.integer({ min: 0, max: 1500 }), targets, (reserveIn, reserveOut, feeBps, target) => {
        const world = openWorld({ pools: [pairPool(0, [1, 2], [reserveIn, reserveOut], feeBps)], tokenCount: 3 });
        const plan = planOf(world.solve(job(token(1), token(2), target, { mode: 'buy' }), world.view));
        // The least x with reserveOut · x · keep / (reserveIn · 10,000 + x · keep) ≥ target, by ceilings.
        const keep = 10_000n - BigInt(feeBps);
        const [above, below] = [reserveIn * target * 10_000n, (reserveOut - target) * keep];
        expect(plan.sellAmount).to.equal((above + below - 1n) / below);
      }),
      75,
      3000,
    );
  });
});

/** Output of the listed shares for another input; 0 where a hop refuses. */
function outputOf({ pools, view }: World, route: ReturnType<typeof planOf>['hops'], input: bigint): bigint {
  const balances = new Map<string, bigint>([[token(1), input]]);
  for (const hop of route) {
    const pool = pools.find(({ key }) => key === hop.poolKey);
    if (pool === undefined) throw new Error('an unknown pool');
    const held = balances.get(hop.tokenIn) ?? 0n;
    const amountIn = (held * BigInt(hop.bps)) / 10_000n;
    if (amountIn === 0n) continue;
    const quote = quotePool(pool, pool.tokens.indexOf(view.tokenId(hop.tokenIn)), pool.tokens.indexOf(view.tokenId(hop.tokenOut)), amountIn);
    if (!quote.ok) return 0n;
    balances.set(hop.tokenIn, held - amountIn);
    balances.set(hop.tokenOut, (balances.get(hop.tokenOut) ?? 0n) + quote.amountOut);
  }
  return balances.get(token(2)) ?? 0n;
}
