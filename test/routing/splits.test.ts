import { expect } from 'chai';
import fc from 'fast-check';
import { resimulate, type SplitHop } from '../../src/routing/execute/resimulate.ts';
import { ExactQuotes } from '../../src/routing/market/exact-quotes.ts';
import { labelMatches } from '../../src/routing/routing.ts';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import type { JoinedHops } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { bestSinglePath, concentratedPool, job, openWorld, type PoolEntry, pairPool, planOf, replay, token, venues, type World } from './world.ts';

const E18 = 10n ** 18n;
const runs = (slice: number) => ({ seed: SEED, numRuns: FULL_SCALE ? slice * 20 : slice });
const depth = fc.integer({ min: 50, max: 5000 }).map((units) => BigInt(units) * E18);
const skewed = fc.tuple(depth, fc.integer({ min: 970, max: 1030 })).map(([reserve, permille]) => [reserve, (reserve * BigInt(permille)) / 1000n] as const);

describe('splitting', () => {
  it('divides a trade between equal pools in half, and gains what two pools have over one', () => {
    const pools = [pairPool(0, [1, 2], [1000n * E18, 1000n * E18]), pairPool(1, [1, 2], [1000n * E18, 1000n * E18])];
    const open = openWorld({ pools, tokenCount: 3 });
    const plan = planOf(open.solve(job(token(1), token(2), 200n * E18), open.view));
    expect(plan.hops.map((hop) => [hop.bps, hop.amountIn])).to.deep.equal([
      [5000, 100n * E18],
      [10_000, 100n * E18],
    ]);
  });

  it('finds parallel pools, trees and merges that no grid of shares beats', () => {
    // Two pools from 1 to 2, and ways over 3 and 4, between which a pool leads from one to the other: a split in the middle and branches that meet again.
    const ends = [
      [1, 2],
      [1, 2],
      [1, 3],
      [3, 2],
      [1, 4],
      [4, 2],
      [3, 4],
    ] as const;
    fc.assert(
      fc.property(fc.tuple(...ends.map(() => skewed)), fc.integer({ min: 1, max: 3000 }), (reserves, units) => {
        const pools = ends.map((pair, id) => pairPool(id, pair, reserves[id] ?? [E18, E18], 5));
        const open = openWorld({ pools, tokenCount: 5 });
        const amount = BigInt(units) * E18;
        const plan = planOf(open.solve(job(token(1), token(2), amount), open.view));
        expect(replay(open, plan, token(1), amount).output).to.equal(plan.grossAmount);
        expect(plan.grossAmount >= bestOfGrid(open, pools, amount)).to.equal(true);
      }),
      runs(40),
    );
  });

  it('finds the split in the middle where the ways part only after a first hop', () => {
    const pools = [
      pairPool(0, [1, 3], [10_000n * E18, 10_000n * E18]),
      pairPool(1, [2, 3], [500n * E18, 500n * E18]),
      pairPool(2, [2, 3], [500n * E18, 500n * E18]),
    ];
    const open = openWorld({ pools, tokenCount: 4 });
    const { hops } = planOf(open.solve(job(token(1), token(2), 100n * E18), open.view));
    expect(hops.map((hop) => [hop.tokenIn, hop.bps])).to.deep.equal([
      [token(1), 10_000],
      [token(3), 5000],
      [token(3), 10_000],
    ]);
  });

  it('carries what no single pool can, in both modes', () => {
    const narrow = (id: number): PoolEntry => concentratedPool(id, [1, 2], 0, [[-600, 600, 1000n * E18]]);
    const open = openWorld({ pools: [narrow(0), narrow(1), narrow(2)], tokenCount: 3 });
    const single = bestSinglePath(open, token(1), token(2), 60n * E18, 3);
    expect(single).to.equal(0n);
    const sold = planOf(open.solve(job(token(1), token(2), 60n * E18), open.view));
    expect(sold.hops).to.have.lengthOf(3);
    const bought = planOf(open.solve(job(token(1), token(2), 60n * E18, { mode: 'buy' }), open.view));
    expect(bought.hops).to.have.lengthOf(3);
    expect(open.solve(job(token(1), token(2), 200n * E18), open.view).ok).to.equal(false);
    expect(open.solve(job(token(1), token(2), 200n * E18, { mode: 'buy' }), open.view).ok).to.equal(false);
  });
});

