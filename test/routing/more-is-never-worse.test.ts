// More room, more input or more pools must not cost anything; and what a sell gave can be bought for no more.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Plan } from '../../src/routing/routing.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { randomPools, randomPoolsOfManyTokens } from './random-world.ts';
import { bestSinglePath, job, openWorld, type PoolEntry, token, type World } from './world.ts';

const TOKENS = 5;
/** Shares are whole basis points, by which two answers of like quality differ: a tenth of a basis point of the trade. Of amounts below, units decide. */
const ROUNDING = 1e-5;
const LEAST_OUTPUT = 10n ** 6n;
/** A full hop's share is rounded down, so that of each token a whole basis point may go where it gives next to nothing: twice that. */
const ROUNDED_DOWN = 2e-4;
/** Of 10,000 pairs of markets, one may be worse by this much where a pool more is in it. */
const PAIRS = FULL_SCALE ? 10_000 : 150;

type Trade = { readonly pools: readonly PoolEntry[]; readonly amount: bigint; readonly gasShare: number; readonly maxHops: number; readonly growth: bigint };

/** `growth`: in thousandths. `gasShare`: what 100,000 gas units are of the trade, as a power of ten; below −6 gas is free. */
const details = {
  amount: fc.double({ min: 9, max: 24, noNaN: true }).map((exponent) => BigInt(Math.round(10 ** exponent))),
  gasShare: fc.double({ min: -8, max: -1, noNaN: true }),
  maxHops: fc.integer({ min: 1, max: 4 }),
  growth: fc.constantFrom(1001n, 1100n, 2000n, 10_000n),
};
const markets: readonly (readonly [string, fc.Arbitrary<PoolEntry[]>])[] = [
  ['pools of two tokens', randomPools(TOKENS, 12)],
  ['pools of many tokens', randomPoolsOfManyTokens(TOKENS, 5)],
];

const open = (pools: readonly PoolEntry[]): World => openWorld({ pools, tokenCount: TOKENS });

function sell({ solve, view }: World, amount: bigint, maxHops: number, gasPriceWei = 0n): Plan | null {
  const result = solve(job(token(1), token(0), amount, { maxHops, gasPriceWei }), view);
  return result.ok ? result.plan : null;
}

/** What a plan that buys the native token leaves when its hops' gas is paid for: there a wei of gas is a wei of output. */
function netOf({ grossAmount, hops }: Plan, gasPriceWei: bigint): bigint {
  return grossAmount - hops.reduce((sum, { gas }) => sum + BigInt(gas) * gasPriceWei, 0n);
}

/** Whether a trade leaves pools standing: its average price is at least a hundredth of what a thousandth of it would get. Beyond, a trade buys the last units of reserves at any price. */
function leavesPoolsStanding(world: World, { amount, maxHops }: Trade): boolean {
  const [whole = 0n, part = 0n] = [amount, amount / 1000n].map((size) => bestSinglePath(world, token(1), token(0), size, Math.min(3, maxHops)));
  return whole > LEAST_OUTPUT && whole * 100n >= part * 1000n;
}

function gasPriceOf({ gasShare }: Trade, { grossAmount }: Plan): bigint {
  return gasShare < -6 ? 0n : BigInt(Math.floor((Number(grossAmount) / 100_000) * 10 ** gasShare));
}

type LossOf = (trade: Trade, world: World) => number;

/** Losses of so many random trades that leave pools standing, as a share of each; those of at most `tolerated` are none. Nothing is shrunk: a fault here takes long to. */
function losses(market: fc.Arbitrary<PoolEntry[]>, count: number, tolerated: number, lossOf: LossOf): readonly string[] {
  return tradesOf(market, SEED, count).flatMap((trade, index) => lossOfTrade(trade, `trade ${index} of seed ${SEED}`, tolerated, lossOf));
}

function tradesOf(market: fc.Arbitrary<PoolEntry[]>, seed: number, count: number): readonly Trade[] {
  return fc.sample(fc.record({ pools: market, ...details }), { seed, numRuns: count });
}

function lossOfTrade(trade: Trade, name: string, tolerated: number, lossOf: LossOf): readonly string[] {
  const world = open(trade.pools);
  const loss = leavesPoolsStanding(world, trade) ? lossOf(trade, world) : 0;
  return loss > tolerated ? [`${name}: ${loss.toExponential(2)}`] : [];
}

function lossOfOneHopMore(trade: Trade, world: World): number {
  const free = sell(world, trade.amount, trade.maxHops);
  if (free === null) return 0;
  const gasPriceWei = gasPriceOf(trade, free);
  const [fewer, more] = [0, 1].map((hop) => sell(world, trade.amount, trade.maxHops + hop, gasPriceWei));
  if (!fewer) return 0;
  return more ? share(netOf(fewer, gasPriceWei) - netOf(more, gasPriceWei), fewer) : Infinity;
}

