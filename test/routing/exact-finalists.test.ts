// What decides between routes at the end: exact prices of finalists, and the facts of a solve.

import { expect } from 'chai';
import { exchangeHops } from '../../src/routing/execute/exchange-hops.ts';
import { type Finalist, priceExactly, type Trial } from '../../src/routing/execute/finalists.ts';
import { resimulate, type SplitHop } from '../../src/routing/execute/resimulate.ts';
import { NO_TOLLS, type Tolls } from '../../src/routing/gas/tolls.ts';
import { ExactQuotes } from '../../src/routing/market/exact-quotes.ts';
import { MAX_WEI } from '../../src/units/units.ts';
import { MOMENT } from '../support/moment.ts';
import { problemOf } from './problem-of.ts';
import { job, openWorld, type PoolEntry, pairPool, planOf, quotePool, token, venues, type World } from './world.ts';

const E18 = 10n ** 18n;

function poolOf({ pools }: World, entry: PoolEntry | undefined): World['pools'][number] {
  const pool = pools.find(({ key }) => key === entry?.id);
  if (pool === undefined) throw new Error('no such pool');
  return pool;
}

/** The least input of one pool for a target, by trying: bisection over the venue's own quotes. */
function leastInputOf(pool: World['pools'][number], target: bigint): bigint {
  const reaches = (input: bigint): boolean => {
    const quote = quotePool(pool, 0, 1, input);
    return quote.ok && quote.amountOut >= target;
  };
  let [low, high] = [0n, 1n];
  while (!reaches(high)) high *= 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

describe('finalists of a buy', () => {
  // The second is better by a hair, the third worse.
  const entries = [1_000_000n, 1_000_001n, 999_000n].map((units, id) => pairPool(id, [1, 2], [1_000_000n * E18, units * E18]));
  const world = openWorld({ pools: entries, tokenCount: 3 });
  const [plain, better, worse] = entries.map((entry) => poolOf(world, entry));
  if (plain === undefined || better === undefined || worse === undefined) throw new Error('three pools');
  const target = 1000n * E18;
  const problem = problemOf(world, { mode: 'buy', fixed: target, maxHops: 1 });
  const trialWith = (tolls: Tolls): Trial => ({ problem, tolls });
  const over = (pool: World['pools'][number]): SplitHop[] => [{ pool, slotIn: 0, slotOut: 1, bps: 10_000 }];
  const priced = (tolls: Tolls, pool: World['pools'][number], rival: Finalist | null) => priceExactly(trialWith(tolls), over(pool), 1e21, rival);
  const finalistOver = (tolls: Tolls, pool: World['pools'][number]): Finalist => {
    const result = priced(tolls, pool, null);
    if (!result.ok) throw new Error('a pool that fills');
    return result.finalist;
  };

  it('are priced by the least input that reaches the target', () => {
    for (const pool of [plain, better, worse]) {
      const { input, net, output } = finalistOver(NO_TOLLS, pool);
      expect([input, net]).to.deep.equal([leastInputOf(pool, target), -input]);
      expect(output >= target).to.equal(true);
    }
  });

  it('are priced where they may beat the rival, and only there', () => {
    const rival = finalistOver(NO_TOLLS, plain);
    expect(priced(NO_TOLLS, better, rival)).to.deep.equal({ ok: true, finalist: finalistOver(NO_TOLLS, better) });
    expect(priced(NO_TOLLS, worse, rival)).to.deep.equal({ ok: false, gas: null, refused: null });
  });

  it('are held against the rival net of what both cost in gas', () => {
    const dear: Tolls = { perGas: 0, perHop: 1e15 };
    const rival = finalistOver(dear, plain);
    expect(rival.net).to.equal(-rival.input - 10n ** 15n);
    expect(priced(dear, better, rival).ok).to.equal(true);
    // What the rival would have to pay in all is less than the other's gas alone.
    expect(priced({ perGas: 0, perHop: 2e21 }, better, finalistOver(NO_TOLLS, plain))).to.deep.equal({ ok: false, gas: null, refused: null });
  });
});

describe('a venue that would take only a part of a hop', () => {
  const entry = pairPool(0, [1, 2], [E18, E18]);
  const world = openWorld({ pools: [entry], tokenCount: 3 });
  const pool = poolOf(world, entry);
  const [sell, buy] = [world.view.tokenId(token(1)), world.view.tokenId(token(2))];
  const hops: SplitHop[] = [{ pool, slotIn: 0, slotOut: 1, bps: 10_000 }];
  const venue = venues.get('uniswap_v2');
  if (venue === undefined) throw new Error('a venue');
  /** Takes up to 1,000 and says so, instead of refusing. */
  const short = {
    ...venue.price,
    exactIn: (state: unknown, _slotIn: number, _slotOut: number, amountIn: bigint) =>
      ({ ok: true, amountIn: amountIn < 1000n ? amountIn : 1000n, amountOut: 5n, gas: 1, next: state }) as const,
  };

  it('is in no route: the hop is refused as partial, also where the venue calls it a fill', () => {
    const run = (input: bigint) => resimulate({ steps: hops, sell, buy }, input, new ExactQuotes(() => ({ state: null, price: short }), MOMENT));
    expect(run(1001n)).to.deep.equal({ ok: false, swap: hops[0], reason: 'partial', amountIn: 1001n });
    const whole = run(1000n);
    expect(whole.ok && [whole.output, whole.hops.length]).to.deep.equal([5n, 1]);
  });
});

describe('a route whose output no amount can hold', () => {
  const entry = pairPool(0, [1, 2], [E18, E18]);
  const world = openWorld({ pools: [entry], tokenCount: 3 });
  const hops: SplitHop[] = [{ pool: poolOf(world, entry), slotIn: 0, slotOut: 1, bps: 10_000 }];

  it('is no finalist, and one with the largest amount there is, is', () => {
    for (const mode of ['sell', 'buy'] as const) {
      for (const [amountOut, ok] of [
        [MAX_WEI, true],
        [MAX_WEI + 1n, false],
      ] as const) {
        const price = {
          exactIn: (state: unknown, _slotIn: number, _slotOut: number, amountIn: bigint) => ({ ok: true, amountIn, amountOut, gas: 1, next: state }) as const,
        };
        const problem = { ...problemOf(world, { mode, fixed: 1000n, maxHops: 1 }), quotes: new ExactQuotes(() => ({ state: null, price }), MOMENT) };
        const priced = priceExactly({ problem, tolls: NO_TOLLS }, hops, 1, null);
        expect(priced.ok ? priced.finalist.output : null, `${mode} ${amountOut}`).to.equal(ok ? amountOut : null);
      }
    }
  });
});

describe('the pool of a hop', () => {
  const entries = [pairPool(0, [1, 2], [1_000_000n * E18, 1_000_000n * E18]), pairPool(1, [1, 2], [1_000_000n * E18, 1_000_001n * E18])];
  /** Of the same first price, but it gives half for so much. */
  const shallow = pairPool(2, [1, 2], [1000n * E18, 1001n * E18]);
  const world = openWorld({ pools: [...entries, shallow], tokenCount: 3 });
  const [plain, rival, small] = [...entries, shallow].map((entry) => poolOf(world, entry));
  if (plain === undefined || rival === undefined || small === undefined) throw new Error('three pools');

  it('is exchanged for one that may leave more, and one that by far leaves less is not even asked', () => {
    for (const mode of ['sell', 'buy'] as const) {
      const given = problemOf(world, { mode, fixed: 1000n * E18, maxHops: 1 });
      const asked = new Set<string>();
      const exact = (pool: World['pools'][number]) => {
        asked.add(pool.key);
        return given.market.models.exact(pool);
      };
      // Gas is a thousandth of the trade, and more.
      const trial: Trial = { problem: { ...given, quotes: new ExactQuotes(exact, MOMENT) }, tolls: { perGas: 1e14, perHop: 0 } };
      const priced = priceExactly(trial, [{ pool: plain, slotIn: 0, slotOut: 1, bps: 10_000 }], 1e21, null);
      if (!priced.ok) throw new Error('a pool that fills');
      const used = exchangeHops(trial, priced.finalist).hops.map(({ pool }) => pool.key);
      expect(used, mode).to.deep.equal([rival.key]);
      expect([...asked].toSorted(), mode).to.deep.equal([plain.key, rival.key].toSorted());
    }
  });
});

describe('the paths that a solve considered', () => {
  const facts = (pools: readonly PoolEntry[], more: Parameters<typeof job>[3]) => {
    const open = openWorld({ pools, tokenCount: 4 });
    return planOf(open.solve(job(token(1), token(2), 100n * E18, more), open.view)).facts;
  };

  it('are counted: each pool of one hop once, and more with every way over another token', () => {
    const equal = (count: number) => Array.from({ length: count }, (_, id) => pairPool(id, [1, 2], [1000n * E18, 1000n * E18]));
    for (const count of [1, 2, 5]) expect(facts(equal(count), { maxHops: 1 }).pathsConsidered).to.equal(count);
    const detour = [...equal(2), pairPool(7, [1, 3], [2000n * E18, 2000n * E18]), pairPool(8, [2, 3], [2000n * E18, 2000n * E18])];
    expect(facts(detour, { maxHops: 2 }).pathsConsidered).to.be.above(2);
  });
});

describe('a buy beside what sells', () => {
  const entries = [pairPool(0, [1, 2], [1_000_000n * E18, 1_000_000n * E18]), pairPool(1, [1, 2], [1_000_000n * E18, 500_000n * E18])];
  const world = openWorld({ pools: entries, tokenCount: 3 });
  const good = poolOf(world, entries[0]);

  it('asks for the least input of the pool that gives most, and for no more than the sell that gives as much', () => {
    const target = 1000n * E18;
    const bought = planOf(world.solve(job(token(1), token(2), target, { mode: 'buy', maxHops: 1 }), world.view));
    expect(bought.sellAmount).to.equal(leastInputOf(good, target));
    const sold = planOf(world.solve(job(token(1), token(2), bought.sellAmount, { maxHops: 1 }), world.view));
    expect(sold.grossAmount >= target).to.equal(true);
    const again = planOf(world.solve(job(token(1), token(2), sold.grossAmount, { mode: 'buy', maxHops: 1 }), world.view));
    expect(again.sellAmount <= bought.sellAmount).to.equal(true);
  });

  it('finds a route wherever a sell does, also where no route without splits can give so much', () => {
    const caps = [1, 2, 3].map((id) => pairPool(id, [1, 2], [1000n * E18, 1000n * E18]));
    const open = openWorld({ pools: caps, tokenCount: 3 });
    const sold = planOf(open.solve(job(token(1), token(2), 3000n * E18, { maxHops: 1 }), open.view));
    expect(sold.grossAmount > 1000n * E18).to.equal(true);
    const bought = planOf(open.solve(job(token(1), token(2), sold.grossAmount, { mode: 'buy', maxHops: 1 }), open.view));
    expect(bought.sellAmount <= 3000n * E18 + 10n ** 12n, String(bought.sellAmount)).to.equal(true);
  });
});
