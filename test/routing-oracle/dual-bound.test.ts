import { expect } from 'chai';
import { readMarket } from '../../bench/solver/bound/market.ts';
import { bestRates, dualBound } from '../../bench/solver/dual-bound.ts';
import { createSolver, type SolveResult } from '../../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { bruteForce } from './brute-force.ts';
import { type OpenMarket, openMarket, randomPools, randomPoolsOfAllKinds, type SmallPool, tokenAddress } from './small-market.ts';

const CASES = FULL_SCALE ? 2000 : 120;
const PARTS = 8;
/** Rounding of the bound itself: a sum of float64 terms. */
const FLOAT = 1e-11;

/** A vault's straight piece lies below its line by up to this; a path has four hops. */
const STRAIGHT = 4e-9;
const MARKETS = [false, true].flatMap((wild) => [
  { of: 'pairs', make: randomPools, straight: 0, wild },
  { of: 'all kinds', make: randomPoolsOfAllKinds, straight: STRAIGHT, wild },
]);

describe('the upper bound and the slow solver', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  for (const { of, make, straight, wild } of MARKETS) {
    it(`no split of the slow solver, and no route of Braid, gives more than the bound (${of}, ${wild ? 'free arbitrage everywhere' : 'prices agree'})`, function () {
      this.timeout(FULL_SCALE ? 300_000 : 20_000);
      const random = seededRandom(`dual bound ${of} ${wild}`);
      let solved = 0;
      for (let run = 0; run < CASES; run++) {
        const tokens = random.integer(2, 5);
        const pools = make(random, tokens, random.integer(1, 7), wild);
        const amount = 1000n + random.logUniform(10n ** 18n);
        const maxHops = random.integer(1, 4);
        const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ pools, amount: String(amount), maxHops })}`;
        const opened = openMarket(pools, tokens, venues);
        const most = boundOf(opened, 0, 1, amount) * (1 + FLOAT + straight) + roundingOf(opened, pools);
        const slow = bruteForce(pools, venues, tokenAddress(0), tokenAddress(1), amount, maxHops, PARTS);
        const ours = solve(opened, venues, amount, maxHops);
        if (slow.best > 0n) solved++;
        expect(Number(slow.best), about).to.be.at.most(most);
        if (ours.ok) expect(Number(ours.plan.grossAmount), about).to.be.at.most(most);
        // Never less than the best route without splits.
        expect(ours.ok ? ours.plan.grossAmount : 0n, about).to.satisfy((output: bigint) => output >= slow.single);
      }
      expect(solved, 'cases with a route').to.be.above(CASES / 3);
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
      // The contract rounds a few units of input and of output against the trader.
      expect(bound - Number(best), JSON.stringify(pools)).to.be.within(-bound * FLOAT, 4 + (4 * bound) / Number(amount));
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
      expect(boundOf(openMarket(pools.slice(0, 3), 4, venues), 0, 1, amount)).to.be.at.most(all * (1 + SLACK));
      expect(boundOf(openMarket(pools, 4, venues), 0, 1, amount / 2n)).to.be.at.most(all * (1 + SLACK));
      expect(boundOf(openMarket(pools, 5, venues), 0, 4, amount)).to.equal(0);
    }
  });
});

/**
 * What the integers of stable pools may give more than their curves, in units of the buy token: a few last digits of their common unit, each worth what the
 * best way of all makes of it. The other kinds round down from their curves.
 */
function roundingOf({ read }: OpenMarket, pools: readonly SmallPool[]): number {
  return read((view) => {
    const worth = bestRates(readMarket(view), view.tokenId(asAddress(tokenAddress(1))));
    let sum = 0;
    for (const { tokens, priceRates } of pools) {
      if (!Array.isArray(priceRates)) continue;
      for (const [slot, address] of tokens.entries()) {
        const unit = 1 + 1e18 / Number(priceRates[slot]);
        sum += LAST_DIGITS * unit * (worth[view.tokenId(asAddress(address))] ?? 0);
      }
    }
    return sum;
  });
}

const LAST_DIGITS = 4;

/** Two bounds are compared here, and each may be above its optimum by what the descent left. */
const SLACK = 1e-6;

/** 0 where the token can not be reached: then nothing comes out. */
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
    deadline: (instantNow() + 5000) as InstantMs,
  };
  return read((view) => createSolver(context).solve(job, view));
}