describe('resimulate, the border to exact numbers', () => {
  const pools = [pairPool(0, [1, 2], [1000n, 1000n]), pairPool(1, [1, 2], [1000n, 1000n]), pairPool(2, [2, 3], [5_000_000n, 5_000_000n])];
  const open = openWorld({ pools, tokenCount: 4 });
  const [first, second, third] = open.pools;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three pools are expected');
  const exact = (pool: typeof first) => {
    const venue = venues.get(pool.venue);
    return venue === undefined ? null : { state: venue.state.unpack(new WordReader(pool.words)), price: venue.price };
  };
  const [sell, buy] = [open.view.tokenId(token(1)), open.view.tokenId(token(3))];
  const hop = (pool: typeof first, bps: number): SplitHop => ({ pool, slotIn: 0, slotOut: 1, bps });
  const run = (steps: readonly SplitHop[], from: number, to: number, input: bigint) =>
    resimulate({ steps, sell: from, buy: to }, input, new ExactQuotes(exact, MOMENT));

  it('takes floors of what is left, leaves out hops that round to nothing, and gives the rest to the last', () => {
    const result = run([hop(first, 3333), hop(second, 10_000), hop(third, 10_000)], sell, buy, 101n);
    expect(result.ok && result.hops.map((done) => [done.amountIn, done.amountOut])).to.deep.equal([
      [33n, 31n],
      [68n, 63n],
      [94n, 93n],
    ]);
    const dust = run([hop(first, 1), hop(second, 10_000), hop(third, 10_000)], sell, buy, 9_999n);
    expect(dust.ok && dust.hops).to.have.lengthOf(2);
  });

  it('carries the state of a pool from hop to hop', () => {
    const twice = run([hop(third, 5000), hop(third, 10_000)], open.view.tokenId(token(2)), buy, 2_000_000n);
    expect(twice.ok && (twice.hops[1]?.amountOut ?? 0n) < (twice.hops[0]?.amountOut ?? 0n)).to.equal(true);
  });

  it('counts a hop that runs within the call of the one before it by what that saves less, and no hop that does not', () => {
    // Pools of one singleton, of which each has its own address here.
    const shared = (pool: typeof first) =>
      ({ key: pool.key, venue: pool.venue, address: third.address, hook: null, tokens: pool.tokens }) as unknown as typeof first;
    const real = new Map([first, second, third].map((pool) => [pool.key, exact(pool)]));
    const gasOf = (saves: number, steps: readonly SplitHop[], across: JoinedHops['across'] = 'one-contract') => {
      const quotes = new ExactQuotes((pool) => {
        const found = real.get(pool.key);
        return found ? { ...found, joinedHops: { across, saves } } : null;
      }, MOMENT);
      const result = resimulate({ steps, sell, buy }, 500n, quotes);
      if (!result.ok) throw new Error(result.reason);
      expect(result.gas).to.equal(result.hops.reduce((sum, { gas }) => sum + gas, 0));
      return result.gas;
    };
    const inRow = [hop(shared(first), 10_000), hop(shared(third), 10_000)];
    expect(gasOf(0, inRow) - gasOf(27_000, inRow)).to.equal(27_000);
    const apart = [hop(first, 10_000), hop(third, 10_000)];
    for (const steps of [[hop(shared(first), 5000), hop(shared(second), 10_000), hop(shared(third), 10_000)], apart]) {
      expect(gasOf(27_000, steps)).to.equal(gasOf(0, steps));
    }
    // Pools of one venue, each a contract of its own, where the venue can join any of them.
    expect(gasOf(0, apart, 'the-venue') - gasOf(27_000, apart, 'the-venue')).to.equal(27_000);
  });

  it('names the hop that its pool would not fill whole', () => {
    const refused = run([hop(first, 1), hop(second, 10_000)], sell, open.view.tokenId(token(2)), 10_000n);
    expect(refused).to.deep.equal({ ok: false, swap: hop(first, 1), reason: 'reverts', amountIn: 1n });
  });
});

describe('labelMatches', () => {
  it('lets a family stand for its variants, and a variant for itself alone', () => {
    const rows: readonly (readonly [string, string, boolean])[] = [
      ['uniswap_v4', 'uniswap_v4', true],
      ['uniswap_v4', 'uniswap_v4:angstrom', true],
      ['uniswap_v4:angstrom', 'uniswap_v4:angstrom', true],
      ['uniswap_v4:angstrom', 'uniswap_v4', false],
      ['uniswap_v', 'uniswap_v4', false],
      ['uniswap_v4:ang', 'uniswap_v4:angstrom', false],
    ];
    for (const [wanted, source, matches] of rows) expect(labelMatches(wanted, source), `${wanted} ${source}`).to.equal(matches);
  });
});

/** The best output over a grid of shares on the fixed shape of the merge test, in exact pool arithmetic. Written apart from the solver. */
function bestOfGrid(open: World, pools: readonly PoolEntry[], amount: bigint): bigint {
  const pool = (index: number) => open.pools.find((candidate) => candidate.key === pools[index]?.id);
  const swap = (index: number, input: bigint): bigint => {
    const found = pool(index);
    const venue = venues.get('uniswap_v2');
    if (found === undefined || venue === undefined || input === 0n) return 0n;
    const quote = venue.price.exactIn(venue.state.unpack(new WordReader(found.words)), 0, 1, input, MOMENT);
    return quote.ok ? quote.amountOut : 0n;
  };
  let best = 0n;
  const steps = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n];
  for (const a of steps) {
    for (const b of steps) {
      for (const c of steps) {
        if (a + b + c > 8n) continue;
        const rest = 8n - a - b - c;
        const over3 = swap(2, (amount * c) / 8n);
        const over4 = swap(4, (amount * rest) / 8n);
        const direct = swap(0, (amount * a) / 8n) + swap(1, (amount * b) / 8n);
        for (const d of [0n, 1n, 2n, 3n, 4n]) {
          const crossing = (over3 * d) / 4n;
          const total = direct + swap(3, over3 - crossing) + swap(5, over4 + swap(6, crossing));
          if (total > best) best = total;
        }
      }
    }
  }
  return best;
}
