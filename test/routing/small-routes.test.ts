// Trades of few base units: routes are ranked by whole units, against all routes there are, tried one by one.
import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { type Finalist, priceExactly, type Trial } from '../../src/routing/execute/finalists.ts';
import type { SplitHop } from '../../src/routing/execute/resimulate.ts';
import { NO_TOLLS } from '../../src/routing/gas/tolls.ts';
import { rankSmallRoutes } from '../../src/routing/paths/small-amounts.ts';
import type { PoolView } from '../../src/snapshot/snapshot.ts';
import { check } from '../support/property.ts';
import { problemOf } from './problem-of.ts';
import { randomPools, randomPoolsOfManyTokens } from './random-world.ts';
import { openWorld, pairPool, quotePool, type World } from './world.ts';

const MAX_HOPS = 3;
const TOKENS = 4;
const modes = fc.constantFrom('sell' as const, 'buy' as const);

/** Every route without splits that comes by no token twice. */
function allRoutes({ pools }: World, sell: number, buy: number): SplitHop[][] {
  const found: SplitHop[][] = [];
  const extend = (at: number, route: readonly SplitHop[], visited: readonly number[]): void => {
    if (at === buy) found.push([...route]);
    if (at === buy || route.length === MAX_HOPS) return;
    for (const pool of pools) {
      const slotIn = pool.tokens.indexOf(at);
      for (const [slotOut, next] of pool.tokens.entries()) {
        if (slotIn >= 0 && !visited.includes(next)) extend(next, [...route, { pool, slotIn, slotOut, bps: 10_000 }], [...visited, next]);
      }
    }
  };
  extend(sell, [], [sell]);
  return found;
}

function finalistOf(trial: Trial, hops: readonly SplitHop[]): Finalist | null {
  const priced = priceExactly(trial, hops, Number(trial.problem.fixed), null);
  return priced.ok ? priced.finalist : null;
}

const mostNet = (finalists: readonly (Finalist | null)[]) =>
  finalists.reduce((best, each) => (each !== null && (best === null || each.net > best.net) ? each : best), null);

/** How often a pool was looked at for an exact quote while some routes were ranked. */
function looks(trial: Trial, known: Finalist | null = null): number {
  const spy = sinon.spy(trial.problem.market.models, 'exact');
  try {
    rankSmallRoutes(trial, known);
    return spy.callCount;
  } finally {
    spy.restore();
  }
}

