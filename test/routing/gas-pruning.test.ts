import { expect } from 'chai';
import fc from 'fast-check';
import { LIMITS } from '../../src/config/limits.ts';
import type { Plan } from '../../src/routing/routing.ts';
import { check } from '../support/property.ts';
import { randomPools } from './random-world.ts';
import { bestSingleNet } from './route-shape.ts';
import { bestSinglePath, concentratedPool, job, openWorld, type PoolEntry, pairPool, planOf, token, type World } from './world.ts';

const E18 = 10n ** 18n;
const deep = [1_000_000n * E18, 1_000_000n * E18] as const;
const TOKENS = 5;

/** Liquidity in steps down from a price of one, each a bit unlike the one above, so that every tick between them is crossed and paid for. */
function ladder(id: number, steps: number, liquidity: bigint): PoolEntry {
  return concentratedPool(
    id,
    [1, 2],
    0,
    Array.from({ length: steps }, (_, at) => [-60 * (at + 1), -60 * at, liquidity + (at % 2 === 0 ? 0n : liquidity / 50n)] as const),
  );
}

/** What a plan that buys the native token leaves when its hops' gas is paid for: there a wei of gas is a wei of output. */
function netOf({ grossAmount, hops }: Plan, gasPriceWei: bigint): bigint {
  return grossAmount - hops.reduce((sum, { gas }) => sum + BigInt(gas) * gasPriceWei, 0n);
}

describe('gas in the choice of a route', () => {
  it('takes out pool after pool as gas gets dearer', () => {
    const pools = [pairPool(0, [1, 2], deep), pairPool(1, [1, 2], deep), pairPool(2, [1, 2], [2000n * E18, 2000n * E18]), pairPool(3, [0, 2], deep)];
    const hops = (baseFee: bigint) => {
      const open = openWorld({ pools, tokenCount: 3, baseFee });
      const plan = planOf(open.solve(job(token(1), token(2), 8000n * E18), open.view));
      return [plan.gasMode, plan.hops.length];
    };
    expect([hops(1n), hops(10n ** 12n), hops(10n ** 15n)]).to.deep.equal([
      ['prune', 3],
      ['prune', 2],
      ['prune', 1],
    ]);
  });

  it('prefers a pool that gives less to one whose ticks cost more than it gives', () => {
    // A few ticks of small liquidity, each to be paid for; beside them a pool without any, that gives 1% less.
    const steps = ladder(0, 40, 10_000n * E18);
    const plain = pairPool(1, [1, 2], [10n ** 26n, 97n * 10n ** 24n]);
    const open = openWorld({ pools: [steps, plain, pairPool(2, [0, 2], [10n ** 26n, 10n ** 26n])], tokenCount: 3 });
    const route = (gasPriceWei: bigint) => planOf(open.solve(job(token(1), token(2), 200n * E18, { gasPriceWei, maxHops: 1 }), open.view)).hops;
    expect(route(1n).map(({ source }) => source)).to.include('uniswap_v3');
    expect(route(5n * 10n ** 13n).map(({ source }) => source)).to.deep.equal(['uniswap_v2']);
  });

  it('counts also where no single path carries the trade', () => {
    const narrow = (id: number): PoolEntry => concentratedPool(id, [1, 2], 0, [[-600, 600, 1000n * E18]]);
    const small = Array.from({ length: 12 }, (_, index) => pairPool(10 + index, [1, 2], [20n * E18, 20n * E18]));
    const rates = [pairPool(30, [0, 1], deep), pairPool(31, [0, 2], deep)];
    const open = openWorld({ pools: [...[0, 1, 2].map(narrow), ...small, ...rates], tokenCount: 3 });
    for (const mode of ['sell', 'buy'] as const) {
      const hops = (gasPriceWei: bigint) => planOf(open.solve(job(token(1), token(2), 56n * E18, { mode, gasPriceWei, maxHops: 1 }), open.view)).hops.length;
      const [cheap, dear] = [hops(1n), hops(2n * 10n ** 12n)];
      expect([cheap, dear <= 5, dear >= 2], `${mode}: ${cheap}, ${dear}`).to.deep.equal([15, true, true]);
    }
  });

  it('takes two pools side by side instead of a long way each hop of which would pay for itself', () => {
    // Alone each of the two is worse than the way of three hops, and beside that way neither gains its gas.
    const side = [250_000n * E18, 250_000n * E18] as const;
    const way = (
      [
        [1, 2],
        [2, 3],
        [0, 3],
      ] as const
    ).map((ends, at) => pairPool(2 + at, ends, [10n ** 27n, 10n ** 27n], 5));
    const open = openWorld({ pools: [pairPool(0, [0, 1], side, 1), pairPool(1, [0, 1], side, 1), ...way], tokenCount: 4 });
    const route = (gasPriceWei: bigint) => planOf(open.solve(job(token(1), token(0), 1000n * E18, { gasPriceWei }), open.view));
    const [longer, shorter] = [route((9n * 10n ** 12n) / 2n), route(20n * 10n ** 12n)];
    expect(longer.hops).to.have.lengthOf(3);
    expect(shorter.hops).to.have.lengthOf(2);
    const keys = ({ hops }: Plan) => hops.map(({ poolKey }) => poolKey);
    expect(keys(shorter)).to.not.include.members(keys(longer).slice(0, 1));
    // Where what the longer one gives more is what its gas costs more, whatever the gas of a hop.
    const breakEven = (longer.grossAmount - shorter.grossAmount) / BigInt(longer.gas - shorter.gas);
    expect(keys(route((breakEven * 99n) / 100n))).to.have.members(keys(longer));
    expect(keys(route((breakEven * 101n) / 100n))).to.have.members(keys(shorter));
  });

  it('leaves at least what the route found without gas leaves, what the best route without splits leaves, and what a shorter search finds', function () {
    this.timeout(300_000);
    const amounts = fc.double({ min: 9, max: 24, noNaN: true }).map((exponent) => BigInt(Math.round(10 ** exponent)));
    // How much of the trade 100,000 gas units are, as a power of ten.
    const shares = fc.double({ min: -5, max: -1, noNaN: true });
    check(
      fc.property(randomPools(TOKENS, 14), amounts, shares, fc.integer({ min: 1, max: 4 }), (pools, amount, share, maxHops) => {
        const open = openWorld({ pools, tokenCount: TOKENS });
        const solve = (gasPriceWei: bigint, hops = maxHops) => open.solve(job(token(1), token(0), amount, { gasPriceWei, maxHops: hops }), open.view);
        fc.pre(leavesPoolsStanding(open, amount, maxHops));
        const free = solve(0n);
        if (!free.ok) return;
        const gasPriceWei = BigInt(Math.floor((Number(free.plan.grossAmount) / 100_000) * 10 ** share));
        const net = netOf(planOf(solve(gasPriceWei)), gasPriceWei);
        // The last units that float and rounding to basis points decide.
        const least = (rival: bigint) => rival - free.plan.grossAmount / 10n ** 6n - 3n;
        expect(net >= least(netOf(free.plan, gasPriceWei)), 'without gas').to.equal(true);
        const single = bestSingleNet(open, 0, amount, maxHops, gasPriceWei);
        if (single !== null) expect(net >= least(single), `without splits: ${net} ${single}`).to.equal(true);
        const shorter = solve(gasPriceWei, Math.min(2, maxHops));
        if (shorter.ok) expect(net >= least(netOf(shorter.plan, gasPriceWei)), 'two hops at most').to.equal(true);
      }),
      100,
    );
  });
});

