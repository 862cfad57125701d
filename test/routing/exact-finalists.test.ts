// What decides between routes at the end: exact prices of finalists, the facts of a solve, and the second opinion on a buy.
import { expect } from 'chai';
import type { AttemptInput } from '../../src/routing/attempt.ts';
import { buyBySelling } from '../../src/routing/buy-by-selling.ts';
import { type Finalist, priceExactly, type Trial } from '../../src/routing/finalists.ts';
import { gasRule } from '../../src/routing/gas-rule.ts';
import { Market } from '../../src/routing/market.ts';
import { createPace } from '../../src/routing/pace.ts';
import { PoolModels } from '../../src/routing/pool-models.ts';
import { resimulate, type SplitHop } from '../../src/routing/routing.ts';
import { createAreaMaker } from '../../src/routing/search-area.ts';
import { createLedger } from '../../src/routing/solve-facts.ts';
import { NO_TOLLS, type Tolls } from '../../src/routing/tolls.ts';
import { type InstantMs, instantNow } from '../../src/units/units.ts';
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
  const models = new PoolModels(venues);
  const target = 1000n * E18;
  const trialWith = (tolls: Tolls): Trial => {
    const [sell, buy] = [world.view.tokenId(token(1)), world.view.tokenId(token(2))];
    return { mode: 'buy', amount: target, sell, buy, tolls, models };
  };
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
    expect(priced(NO_TOLLS, worse, rival)).to.deep.equal({ ok: false, refused: null, gas: null });
  });

  it('are held against the rival net of what both cost in gas', () => {
    const dear: Tolls = { perGas: 0, perHop: 1e15 };
    const rival = finalistOver(dear, plain);
    expect(rival.net).to.equal(-rival.input - 10n ** 15n);
    expect(priced(dear, better, rival).ok).to.equal(true);
    // What the rival would have to pay in all is less than the other's gas alone.
    expect(priced({ perGas: 0, perHop: 2e21 }, better, finalistOver(NO_TOLLS, plain))).to.deep.equal({ ok: false, refused: null, gas: null });
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
    const run = (input: bigint) => resimulate(hops, sell, buy, input, () => ({ state: null, price: short }));
    expect(run(1001n)).to.deep.equal({ ok: false, pool, reason: 'partial', amountIn: 1001n });
    const whole = run(1000n);
    expect(whole.ok && [whole.output, whole.hops.length]).to.deep.equal([5n, 1]);
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

describe('the second opinion on a buy', () => {
  const entries = [pairPool(0, [1, 2], [1_000_000n * E18, 1_000_000n * E18]), pairPool(1, [1, 2], [1_000_000n * E18, 500_000n * E18])];
  const world = openWorld({ pools: entries, tokenCount: 3 });
  const [good, bad] = entries.map((entry) => poolOf(world, entry));
  if (good === undefined || bad === undefined) throw new Error('two pools');
  const target = 1000n * E18;
  const models = new PoolModels(venues);
  const areaOf = createAreaMaker(new Market(models));
  const [sell, buy] = [world.view.tokenId(token(1)), world.view.tokenId(token(2))];
  // Made when the file is read, which may be minutes before its tests run.
  const pace = createPace((instantNow() + 3_600_000) as InstantMs, instantNow, () => false, 1e9);
  const input: AttemptInput = {
    area: areaOf({ view: world.view, sell, buy, maxHops: 1, admits: null, pace }),
    mode: 'buy',
    amount: target,
    gas: gasRule(null, null),
    models,
    pace,
    ledger: createLedger(instantNow),
    fitting: false,
  };
  const priceOver = (pool: World['pools'][number], mode: 'sell' | 'buy', amount: bigint): Finalist | null => {
    const trial: Trial = { mode, amount, sell, buy, tolls: NO_TOLLS, models };
    const priced = priceExactly(trial, [{ pool, slotIn: 0, slotOut: 1, bps: 10_000 }], Number(amount), null);
    return priced.ok ? priced.finalist : null;
  };
  const sellGood = (asked: AttemptInput) => {
    expect(asked.mode).to.equal('sell');
    return priceOver(good, 'sell', asked.amount);
  };

  it('finds the least input of what selling finds, where the search found nothing', () => {
    expect(buyBySelling(input, null, sellGood)?.input).to.equal(leastInputOf(good, target));
    expect(buyBySelling(input, null, () => null)).to.equal(null);
  });

  it('takes the place of a route that asks more, and leaves one that asks no more', () => {
    const poor = priceOver(bad, 'buy', target);
    expect(poor?.input).to.equal(leastInputOf(bad, target));
    expect(buyBySelling(input, poor, sellGood)?.input).to.equal(leastInputOf(good, target));
    const best = priceOver(good, 'buy', target);
    expect(buyBySelling(input, best, sellGood)).to.equal(best);
    expect(buyBySelling(input, best, (asked) => priceOver(bad, 'sell', asked.amount))).to.equal(best);
  });

  it('finds a route for all that a market gives, where the search of a buy finds none', () => {
    // Near the last units of two pools side by side the input for each more grows without bound.
    for (const unit of [10n ** 9n, 10n ** 12n, 10n ** 15n]) {
      const first = [pairPool(0, [1, 3], [unit, unit * 1000n]), pairPool(1, [1, 3], [unit * 7n, unit * 7000n])];
      const last = [pairPool(2, [2, 3], [unit * 1000n, unit]), pairPool(3, [2, 3], [unit * 3000n, unit * 3n])];
      const open = openWorld({ pools: [...first, ...last], tokenCount: 4 });
      const sold = planOf(open.solve(job(token(1), token(2), 10n ** 27n, { maxHops: 2 }), open.view));
      expect(sold.grossAmount > (unit * 39n) / 10n).to.equal(true);
      const bought = planOf(open.solve(job(token(1), token(2), sold.grossAmount, { maxHops: 2, mode: 'buy' }), open.view));
      expect(bought.grossAmount >= sold.grossAmount).to.equal(true);
      expect(bought.sellAmount <= 10n ** 27n).to.equal(true);
    }
  });
});