describe('a trade of few base units', () => {
  it('has the best of all routes without splits among those that are ranked, whatever was known before', () => {
    check(
      fc.property(randomPools(TOKENS, 9), fc.integer({ min: 1, max: 3000 }), modes, fc.nat(), (pools, amount, mode, which) => {
        const world = openWorld({ pools, tokenCount: TOKENS });
        const problem = problemOf(world, { mode, fixed: BigInt(amount), maxHops: MAX_HOPS });
        if (problem.sell < 0 || problem.buy < 0) return;
        problem.prices.refresh(world.view, () => true);
        const trial: Trial = { problem, tolls: NO_TOLLS };
        const every = allRoutes(world, problem.sell, problem.buy).map((hops) => finalistOf(trial, hops));
        const best = mostNet(every);
        const known = every.length === 0 ? null : (every[which % every.length] ?? null);
        for (const before of [null, known, best]) {
          const ranked = rankSmallRoutes(trial, before).map((hops) => finalistOf(trial, hops));
          expect(mostNet([before, ...ranked])?.net).to.equal(best?.net);
          // Nets fall, and each is that of a route which can be executed.
          expect(ranked.map((each) => each?.net)).to.deep.equal(ranked.map((each) => each?.net).toSorted((a, b) => Number((b as bigint) - (a as bigint))));
        }
      }),
      150,
    );
  });

  it('goes through no pool twice: what it gives the second time depends on the first', () => {
    check(
      fc.property(randomPoolsOfManyTokens(TOKENS, 2), fc.integer({ min: 100, max: 30_000 }), modes, (pools, amount, mode) => {
        const world = openWorld({ pools, tokenCount: TOKENS });
        const problem = problemOf(world, { mode, fixed: BigInt(amount), maxHops: MAX_HOPS });
        if (problem.sell < 0 || problem.buy < 0) return;
        for (const hops of rankSmallRoutes({ problem, tolls: NO_TOLLS }, null)) expect(new Set(hops.map(({ pool }) => pool)).size).to.equal(hops.length);
      }),
      150,
    );
  });

  it('asks no pool whose first price does not reach what another gave', () => {
    const good = pairPool(0, [1, 2], [10n ** 24n, 10n ** 24n]);
    const poor = Array.from({ length: 40 }, (_, id) => pairPool(1 + id, [1, 2], [10n ** 24n, 9n * 10n ** 23n]));
    const world = openWorld({ pools: [...poor, good], tokenCount: 3 });
    for (const mode of ['sell', 'buy'] as const) {
      const problem = problemOf(world, { mode, fixed: 10_000n, maxHops: 2 });
      const trial: Trial = { problem, tolls: NO_TOLLS };
      expect(rankSmallRoutes(trial, null).map(([hop]) => hop?.pool.key)).to.deep.equal([good.id]);
      expect(looks(trial), mode).to.equal(1);
    }
  });

  it('has no way looked at that could not beat what is known even at reference prices, once many were looked at', () => {
    const deep = 10n ** 24n;
    const level = [pairPool(0, [0, 1], [deep, deep]), pairPool(1, [0, 2], [deep, deep]), pairPool(2, [1, 2], [deep, deep])];
    // Half of what comes to any other token is lost on the way, and half of what leaves it.
    const others = Array.from({ length: 40 }, (_, index) => index + 3);
    const detours = others.flatMap((other) => [
      pairPool(20 * other, [0, other], [deep, deep]),
      ...Array.from({ length: 7 }, (_, at) => pairPool(20 * other + 1 + at, [1, other], [deep, deep], 5000)),
      ...Array.from({ length: 4 }, (_, at) => pairPool(20 * other + 8 + at, [2, other], [deep, deep], 5000)),
    ]);
    const world = openWorld({ pools: [...level, ...detours], tokenCount: 43 });
    for (const mode of ['sell', 'buy'] as const) {
      const problem = problemOf(world, { mode, fixed: 100_000n, maxHops: 2 });
      problem.prices.refresh(world.view, () => true);
      const trial: Trial = { problem, tolls: NO_TOLLS };
      const known = mostNet(rankSmallRoutes(trial, null).map((hops) => finalistOf(trial, hops)));
      const [all, some] = [looks(trial), looks(trial, known)];
      // The direct pool, the good way of two hops, and all pools of both hops of each detour.
      expect(all, mode).to.equal(1 + 2 + others.length * (7 + 4));
      expect(some, mode).to.be.below(all);
      const unpriced: Trial = { problem: problemOf(world, { mode, fixed: 100_000n, maxHops: 2 }), tolls: NO_TOLLS };
      expect(looks(unpriced, known), `${mode} without reference prices`).to.equal(all);
    }
  });

  it('goes by a small pool that pays more than what reference prices are measured by', () => {
    const [small, level] = [10n ** 6n, 1_004_129n];
    const pools = [pairPool(0, [0, 1], [small, small], 5), pairPool(1, [0, 2], [995_889n, 1_004_128n], 5), pairPool(2, [0, 2], [level, level], 5)];
    const world = openWorld({ pools: [...pools, pairPool(3, [0, 1], [small, small])], tokenCount: 3 });
    const problem = problemOf(world, { mode: 'sell', fixed: 557n, maxHops: 3 });
    problem.prices.refresh(world.view, () => true);
    const trial: Trial = { problem, tolls: NO_TOLLS };
    for (const hops of allRoutes(world, problem.sell, problem.buy)) {
      const ranked = rankSmallRoutes(trial, finalistOf(trial, hops)).map((each) => finalistOf(trial, each));
      expect(mostNet([finalistOf(trial, hops), ...ranked])?.net).to.equal(560n);
    }
  });

  it('is ranked net of what hops cost, and only over pools that the request admits', () => {
    const deep = 10n ** 24n;
    const direct = pairPool(0, [1, 2], [deep, deep - deep / 50n]);
    const over = [pairPool(1, [1, 3], [deep, deep], 1), pairPool(2, [2, 3], [deep, deep], 1)];
    const world = openWorld({ pools: [direct, ...over], tokenCount: 4 });
    for (const mode of ['sell', 'buy'] as const) {
      const problem = problemOf(world, { mode, fixed: 100_000n, maxHops: 2 });
      const hopsOf = (perHop: number, admits: Trial['problem']['admits'] = null) =>
        rankSmallRoutes({ problem: { ...problem, admits }, tolls: { perGas: 0, perHop } }, null).map((hops) => hops.length);
      expect(hopsOf(0)).to.deep.equal([2, 1]);
      expect(hopsOf(10_000)).to.deep.equal([1, 2]);
      expect(hopsOf(0, ({ key }) => key === direct.id)).to.deep.equal([1]);
      expect(hopsOf(0, ({ key }) => key !== direct.id)).to.deep.equal([2]);
    }
  });

  it('goes through no pool that would take only a part of it', () => {
    const world = openWorld({ pools: [1, 2].map((id) => pairPool(id, [1, 2], [10n ** 24n, 10n ** 24n + BigInt(id)])), tokenCount: 3 });
    const problem = problemOf(world, { mode: 'sell', fixed: 10_000n, maxHops: 1 });
    const { models } = problem.market;
    const [whole, short] = world.pools as readonly [PoolView, PoolView];
    const exactOf = models.exact.bind(models);
    const stub = sinon.stub(models, 'exact').callsFake((pool) => {
      const exact = exactOf(pool);
      if (exact === null || pool !== short) return exact;
      return { ...exact, price: { exactIn: (state) => ({ ok: true, amountIn: 9999n, amountOut: 20_000n, gas: 1, next: state }) } };
    });
    try {
      expect(rankSmallRoutes({ problem, tolls: NO_TOLLS }, null).map(([hop]) => hop?.pool)).to.deep.equal([whole]);
      expect(quotePool(whole, 0, 1, 10_000n).ok).to.equal(true);
    } finally {
      stub.restore();
    }
  });
});