/** In a market that the trade drains the search is not sure to find what is best. */
function leavesPoolsStanding(open: World, amount: bigint, maxHops: number): boolean {
  const [whole, part] = [amount, amount / 1000n].map((sold) => bestSinglePath(open, token(1), token(0), sold, maxHops));
  return whole !== undefined && part !== undefined && whole * 10n >= part * 9000n;
}

describe('the size of a route', () => {
  const equal = (count: number) => Array.from({ length: count }, (_, id) => pairPool(id, [1, 2], [1000n * E18, 1000n * E18]));

  it('is as many hops as pay, up to the most that one may have', () => {
    const hops = (count: number) => {
      const open = openWorld({ pools: equal(count), tokenCount: 3 });
      return planOf(open.solve(job(token(1), token(2), 5000n * E18), open.view)).hops.length;
    };
    expect([20, 144, 200].map(hops)).to.deep.equal([20, 144, 144]);
  });

  it('is no more hops than the gas of a transaction allows, and not many less', () => {
    // Each is so small that its share of the trade crosses two ticks.
    const range = (id: number) =>
      concentratedPool(id, [1, 2], 0, [
        [-6000, 6000, (1000n + BigInt(id)) * E18],
        [-60, 60, 50n * E18],
        [-120, 120, 50n * E18],
      ]);
    const open = openWorld({ pools: Array.from({ length: 144 }, (_, id) => range(id)), tokenCount: 3 });
    const { hops } = planOf(open.solve(job(token(1), token(2), 5000n * E18), open.view));
    const gas = hops.reduce((sum, hop) => sum + hop.gas, 0);
    expect((144 * gas) / hops.length, 'gas of all pools together').to.be.above(LIMITS.routing.routeGas);
    expect(gas).to.be.within(LIMITS.routing.routeGas * 0.7, LIMITS.routing.routeGas);
  });

  it('crosses no more ticks of one pool than the gas of a transaction allows', () => {
    const pools = [ladder(0, 900, 10n ** 20n), pairPool(1, [1, 2], [10n ** 20n, 10n ** 20n])];
    const open = openWorld({ pools, tokenCount: 3 });
    const gases = [5n, 10n, 20n, 60n].map((tens) =>
      planOf(open.solve(job(token(1), token(2), tens * 10n ** 20n), open.view)).hops.reduce((sum, { gas }) => sum + gas, 0),
    );
    expect(Math.max(...gases)).to.be.within(LIMITS.routing.routeGas * 0.8, LIMITS.routing.routeGas);
  });
});