function lossOfLargerSell({ amount, maxHops, growth }: Trade, world: World): number {
  const [less, more] = [amount, (amount * growth) / 1000n].map((size) => sell(world, size, maxHops));
  // What no pool takes has no route.
  if (!less || !more) return 0;
  // What the smaller trade went through wholly is a part of the larger one, in whole basis points of that.
  return share(less.grossAmount - more.grossAmount, less) - (growth < 2000n ? 0 : 1e-7 * Number(growth));
}

function lossOfRoundTrip({ amount, maxHops }: Trade, world: World): number {
  const sold = sell(world, amount, maxHops);
  if (sold === null) return 0;
  const bought = world.solve(job(token(1), token(0), sold.grossAmount, { mode: 'buy', maxHops, gasPriceWei: 0n }), world.view);
  return bought.ok ? Number(bought.plan.sellAmount - amount) / Number(amount) : Infinity;
}

/** Trades over pools of many tokens that lost once, by seed and number: a way that would close a cycle hid another, an order shut out what was better, a pool was left in a state that quotes nothing more, a start drained, a pool of many tokens that was nearly drained was dealt out by its units, pools so deep that contracts give nothing for the trade stood first, a full pool was left out whose share is below half a basis point. */
const LOST: readonly { readonly what: string; readonly lossOf: LossOf; readonly tolerated: number; readonly trades: readonly (readonly [number, number])[] }[] =
  [
    {
      what: 'one hop more gives no less',
      lossOf: lossOfOneHopMore,
      tolerated: ROUNDING,
      trades: [
        [2, 16],
        [4, 94],
        [5, 72],
      ],
    },
    {
      what: 'a larger sell gives no less',
      lossOf: lossOfLargerSell,
      tolerated: ROUNDED_DOWN,
      trades: [
        [2, 78],
        [3, 24],
        [3, 35],
        [8, 31],
        [17, 64],
        [19, 94],
      ],
    },
    {
      what: 'a buy of what a sell gave asks for no more',
      lossOf: lossOfRoundTrip,
      tolerated: ROUNDING,
      trades: [
        [3, 35],
        [6, 83],
      ],
    },
  ];

function share(less: bigint, of: Plan): number {
  return Number(less) / Number(of.grossAmount);
}

describe('more is never worse', () => {
  for (const { what, lossOf, tolerated, trades } of LOST) {
    it(`${what} in trades that it cost once`, () => {
      const many = randomPoolsOfManyTokens(TOKENS, 5);
      const found = trades.flatMap(([seed, index]) =>
        lossOfTrade(tradesOf(many, seed, index + 1)[index] as Trade, `trade ${index} of seed ${seed}`, tolerated, lossOf),
      );
      expect(found).to.deep.equal([]);
    });
  }

  for (const [kind, market] of markets) {
    it(`one hop more gives no less net of gas (${kind})`, function () {
      this.timeout(FULL_SCALE ? 1_200_000 : 300_000);
      const found = losses(market, FULL_SCALE ? 4000 : 60, ROUNDING, lossOfOneHopMore);
      expect(found).to.deep.equal([]);
    });

    it(`a larger sell gives no less output (${kind})`, function () {
      this.timeout(FULL_SCALE ? 1_200_000 : 300_000);
      const found = losses(market, FULL_SCALE ? 4000 : 60, ROUNDED_DOWN, lossOfLargerSell);
      expect(found).to.deep.equal([]);
    });

    it(`buying what a sell gave asks for no more than was sold (${kind})`, function () {
      this.timeout(FULL_SCALE ? 1_200_000 : 300_000);
      const found = losses(market, FULL_SCALE ? 4000 : 60, ROUNDING, lossOfRoundTrip);
      expect(found).to.deep.equal([]);
    });
  }
  for (const [kind, market] of markets) {
    it(`one pool more gives less in at most one of 10,000 pairs of markets, by a tenth of a basis point at most (${kind})`, function () {
      this.timeout(FULL_SCALE ? 1_200_000 : 300_000);
      let worst = 0;
      const found = losses(market, PAIRS, 1e-9, (trade, world) => {
        const [fewer, free] = [open(trade.pools.slice(0, -1)), sell(world, trade.amount, trade.maxHops)];
        if (trade.pools.length < 2 || free === null) return 0;
        const gasPriceWei = gasPriceOf(trade, free);
        const [before, after] = [fewer, world].map((one) => sell(one, trade.amount, trade.maxHops, gasPriceWei));
        if (!before) return 0;
        const loss = after ? share(netOf(before, gasPriceWei) - netOf(after, gasPriceWei), before) : Infinity;
        worst = Math.max(worst, loss);
        return loss;
      });
      expect(worst, found.join('; ')).to.be.at.most(1e-5);
      expect(found.length, found.join('; ')).to.be.at.most(Math.ceil(PAIRS / 10_000));
    });
  }
});
