import { expect } from 'chai';
import { dualBound, leastInputBound, readMarket } from '../../src/bound/bound.ts';
import { createSolver } from '../../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { bruteForce } from './brute-force.ts';
import { type OpenMarket, openMarket, randomPools, type SmallPool, tokenAddress } from './small-market.ts';

const CASES = FULL_SCALE ? 2000 : 20;
const PARTS = 8;
/** Rounding of the bound on the output, by which the input may be off. */
const FLOAT = 1e-9;
/** The bisection ends when it knows the input to a hundred-millionth. */
const CLOSE = 2e-8;
const TIGHT_BPS = 1e-3;
/** A route that asks more than so many times the least drains the market: the bisection has a bound on its turns. */
const MODERATE = 3;

describe('the lower bound on what a target costs', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  const boundOf = ({ read }: OpenMarket, target: number, reached: number): number | null =>
    read((view) => {
      const [sell, buy] = [view.tokenId(asAddress(tokenAddress(0))), view.tokenId(asAddress(tokenAddress(1)))];
      return sell < 0 || buy < 0 ? null : leastInputBound(readMarket(view), sell, buy, target, reached);
    });
  const pair = (id: number, reserves: readonly [number, number], feePpm: number): SmallPool => ({
    id: `0x${(1000 + id).toString(16).padStart(40, '0')}`,
    kind: 'constantProduct',
    venue: 'uniswap_v2',
    tokens: [tokenAddress(0), tokenAddress(1)],
    reserves: reserves.map((reserve) => String(BigInt(reserve))),
    feePpm,
  });
  /** How many times the least input a route may have asked. */
  const asked = [1.000001, 1.01, 1.5, 2.5, 3.4];

  it('is the closed form for one pool, however much the route asked', () => {
    const random = seededRandom('least input of one pool');
    for (let run = 0; run < CASES / 4; run++) {
      const [reserveIn, reserveOut] = [Math.ceil(10 ** (6 + 9 * random.unit())), Math.ceil(10 ** (6 + 9 * random.unit()))];
      const feePpm = random.pick([0, 100, 3000, 10_000]);
      const target = reserveOut * 10 ** (-4 * random.unit()) * 0.9;
      const exact = (reserveIn * target) / ((1 - feePpm / 1e6) * (reserveOut - target));
      const opened = openMarket([pair(0, [reserveIn, reserveOut], feePpm)], 2, venues);
      for (const times of asked) {
        const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ reserveIn, reserveOut, feePpm, target, times })}`;
        expect((boundOf(opened, target, exact * times) ?? 0) / exact, about).to.be.within(1 - CLOSE, 1 + FLOAT);
      }
    }
  });

  it('is twice the closed form for half the target where two pools are equal', () => {
    const opened = openMarket([pair(0, [5e12, 3e12], 3000), pair(1, [5e12, 3e12], 3000)], 2, venues);
    for (const target of [1e6, 1e9, 1e11, 3e12, 5e12]) {
      const exact = (2 * 5e12 * (target / 2)) / (0.997 * (3e12 - target / 2));
      for (const times of asked) expect((boundOf(opened, target, exact * times) ?? 0) / exact, `${target}`).to.be.within(1 - CLOSE, 1 + FLOAT);
    }
  });

  it('is null where the bound for the route’s own input does not reach the target, and where no route leads', () => {
    const opened = openMarket([pair(0, [1e12, 1e12], 3000)], 2, venues);
    const exact = (1e12 * 1e9) / (0.997 * (1e12 - 1e9));
    expect(boundOf(opened, 1e9, exact * 0.999)).to.equal(null);
    expect(boundOf(opened, 1.001e12, 1e30), 'more than the pool holds').to.equal(null);
    const apart = openMarket([pair(0, [1e12, 1e12], 3000), { ...pair(1, [1e12, 1e12], 3000), tokens: [tokenAddress(2), tokenAddress(3)] }], 4, venues);
    const nowhere = apart.read((view) => {
      const [sell, buy] = [0, 2].map((token) => view.tokenId(asAddress(tokenAddress(token))));
      return leastInputBound(readMarket(view), sell ?? -1, buy ?? -1, 1, 1e9);
    });
    expect(nowhere).to.equal(null);
  });

  for (const wild of [false, true]) {
    it(`is no more than any split of the slow solver, and any route of Braid, asks (${wild ? 'free arbitrage everywhere' : 'prices agree'})`, () => {
      const random = seededRandom(`least input bound ${wild}`);
      let compared = 0;
      let tight = 0;
      for (let run = 0; run < CASES; run++) {
        const tokens = random.integer(2, 4);
        const pools = randomPools(random, tokens, random.integer(1, 6), wild);
        const amount = 1000n + random.logUniform(10n ** 15n);
        const { best } = bruteForce(pools, venues, tokenAddress(0), tokenAddress(1), amount, 3, PARTS);
        if (best === 0n) continue;
        compared++;
        const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ pools, amount: String(amount), best: String(best) })}`;
        const opened = openMarket(pools, tokens, venues);
        const bound = boundOf(opened, Number(best), Number(amount) * (1 + FLOAT));
        expect(bound, about)
          .to.be.a('number')
          .that.is.at.most(Number(amount) * (1 + FLOAT));
        const bought = buy(opened, best);
        if (bought !== null) expect(boundOf(opened, Number(best), Number(bought) * (1 + FLOAT)), about).to.be.at.most(Number(bought) * (1 + FLOAT));
        // Where the bound on the output is tight, the input that it allows does reach the target by it: else the input's bound would be too low.
        const there = opened.read((view) => {
          const [sell, to] = [view.tokenId(asAddress(tokenAddress(0))), view.tokenId(asAddress(tokenAddress(1)))];
          return dualBound(readMarket(view), sell, to, (bound ?? 0) * (1 + CLOSE));
        });
        if (there !== null && there.slackBps < TIGHT_BPS && Number(amount) < MODERATE * (bound ?? 0)) {
          tight++;
          expect(there.bound, about).to.be.at.least(Number(best) * (1 - 1e-6));
        }
      }
      expect(compared, 'cases with a route').to.be.above(CASES / 3);
      expect(tight, 'cases with a tight bound').to.be.above(CASES / 6);
    });
  }

  function buy({ loaded, read }: OpenMarket, target: bigint): bigint | null {
    const chain = { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 0n };
    const job = {
      chainId: 1,
      mode: 'buy' as const,
      sellToken: asAddress(tokenAddress(0)),
      buyToken: asAddress(tokenAddress(1)),
      amount: asWei(target),
      maxHops: 3,
      gasPriceWei: null,
      filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
      deadline: Number.POSITIVE_INFINITY as InstantMs,
    };
    const result = read((view) => createSolver({ chain, venues, now: instantNow, cancelled: () => false }).solve(job, view));
    return result.ok ? result.plan.sellAmount : null;
  }
});
