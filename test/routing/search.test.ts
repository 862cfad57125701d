import { expect } from 'chai';
import fc from 'fast-check';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { randomPools } from './random-world.ts';
import { longestPath } from './route-shape.ts';
import { bestSinglePath, job, openWorld, planOf, quotePool, replay, token, type World } from './world.ts';

const TOKENS = 5;
const runs = (slice: number) => ({ seed: SEED, numRuns: FULL_SCALE ? slice * 120 : slice });
const amounts = fc.double({ min: 0, max: 27, noNaN: true }).map((exponent) => BigInt(Math.max(1, Math.round(10 ** exponent))));
const hops = fc.integer({ min: 1, max: 4 });
const pools = (most = 14) => randomPools(TOKENS, most);
const world = (entries: Parameters<typeof openWorld>[0]['pools']): World => openWorld({ pools: entries, tokenCount: TOKENS });
/** Float misorders near-equal routes by a few parts in 10^12; the rest is whole units. */
const nearly = (value: bigint) => value - value / 10n ** 11n - 3n;

/**
 * Whether a trade leaves pools standing: its average price is at least a hundredth of what a thousandth of it would get. Beyond, a trade buys the last
 * units of reserves at any price, and which pools it empties first is not a question of quality.
 */
function leavesPoolsStanding(open: World, amount: bigint, maxHops: number): boolean {
  return bestSinglePath(open, token(1), token(2), amount, maxHops) * 100n >= bestSinglePath(open, token(1), token(2), amount / 1000n, maxHops) * 1000n;
}

