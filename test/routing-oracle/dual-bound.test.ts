import { expect } from 'chai';
import { bestRates, dualBound, readMarket } from '../../src/bound/bound.ts';
import { createSolver, type SolveResult } from '../../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { bruteForce } from './brute-force.ts';
import { type OpenMarket, openMarket, randomPools, randomPoolsOfAllKinds, type SmallPool, tokenAddress } from './small-market.ts';

const CASES = FULL_SCALE ? 2000 : 30;
const PARTS = 8;
/** Rounding of the bound itself: a sum of float64 terms. */
const FLOAT = 1e-11;

describe('the upper bound and the slow solver', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  for (const wild of [false, true]) {
    it(`no split of the slow solver, and no route of Braid, gives more than the bound (${wild ? 'free arbitrage everywhere' : 'prices agree'})`, function () {
      this.timeout(300_000);
      const random = seededRandom(`dual bound ${wild}`);
      let solved = 0;
      for (let run = 0; run < CASES; run++) {
        const tokens = random.integer(2, 5);
        const pools = randomPools(random, tokens, random.integer(1, 7), wild);
        const amount = 1000n + random.logUniform(10n ** 18n);
        const maxHops = random.integer(1, 4);
        const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ pools, amount: String(amount), maxHops })}`;
        const opened = openMarket(pools, tokens, venues);
        const bound = boundOf(opened, 0, 1, amount);
        const slow = bruteForce(pools, venues, tokenAddress(0), tokenAddress(1), amount, maxHops, PARTS);
        const ours = solve(opened, venues, amount, maxHops);
        if (slow.best > 0n) solved++;
        expect(Number(slow.best), about).to.be.at.most(bound * (1 + FLOAT));
        if (ours.ok) expect(Number(ours.plan.grossAmount), about).to.be.at.most(bound * (1 + FLOAT));
        // Never less than the best route without splits, but where a trade drains the market.
        if (drains(opened, tokens, amount, slow.single)) continue;
        expect(ours.ok ? ours.plan.grossAmount : 0n, about).to.satisfy((output: bigint) => output >= slow.single);
      }
      expect(solved, 'cases with a route').to.be.above(CASES / 3);
    });
  }

  for (const wild of [false, true]) {
    it(`the same with weighted and stable pools and vaults among them (${wild ? 'free arbitrage everywhere' : 'prices agree'})`, function () {
      this.timeout(300_000);
      const random = seededRandom(`dual bound of all kinds ${wild}`);
      let compared = 0;
      for (let run = 0; run < CASES; run++) {
        const tokens = random.integer(2, 5);
        const pools = randomPoolsOfAllKinds(random, tokens, random.integer(1, 7), wild);
        const amount = 1000n + random.logUniform(10n ** 18n);
        const maxHops = random.integer(1, 4);
        const opened = openMarket(pools, tokens, venues);
        const worth = worthOfTokens(opened, tokens);
        const most = boundOf(opened, 0, 1, amount) * (1 + FLOAT + STRAIGHT) + roundingOf(pools, worth);
        const slow = bruteForce(pools, venues, tokenAddress(0), tokenAddress(1), amount, maxHops, PARTS);
        const ours = solve(opened, venues, amount, maxHops);
        const output = ours.ok ? ours.plan.grossAmount : 0n;
        const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ most, slow, output, pools, amount, maxHops }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
        expect(Number(slow.best), about).to.be.at.most(most);
        expect(Number(output), about).to.be.at.most(most);
        if (drains(opened, tokens, amount, slow.single)) continue;
        compared++;
        expect(Number(output), about).to.be.at.least(Number(slow.single) - powerErrorOf(pools, worth));
      }
      expect(compared, 'cases with a route that do not drain the market').to.be.above(CASES / 5);
    });
  }

  it('for a single pool the bound is what its curve gives, to float precision', () => {
    const random = seededRandom('bound of one pool');
    for (let run = 0; run < CASES; run++) {
      const pools = randomPools(random, 2, 1, false);
      const amount = 10n ** 9n;
      const { best } = bruteForce(pools, venues, tokenAddress(0), tokenAddress(1), amount, 1, 1);
      if (best === 0n) continue;
      const bound = boundOf(openMarket(pools, 2, venues), 0, 1, amount);
      // The contract rounds a few units of input and of output against the trader, and again at each tick.
      const ticks = pools[0]?.ticks;
      const units = 4 + (Array.isArray(ticks) ? ticks.length : 0);
      expect(bound - Number(best), JSON.stringify(pools)).to.be.within(-bound * FLOAT, units + (units * bound) / Number(amount));
    }
  });

  it('equal pools side by side give what one pool of their joint depth gives', () => {
    const pool = (id: number, scale: bigint): SmallPool => ({
      id: `0x${id.toString(16).padStart(40, '0')}`,
      kind: 'constantProduct',
      venue: 'uniswap_v2',
      tokens: [tokenAddress(0), tokenAddress(1)],
      reserves: [String(10n ** 18n * scale), String(3n * 10n ** 18n * scale)],
      feePpm: 3000,
    });
    for (const amount of [10n ** 9n, 10n ** 15n, 10n ** 18n, 10n ** 20n]) {
      const apart = boundOf(openMarket([pool(1, 1n), pool(2, 2n), pool(3, 5n)], 2, venues), 0, 1, amount);
      const joint = boundOf(openMarket([pool(1, 8n)], 2, venues), 0, 1, amount);
      expect(Math.abs(apart / joint - 1)).to.be.below(1e-9);
    }
  });

  it('more pools and more input never lower the bound; a token without a way has none', () => {
    const random = seededRandom('bound is monotone');
    for (let run = 0; run < CASES; run++) {
      const pools = randomPools(random, 4, 6, false);
      const amount = 1000n + random.logUniform(10n ** 16n);
      const all = boundOf(openMarket(pools, 4, venues), 0, 1, amount);
      // Of a market that the trade drains the bound may be far from tight.
      if (drains(openMarket(pools.slice(0, 3), 4, venues), 4, amount, BigInt(Math.floor(all)))) continue;
      expect(leastBoundOf(openMarket(pools.slice(0, 3), 4, venues), 0, 1, amount)).to.be.at.most(all * (1 + SLACK));
      expect(leastBoundOf(openMarket(pools, 4, venues), 0, 1, amount / 2n)).to.be.at.most(all * (1 + SLACK));
      expect(boundOf(openMarket(pools, 5, venues), 0, 4, amount)).to.equal(0);
    }
  });
});

/**
 * Whether a trade drains the market: the best route gives less than half of what its first price promises, or the pools can not take all of it at any price. The way that gives most halfway may then
 * be one that the rest of the market can not take, and a worse one is taken only by wasting input.
 */
function drains(opened: OpenMarket, tokens: number, amount: bigint, single: bigint): boolean {
  const worth = worthOfTokens(opened, tokens).get(tokenAddress(0)) ?? 0;
  const unfilled = opened.read((view) => {
    const [sell, buy] = [view.tokenId(asAddress(tokenAddress(0))), view.tokenId(asAddress(tokenAddress(1)))];
    return sell < 0 || buy < 0 ? 0 : (dualBound(readMarket(view), sell, buy, Number(amount))?.unfilled ?? 0);
  });
  return unfilled > 1e-9 || Number(single) * 2 < Number(amount) * worth;
}

/** A vault's straight piece lies below its line by up to 1e-9; a path has four hops. */
const STRAIGHT = 4e-9;

/** What the first unit of each token gives of the buy token over the best way; 0 where there is none. */
function worthOfTokens({ read }: OpenMarket, tokens: number): ReadonlyMap<string, number> {
  return read((view) => {
    const goal = view.tokenId(asAddress(tokenAddress(1)));
    const rates = goal < 0 ? null : bestRates(readMarket(view), goal);
    const addresses = Array.from({ length: tokens }, (_, token) => tokenAddress(token));
    return new Map(addresses.map((address) => [address, rates?.[view.tokenId(asAddress(address))] ?? 0]));
  });
}

/** What the integers of stable pools may give more than their curves, in units of the buy token: a few last digits of their common unit. Others round down. */
function roundingOf(pools: readonly SmallPool[], worth: ReadonlyMap<string, number>): number {
  const units = pools.flatMap(({ tokens, priceRates }) =>
    Array.isArray(priceRates) ? tokens.map((address, slot) => (1 + 1e18 / Number(priceRates[slot])) * (worth.get(address) ?? 0)) : [],
  );
  return LAST_DIGITS * units.reduce((sum, unit) => sum + unit, 0);
}

const LAST_DIGITS = 4;

/** What the powers of weighted pools of 2021 give less than their curves, in units of the buy token: it may put the second best pool first for a trade of dust. */
function powerErrorOf(pools: readonly SmallPool[], worth: ReadonlyMap<string, number>): number {
  const units = pools.flatMap(({ tokens, balances, version }) =>
    Array.isArray(balances) && version === 'v1' ? tokens.map((address, slot) => Number(balances[slot]) * (worth.get(address) ?? 0)) : [],
  );
  return 2e-14 * units.reduce((sum, unit) => sum + unit, 0);
}

/** Two bounds are compared here, and each may be above its optimum by what the descent left. */
const SLACK = 1e-6;

/** 0 where the token can not be reached: then nothing comes out. */
/** The bound less its own slack: the bound of a small market need not be tight. */
function leastBoundOf({ read }: OpenMarket, sell: number, buy: number, amount: bigint): number {
  return read((view) => {
    const [from, to] = [view.tokenId(asAddress(tokenAddress(sell))), view.tokenId(asAddress(tokenAddress(buy)))];
    const bound = from < 0 || to < 0 ? null : dualBound(readMarket(view), from, to, Number(amount));
    return bound === null ? 0 : bound.bound * (1 - bound.slackBps / 10_000);
  });
}

function boundOf({ read }: OpenMarket, sell: number, buy: number, amount: bigint): number {
  return read((view) => {
    const [from, to] = [view.tokenId(asAddress(tokenAddress(sell))), view.tokenId(asAddress(tokenAddress(buy)))];
    const bound = from < 0 || to < 0 ? null : dualBound(readMarket(view), from, to, Number(amount));
    return bound === null ? 0 : bound.bound;
  });
}

function solve({ loaded, read }: OpenMarket, venues: SolverVenues, amount: bigint, maxHops: number): SolveResult {
  const context = { chain: { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 0n }, venues, now: instantNow, cancelled: () => false };
  const job = {
    chainId: 1,
    mode: 'sell' as const,
    sellToken: asAddress(tokenAddress(0)),
    buyToken: asAddress(tokenAddress(1)),
    amount: asWei(amount),
    maxHops,
    gasPriceWei: null,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: Number.POSITIVE_INFINITY as InstantMs,
  };
  return read((view) => createSolver(context).solve(job, view));
}
