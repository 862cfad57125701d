import { expect } from 'chai';
import fc from 'fast-check';
import type { Plan } from '../../src/routing/routing.ts';
import type { Address } from '../../src/units/units.ts';
import { sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { check } from '../support/property.ts';
import { bestSinglePath, concentratedPool, job, openWorld, type PoolEntry, pairPool, planOf, quotePool, replay, token, type World } from './world.ts';

const E18 = 10n ** 18n;
const WHOLE = 10_000;

/** A vault that gives 1,000 / permille shares for a unit, up to a cap. */
function vault(id: number, ends: readonly [number, number], permille: bigint, cap: bigint): PoolEntry {
  const address = `0x${(0xe0000 + id).toString(16).padStart(40, '0')}`;
  return {
    kind: 'erc4626',
    id: address,
    venue: 'erc4626',
    tokens: ends.map(token),
    rates: [String(E18), String((E18 * permille) / 1000n)],
    maxDeposit: String(cap),
  };
}

/** A pool from 1 to 2, and a way over 3, whence capped vaults lead to 2 beside a pool of a reserve. */
function cappedMarket(reserve: bigint, caps: readonly bigint[]): World {
  const plain = [
    pairPool(0, [1, 2], [10n ** 23n, 10n ** 23n]),
    pairPool(1, [1, 3], [10n ** 24n, 10n ** 24n], 5),
    pairPool(2, [2, 3], [reserve * E18, reserve * E18], 5),
  ];
  return openWorld({ pools: [...plain, ...caps.map((cap, index) => vault(index, [3, 2], 950n - 10n * BigInt(index), cap))], tokenCount: 4 });
}

function sell(open: World, amount: bigint): Plan {
  return planOf(open.solve(job(token(1), token(2), amount), open.view));
}

describe('shares in whole basis points', () => {
  it('are the nearest to what is best, the largest flow first, so that the shares of small ones are fine', () => {
    // Equal prices: the best inputs are as the reserves. The least are a thousandth of the largest.
    const reserves = [2_000_000n, 700_000n, 300_000n, 70_000n, 30_000n, 7_000n, 3_000n];
    const open = openWorld({ pools: reserves.map((reserve, id) => pairPool(id, [1, 2], [reserve * E18, reserve * E18])), tokenCount: 3 });
    const { hops } = sell(open, 100_000n * E18);
    const total = reserves.reduce((sum, reserve) => sum + reserve, 0n);
    let left = 1;
    const off = hops.map(({ bps }, index) => {
      const best = index === reserves.length - 1 ? WHOLE : (Number(reserves[index]) / Number(total) / left) * WHOLE;
      left *= 1 - bps / WHOLE;
      return bps - Math.round(best);
    });
    // Of the large ones one may have moved to a neighbour that gives a few units more; what is best for the small ones is known less closely.
    const large = off.slice(0, 3).filter((by) => by !== 0);
    expect(large, String(off)).to.have.lengthOf.at.most(1);
    expect(off.map(Math.abs), String(off)).to.satisfy((all: readonly number[]) => all.every((by, index) => by <= (index < 3 ? 1 : 5)));
  });

  it('are in most markets no worse than any that differ in a basis point', () => {
    let [improvable, markets] = [0, 0];
    for (const reserve of [1000n, 3000n, 10_000n, 30_000n, 100_000n]) {
      for (let step = 0n; step < 20n; step++) {
        const open = cappedMarket(reserve, [(200n + 37n * step) * E18 + E18 / 3n]);
        const amount = 5000n * E18;
        const { hops, grossAmount } = sell(open, amount);
        const variants = hops.flatMap((hop, at) =>
          hop.bps === WHOLE ? [] : [1, -1].map((by) => hops.map(({ bps, ...rest }, index) => ({ ...rest, bps: bps + (index === at ? by : 0) }))),
        );
        markets++;
        if (variants.some((variant) => outputOf(open, variant, amount) > grossAmount)) improvable++;
      }
    }
    expect(improvable).to.be.below(markets / 2);
  });

  it('of two pools are the best of all there are', () => {
    const reserve = fc.integer({ min: 50, max: 5000 }).map((units) => BigInt(units) * E18);
    const permille = fc.integer({ min: 980, max: 1020 }).map(BigInt);
    check(
      fc.property(fc.array(fc.tuple(reserve, permille), { minLength: 2, maxLength: 2 }), fc.integer({ min: 1, max: 3000 }), (drafts, units) => {
        const pools = drafts.map(([depth, price], id) => pairPool(id, [1, 2], [depth, (depth * price) / 1000n], 5));
        const open = openWorld({ pools, tokenCount: 3 });
        const amount = BigInt(units) * E18;
        const { grossAmount } = sell(open, amount);
        const best = bestShare(open, amount);
        expect(grossAmount >= best, `${grossAmount} below ${best}`).to.equal(true);
      }),
      8,
    );
  });
});

describe('a pool that takes no more than so much', () => {
  it('is filled to its cap by less than a basis point and never beyond, though there are many of them', () => {
    const caps = Array.from({ length: 14 }, (_, index) => (50n + 13n * BigInt(index)) * E18 + E18 / 7n);
    const vaults = caps.map((cap, index) => vault(index, [1, 2], 900n + BigInt(index), cap));
    const open = openWorld({ pools: [...vaults, pairPool(0, [1, 2], [10n ** 24n, 10n ** 24n])], tokenCount: 3 });
    const amount = 5000n * E18;
    const { hops } = sell(open, amount);
    const filled = caps.map((cap, index) => ({ cap, amountIn: hops.find(({ poolKey }) => poolKey === vaults[index]?.id)?.amountIn ?? 0n }));
    for (const { cap, amountIn } of filled) {
      expect(amountIn <= cap, `${amountIn} above ${cap}`).to.equal(true);
      expect(cap - amountIn < amount / 10_000n + cap / 1000n, `${amountIn} far below ${cap}`).to.equal(true);
    }
  });

  it('keeps its place where rounding passes a hair too much on to it', () => {
    for (const count of [1, 2, 3]) {
      for (let step = 0; step < 12; step++) {
        const caps = Array.from({ length: count }, (_, index) => BigInt(200 + 37 * step + 11 * index) * E18 + E18 / 3n);
        const open = cappedMarket(10_000n, caps);
        const amount = 5000n * E18;
        const plan = sell(open, amount);
        expect(plan.grossAmount * 100n > bestSinglePath(open, token(1), token(2), amount, 3) * 101n, `${count} vaults, step ${step}`).to.equal(true);
      }
    }
  });

  it('never gets more, and the trade is answered with no less than the best route without splits gives', () => {
    const cap = fc.integer({ min: 20_000, max: 300_000 }).map((units) => (BigInt(units) * E18) / 1000n);
    const capped = fc.record({
      cap,
      permille: fc.integer({ min: 900, max: 990 }).map(BigInt),
      narrow: fc.boolean(),
      ends: fc.constantFrom([1, 2], [1, 3], [3, 2]),
    });
    const depth = fc.integer({ min: 20_000, max: 1_000_000 }).map((units) => BigInt(units) * E18);
    const modes = fc.constantFrom('sell' as const, 'buy' as const);
    check(
      fc.property(
        fc.array(capped, { minLength: 1, maxLength: 5 }),
        fc.tuple(depth, depth, depth),
        fc.integer({ min: 100, max: 5000 }),
        modes,
        (drafts, depths, units, mode) => {
          const ends = [
            [1, 2],
            [1, 3],
            [2, 3],
          ] as const;
          const plain = ends.map((pair, id) => pairPool(id, pair, [depths[id] ?? E18, depths[id] ?? E18], 5));
          const pools = drafts.map(({ narrow, ends: [from = 1, to = 2], permille, ...limit }, id) =>
            narrow
              ? concentratedPool(10 + id, from < to ? [from, to] : [to, from], 0, [[-120, 120, limit.cap * 100n]])
              : vault(id, [from, to], permille, limit.cap),
          );
          const open = openWorld({ pools: [...plain, ...pools], tokenCount: 4 });
          const amount = BigInt(units) * E18;
          const plan = planOf(open.solve(job(token(1), token(2), amount, { mode }), open.view));
          expect(replay(open, plan, token(1), plan.sellAmount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
          for (const { poolKey, amountIn } of plan.hops) {
            const most = pools.find(({ id }) => id === poolKey)?.maxDeposit;
            if (most !== undefined) expect(amountIn <= BigInt(String(most)), poolKey).to.equal(true);
          }
          const single = bestSinglePath(open, token(1), token(2), plan.sellAmount, 3);
          expect(plan.grossAmount >= single - single / 10n ** 11n - 3n, `${plan.grossAmount} below ${single}`).to.equal(true);
        },
      ),
      80,
    );
  });
});

describe('the best direct pool', () => {
  it('is what is left where all that gives more needs more gas than a transaction has', () => {
    const amount = 18_000n * E18;
    const steps = (
      [
        [1, 3],
        [2, 3],
        [1, 4],
        [2, 4],
      ] as const
    ).map((ends, id) => staircase(id, ends));
    const level = pairPool(4, [3, 4], [10n ** 30n, 10n ** 30n], 1);
    const direct = pairPool(5, [1, 2], [10n ** 28n, 6n * 10n ** 27n], 1);
    const open = openWorld({ pools: [...steps, level, direct], tokenCount: 5 });
    expect(sell(open, amount).hops.map(({ poolKey }) => poolKey)).to.deep.equal([direct.id]);
  });
});

/** Ticks a basis point apart, each with a little more or less liquidity than the one before, 450 to either side. */
function staircase(id: number, ends: readonly [number, number]): PoolEntry {
  const liquidity = 10n ** 24n;
  const above = (tick: number) => (tick < -450 || tick >= 450 ? 0n : liquidity + (tick % 2 === 0 ? 0n : liquidity / 50n));
  const ticks = Array.from({ length: 901 }, (_, index) => index - 450).map((tick) => [tick, String(above(tick) - above(tick - 1))]);
  const address = `0x${(0xf0000 + id).toString(16).padStart(40, '0')}`;
  const price = { feePpm: 100, tickSpacing: 1, sqrtPriceX96: String(sqrtRatioAtTick(0)), liquidity: String(liquidity), tick: 0, ticks };
  return { kind: 'concentrated', id: address, venue: 'uniswap_v3', tokens: ends.map(token), ...price };
}

type Leg = { readonly poolKey: string; readonly tokenIn: Address; readonly tokenOut: Address; readonly bps: number };

/** Output of listed shares; 0 where a hop refuses. */
function outputOf({ pools, view }: World, route: readonly Leg[], amount: bigint): bigint {
  const balances = new Map<string, bigint>([[token(1), amount]]);
  for (const { poolKey, tokenIn, tokenOut, bps } of route) {
    const pool = pools.find(({ key }) => key === poolKey);
    const held = balances.get(tokenIn) ?? 0n;
    const input = (held * BigInt(bps)) / 10_000n;
    const [slotIn = -1, slotOut = -1] = [tokenIn, tokenOut].map((address) => pool?.tokens.indexOf(view.tokenId(address)) ?? -1);
    const quote = pool === undefined ? null : quotePool(pool, slotIn, slotOut, input);
    if (!quote?.ok || quote.amountIn !== input) return 0n;
    balances.set(tokenIn, held - input);
    balances.set(tokenOut, (balances.get(tokenOut) ?? 0n) + quote.amountOut);
  }
  return balances.get(token(2)) ?? 0n;
}

/** The best over all whole basis points, of either pool first. */
function bestShare({ pools }: World, amount: bigint): bigint {
  const output = (index: number, input: bigint): bigint => {
    const pool = pools[index];
    const quote = pool === undefined || input === 0n ? null : quotePool(pool, 0, 1, input);
    return quote?.ok ? quote.amountOut : 0n;
  };
  let best = 0n;
  for (let bps = 0n; bps <= 10_000n; bps++) {
    const input = (amount * bps) / 10_000n;
    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const both = output(first, input) + output(second, amount - input);
      if (both > best) best = both;
    }
  }
  return best;
}