describe('the solver, against venues asked one by one', () => {
  it('gives at least the best route without splits, and finds one whenever there is one', () => {
    fc.assert(
      fc.property(pools(), amounts, fc.integer({ min: 1, max: 3 }), (entries, amount, maxHops) => {
        const open = world(entries);
        const best = bestSinglePath(open, token(1), token(2), amount, maxHops);
        fc.pre(leavesPoolsStanding(open, amount, maxHops));
        const result = open.solve(job(token(1), token(2), amount, { maxHops }), open.view);
        if (best > 0n) expect(planOf(result).grossAmount >= nearly(best), `${result.ok ? result.plan.grossAmount : 'none'} < ${best}`).to.equal(true);
      }),
      runs(130),
    );
  });

  it('asked for no splits gives one path, within a unit or two of the best there is, and never more than with them', () => {
    fc.assert(
      fc.property(pools(), amounts, fc.integer({ min: 1, max: 3 }), (entries, amount, maxHops) => {
        const open = world(entries);
        const best = bestSinglePath(open, token(1), token(2), amount, maxHops);
        fc.pre(leavesPoolsStanding(open, amount, maxHops));
        const asked = job(token(1), token(2), amount, { maxHops });
        const [alone, free] = [open.solve({ ...asked, unsplit: true }, open.view), open.solve(asked, open.view)];
        expect(alone.ok).to.equal(free.ok);
        if (!alone.ok || !free.ok) return;
        const { hops: path, grossAmount } = alone.plan;
        expect(path.slice(1).every(({ tokenIn }, at) => tokenIn === path[at]?.tokenOut)).to.equal(true);
        expect(path.every(({ bps }) => bps === 10_000)).to.equal(true);
        expect(grossAmount <= best && grossAmount >= nearly(best), `${grossAmount} of ${best}`).to.equal(true);
        expect(free.plan.grossAmount >= nearly(grossAmount)).to.equal(true);
      }),
      runs(60),
    );
  });

  it('lists hops whose bps alone give every amount, to the wei, with nothing left over and first-level inputs that sum to sellAmount', () => {
    fc.assert(
      fc.property(pools(), amounts, hops, fc.constantFrom('sell' as const, 'buy' as const), (entries, amount, maxHops, mode) => {
        const open = world(entries);
        const result = open.solve(job(token(1), token(2), amount, { maxHops, mode }), open.view);
        if (!result.ok) return;
        const { plan } = result;
        expect(replay(open, plan, token(1), plan.sellAmount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
        const first = plan.hops.filter((hop) => hop.tokenIn === token(1)).reduce((sum, hop) => sum + hop.amountIn, 0n);
        expect(first).to.equal(plan.sellAmount);
        if (mode === 'sell') expect(plan.sellAmount).to.equal(amount);
        expect(longestPath(plan.hops)).to.be.at.most(maxHops);
      }),
      runs(130),
    );
  });

  it('solves buy for the least input: it reaches the target, one unit less misses it', () => {
    fc.assert(
      fc.property(pools(), amounts, hops, (entries, amount, maxHops) => {
        const open = world(entries);
        const result = open.solve(job(token(1), token(2), amount, { maxHops, mode: 'buy' }), open.view);
        if (!result.ok) return;
        expect(result.plan.grossAmount >= amount).to.equal(true);
        expect(outputOf(open, result.plan.hops, result.plan.sellAmount - 1n) < amount).to.equal(true);
      }),
      runs(130),
    );
  });

  it('does not ask more in buy for what sell gives', () => {
    fc.assert(
      fc.property(pools(), amounts, (entries, amount) => {
        const open = world(entries);
        const sold = open.solve(job(token(1), token(2), amount), open.view);
        if (!sold.ok) return;
        fc.pre(leavesPoolsStanding(open, amount, 3));
        const bought = planOf(open.solve(job(token(1), token(2), sold.plan.grossAmount, { mode: 'buy' }), open.view));
        // Buying what a sale yields costs about the sale: the shares come from the same model, in whole basis points.
        expect(Number(bought.sellAmount)).to.be.at.most(Number(amount) * (1 + 1e-5) + 3 + unitOfOutput(amount, sold.plan.grossAmount));
      }),
      runs(100),
    );
  });

  it('never gives less for more input or for more pools', () => {
    fc.assert(
      fc.property(pools(10), pools(4), amounts, (entries, others, amount) => {
        const small = world(entries);
        const large = world([...entries, ...others.map((entry, index) => ({ ...entry, id: `0x${(0xc0000 + index).toString(16).padStart(40, '0')}` }))]);
        const gross = (open: World, sold: bigint) => {
          const result = open.solve(job(token(1), token(2), sold), open.view);
          return result.ok ? result.plan.grossAmount : 0n;
        };
        fc.pre(leavesPoolsStanding(small, amount * 2n, 3));
        const alone = gross(small, amount);
        const slack = alone / 100_000n + 3n;
        expect(gross(large, amount) >= alone - slack, 'more pools').to.equal(true);
        const doubled = gross(small, amount * 2n);
        // A pool that runs out can refuse the larger amount.
        if (doubled > 0n) expect(doubled >= alone - slack, 'more input').to.equal(true);
      }),
      runs(85),
    );
  });

  it('gives the same plan whatever the order of pools', () => {
    fc.assert(
      fc.property(
        pools().chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length }))),
        amounts,
        ([entries, shuffled], amount) => {
          const solve = (open: World) => open.solve(job(token(1), token(2), amount), open.view);
          const [one, two] = [solve(world(entries)), solve(world(shuffled))];
          expect(one.ok).to.equal(two.ok);
          if (one.ok) expect(planOf(two).hops).to.deep.equal(one.plan.hops);
        },
      ),
      runs(65),
    );
  });
});

/** A unit of output in units of input, where output is the coarser. */
function unitOfOutput(input: bigint, output: bigint): number {
  return (2 * Number(input)) / Number(output);
}

/** Output of the listed shares for another input; 0 where a hop refuses. */
function outputOf(open: World, route: readonly { poolKey: string; tokenIn: string; tokenOut: string; bps: number }[], input: bigint): bigint {
  const balances = new Map<string, bigint>([[token(1), input]]);
  for (const hop of route) {
    const pool = open.pools.find((candidate) => candidate.key === hop.poolKey);
    if (pool === undefined) return 0n;
    const held = balances.get(hop.tokenIn) ?? 0n;
    const amountIn = (held * BigInt(hop.bps)) / 10_000n;
    if (amountIn === 0n) continue;
    const slot = (address: string) => pool.tokens.findIndex((id) => open.view.token(id).address === address);
    const quote = quotePool(pool, slot(hop.tokenIn), slot(hop.tokenOut), amountIn);
    if (!quote.ok) return 0n;
    balances.set(hop.tokenIn, held - amountIn);
    balances.set(hop.tokenOut, (balances.get(hop.tokenOut) ?? 0n) + quote.amountOut);
  }
  return balances.get(token(2)) ?? 0n;
}
