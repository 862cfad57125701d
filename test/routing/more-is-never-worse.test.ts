// More room, more input or more pools must not cost anything; and what a sell gave can be bought for no more.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Plan } from '../../src/routing/routing.ts';
import { check } from '../support/property.ts';
import { FULL_SCALE, seededRandom } from '../support/seeded-random.ts';
import { randomPools, randomPoolsOfManyTokens } from './random-world.ts';
import { bestSinglePath, job, openWorld, type PoolEntry, token, type World } from './world.ts';

const TOKENS = 5;
const amounts = fc.double({ min: 3, max: 24, noNaN: true }).map((exponent) => BigInt(Math.round(10 ** exponent)));
/** How much of the trade 100,000 gas units are, as a power of ten. */
const shares = fc.double({ min: -6, max: -1, noNaN: true });
/** Pools of two tokens, and among them ones of three and four. */
const markets = fc.oneof(randomPools(TOKENS, 12), randomPoolsOfManyTokens(TOKENS, 5));

/** Shares are whole basis points, which on a split of a few unlike pools move the answer by a few parts in a million; and contracts round by units. */
const ROUNDING = 100_000n;

/** What a plan that buys the native token leaves when its hops' gas is paid for: there a wei of gas is a wei of output. */
function netOf({ grossAmount, hops }: Plan, gasPriceWei: bigint): bigint {
  return grossAmount - hops.reduce((sum, { gas }) => sum + BigInt(gas) * gasPriceWei, 0n);
}

/** What is left of an amount, less a rounding. */
function nearly(amount: bigint, gross: bigint): bigint {
  return amount - gross / ROUNDING - 3n;
}

/** Whether a trade leaves pools standing: its average price is at least a hundredth of what a thousandth of it would get. Beyond, a trade buys the last units of reserves at any price. */
function leavesPoolsStanding(open: World, amount: bigint, maxHops: number): boolean {
  const [whole, part] = [amount, amount / 1000n].map((size) => bestSinglePath(open, token(1), token(0), size, maxHops));
  return whole !== undefined && part !== undefined && whole * 100n >= part * 1000n;
}

/** A gas price at which 100,000 units cost this share (a power of ten) of what the trade gives. */
function gasPriceOf(gross: bigint, share: number): bigint {
  return BigInt(Math.floor((Number(gross) / 100_000) * 10 ** share));
}

describe('more is never worse', () => {
  const open = (pools: readonly PoolEntry[]): World => openWorld({ pools, tokenCount: TOKENS });
  const best = (world: World, amount: bigint, maxHops: number, gasPriceWei: bigint): Plan | null => {
    const result = world.solve(job(token(1), token(0), amount, { maxHops, gasPriceWei }), world.view);
    return result.ok ? result.plan : null;
  };

  it('one hop more gives no less net of gas', function () {
    this.timeout(FULL_SCALE ? 600_000 : 30_000);
    check(
      fc.property(markets, amounts, shares, (pools, amount, share) => {
        const world = open(pools);
        const free = best(world, amount, 3, 0n);
        fc.pre(free !== null && leavesPoolsStanding(world, amount, 3));
        const gasPriceWei = gasPriceOf(free?.grossAmount ?? 0n, share);
        let before: Plan | null = null;
        for (let maxHops = 1; maxHops <= 5; maxHops++) {
          const plan = best(world, amount, maxHops, gasPriceWei);
          if (before !== null) {
            if (plan === null) throw new Error(`no route of ${maxHops} hops at most`);
            const [less, more] = [netOf(before, gasPriceWei), netOf(plan, gasPriceWei)];
            expect(more >= nearly(less, before.grossAmount), `${maxHops} hops: ${more} after ${less}`).to.equal(true);
          }
          before = plan;
        }
      }),
      100,
    );
  });

  it('a larger sell gives no less output', function () {
    this.timeout(FULL_SCALE ? 600_000 : 30_000);
    const growths = fc.constantFrom([1001n, 1000n] as const, [11n, 10n] as const, [2n, 1n] as const, [100n, 1n] as const);
    check(
      fc.property(markets, amounts, growths, fc.integer({ min: 1, max: 4 }), (pools, amount, [times, parts], maxHops) => {
        const world = open(pools);
        const [less, more] = [amount, (amount * times) / parts].map((size) => best(world, size, maxHops, 0n)?.grossAmount ?? 0n) as [bigint, bigint];
        fc.pre(leavesPoolsStanding(world, amount, maxHops));
        expect(more >= nearly(less, less), `${more} after ${less}`).to.equal(true);
      }),
      200,
    );
  });

  it('buying what a sell gave asks for no more than was sold', function () {
    this.timeout(FULL_SCALE ? 600_000 : 30_000);
    check(
      fc.property(markets, amounts, fc.integer({ min: 1, max: 4 }), (pools, amount, maxHops) => {
        const world = open(pools);
        const sold = best(world, amount, maxHops, 0n);
        fc.pre(sold !== null && leavesPoolsStanding(world, amount, maxHops));
        const bought = world.solve(job(token(1), token(0), sold?.grossAmount ?? 0n, { mode: 'buy', maxHops, gasPriceWei: 0n }), world.view);
        if (!bought.ok) throw new Error('what was sold can not be bought');
        expect(nearly(bought.plan.sellAmount, amount) <= amount, `${bought.plan.sellAmount} for ${amount}`).to.equal(true);
      }),
      200,
    );
  });

  it('one pool more gives less in at most one of 10,000 pairs of markets, by a tenth of a basis point at most', function () {
    this.timeout(FULL_SCALE ? 1_200_000 : 30_000);
    const MOST_LOSS = 1e-5;
    const random = seededRandom('one pool more');
    const pairs = FULL_SCALE ? 10_000 : 300;
    const worse: string[] = [];
    const drawn = fc.sample(fc.tuple(markets, amounts, shares, fc.integer({ min: 1, max: 4 })), { seed: random.integer(0, 2 ** 31 - 1), numRuns: pairs });
    for (const [index, [pools, amount, share, maxHops]] of drawn.entries()) {
      const [fewer, all] = [open(pools.slice(0, -1)), open(pools)];
      if (pools.length < 2 || !leavesPoolsStanding(all, amount, maxHops)) continue;
      const gasPriceWei = gasPriceOf(best(fewer, amount, maxHops, 0n)?.grossAmount ?? 0n, share);
      const [before, after] = [best(fewer, amount, maxHops, gasPriceWei), best(all, amount, maxHops, gasPriceWei)];
      if (before === null) continue;
      const [less, more] = [netOf(before, gasPriceWei), after === null ? 0n : netOf(after, gasPriceWei)];
      if (more >= less - 3n) continue;
      const loss = Number(less - more) / Number(before.grossAmount);
      worse.push(`pair ${index}: ${loss}`);
      expect(loss, `pair ${index}`).to.be.at.most(MOST_LOSS);
    }
    expect(worse.length, worse.join('; ')).to.be.at.most(Math.ceil(pairs / 10_000));
  });
});
