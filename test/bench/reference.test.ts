import { expect } from 'chai';
import { type ExactPool, readExactPools } from '../../bench/solver/exact-pools.ts';
import { createSettler } from '../../bench/solver/reference/local-search.ts';
import type { Problem } from '../../bench/solver/reference/problem.ts';
import { type ReferenceOutcome, searchReference } from '../../bench/solver/reference/reference.ts';
import { pathsOf, prunedOptimum, unionOfPaths } from '../../bench/solver/reference/starts.ts';
import { dualBound, leastInputBound, type Market, readMarket } from '../../src/bound/bound.ts';
import { asAddress } from '../../src/units/units.ts';
import { UNISWAP_V2_GAS } from '../../src/venues/uniswap_v2/venue.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { openMarket, randomPoolsOfManyTokens, type SmallPool, tokenAddress } from '../routing-oracle/small-market.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { longestChain } from './longest-chain.ts';
import { bestOfSubsets } from './subsets.ts';

const CASES = FULL_SCALE ? 500 : 25;
/** Milliseconds of the processor: far more than a tiny market takes. */
const BUDGET = 10_000;
/** Rounding to basis points, of what is traded. */
const ROUNDING = 1e-6;
/** Of a bound: a sum of float64 terms, and the last digits of an invariant in integers. */
const FLOAT = 1e-8;

type Opened = { readonly market: Market; readonly pools: ReadonlyMap<string, ExactPool>; readonly sell: number; readonly buy: number };
type Asked = { readonly mode?: 'sell' | 'buy'; readonly amount: bigint; readonly perGas: number; readonly maxHops: number | null };

describe("the benchmark's reference net of gas", () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  function open(pools: readonly SmallPool[], tokens: number): Opened {
    const { read } = openMarket(pools, tokens, venues);
    const [sell, buy] = read((view) => [view.tokenId(asAddress(tokenAddress(0))), view.tokenId(asAddress(tokenAddress(1)))] as const);
    return { market: read(readMarket), pools: read((view) => readExactPools(view, venues)), sell, buy };
  }

  function search({ market, pools, sell, buy }: Opened, { mode = 'sell', amount, perGas, maxHops }: Asked): ReferenceOutcome {
    const request = { id: '', mode, sell, buy, sellToken: tokenAddress(0), buyToken: tokenAddress(1), amount };
    return searchReference({ market, pools }, request, { maxHops, perGas, budget: BUDGET });
  }

  it('is not beaten by any set of up to four hops of a tiny market with its shares searched, nor beats the bound', function () {
    this.timeout(FULL_SCALE ? 600_000 : 300_000);
    const random = seededRandom('reference against subsets');
    let compared = 0;
    let shared = 0;
    for (let run = 0; run < CASES; run++) {
      const tokens = random.integer(3, 4);
      // The powers of weighted pools of 2021 round off more than shares do.
      const pools = randomPoolsOfManyTokens(random, tokens, random.integer(2, 4), false).map((pool) => ({ ...pool, version: 'v3Plus' }));
      const opened = open(pools, tokens);
      if (opened.sell < 0 || opened.buy < 0) continue;
      const amount = 10n ** 9n + random.logUniform(10n ** 12n);
      const maxHops = random.integer(1, 3);
      const bound = dualBound(opened.market, opened.sell, opened.buy, Number(amount));
      if (bound === null || isDrained(opened.market, opened.sell, Number(amount))) continue;
      const perGas = (bound.bound / 1e5) * random.pick([0, 1e-4, 1e-3, 1e-2]);
      const slow = bestOfSubsets({ pools: [...opened.pools.values()], sell: opened.sell, buy: opened.buy, amount, perGas, maxHops, size: 4 });
      const found = search(opened, { amount, perGas, maxHops });
      const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ pools, amount: String(amount), perGas, maxHops, slow: slow?.net, found: found.net, bound })}`;
      if (slow === null || !(slow.net > 0) || isOff(found)) continue;
      compared++;
      expect(found.cutOff, about).to.equal(false);
      expect(found.net, about).to.be.at.least(slow.net - ROUNDING * Number(slow.output) - 4);
      const legs = found.route?.legs ?? [];
      expect(longestChain(legs, opened.sell, opened.buy), about).to.be.within(1, maxHops);
      const keys = legs.map(({ pool }) => pool.key);
      if (new Set(keys).size < keys.length) shared++;
      expect(Number(found.route?.output), about).to.be.at.most(bound.bound * (1 + FLOAT) + 4);
    }
    expect(compared, 'markets with a route').to.be.above(CASES / 10);
    if (FULL_SCALE) expect(shared, 'routes that enter a pool twice').to.be.above(0);
  });

  it('buys back what a sale gave for no more than was sold, and never for less than the bound', function () {
    this.timeout(FULL_SCALE ? 600_000 : 300_000);
    const random = seededRandom('reference buys what it sold');
    let compared = 0;
    for (let run = 0; run < CASES; run++) {
      const tokens = random.integer(3, 4);
      const pools = randomPoolsOfManyTokens(random, tokens, random.integer(2, 5), false).map((pool) => ({ ...pool, version: 'v3Plus' }));
      const opened = open(pools, tokens);
      const amount = 10n ** 9n + random.logUniform(10n ** 12n);
      if (opened.sell < 0 || opened.buy < 0 || isDrained(opened.market, opened.sell, Number(amount))) continue;
      const sold = search(opened, { amount, perGas: 0, maxHops: 3 });
      if (sold.route === null || sold.route.output < 10n ** 6n) continue;
      compared++;
      const { output } = sold.route;
      const bought = search(opened, { mode: 'buy', amount: output, perGas: 0, maxHops: 3 });
      const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ pools, amount: String(amount), output: String(output), input: String(bought.route?.input) })}`;
      expect(bought.route?.output, about).to.satisfy((reached: bigint | undefined) => reached !== undefined && reached >= output);
      // A last digit of the output may be worth many of the input.
      const most = Number(amount) * (1 + DIGITS) + (4 * Number(amount)) / Number(output);
      expect(Number(bought.route?.input), about).to.be.at.most(most);
      const least = leastInputBound(opened.market, opened.sell, opened.buy, Number(output), most);
      expect(Number(bought.route?.input), about).to.be.at.least((least ?? 0) * (1 - FLOAT) - 4);
    }
    expect(compared, 'markets with a route').to.be.above(CASES / 10);
  });

  const pair = (id: number, tokens: readonly [number, number], reserves: readonly [bigint, bigint], feePpm: number): SmallPool => ({
    id: `0x${id.toString(16).padStart(40, '0')}`,
    kind: 'constantProduct',
    venue: 'uniswap_v2',
    tokens: tokens.map(tokenAddress),
    reserves: reserves.map(String),
    feePpm,
  });

  it('finds the one pool that no gas-free split uses, where pruning that split backwards can not', () => {
    const reserve = 10n ** 18n;
    const small = Array.from({ length: 10 }, (_, at) => pair(100 + at, [0, 1], [reserve, reserve], 0));
    const opened = open([...small, pair(200, [0, 1], [reserve * 1000n, reserve * 1000n], 10_000)], 2);
    const amount = reserve / 25n;
    // A hop costs half a percent of the trade: one small pool loses 4% to its depth, three of them 1.3%, the large one 1% to its fee.
    const perGas = (Number(amount) * 0.005) / UNISWAP_V2_GAS;
    const { market, sell, buy } = opened;
    const problem: Problem = { market, mode: 'sell', sell, buy, amount: Number(amount), perGas, maxHops: 4, expired: () => false };
    const settler = createSettler(problem);
    const backwards = prunedOptimum(problem, settler);
    const union = unionOfPaths(problem, settler, pathsOf(problem));
    expect((backwards?.net ?? 0) / Number(amount)).to.be.within(0.96, 0.975);
    expect((union?.net ?? 0) / Number(amount)).to.be.within(0.984, 0.986);
    const found = search(opened, { amount, perGas, maxHops: 4 });
    expect(found.net / Number(amount)).to.be.within(0.984, 0.986);
    expect(found.route?.legs.map(({ pool }) => pool.key.slice(-2))).to.deep.equal(['c8']);
  });

  it('splits a trade over a pool of three tokens that a first path would shut for the second', () => {
    const [million, whole] = [10n ** 24n, 10n ** 18n];
    // From the sold token over a and b, or over c, into one pool of b, c and the last token before the bought one.
    const [a, b, c, last] = [2, 3, 4, 5];
    const pools: readonly SmallPool[] = [
      pair(1, [0, a], [million, million], 3000),
      pair(2, [a, b], [million, million], 3000),
      pair(3, [0, c], [million, million], 3000),
      pair(4, [last, 1], [100n * million, 100n * million], 3000),
      pair(5, [0, 1], [million, million / 2n], 3000),
      {
        id: `0x${'6'.padStart(40, '0')}`,
        kind: 'weighted',
        venue: 'balancer_v2',
        tokens: [b, c, last].map(tokenAddress),
        balances: [100_000n * whole, 1000n * whole, 100_000n * whole].map(String),
        weights: ['333333333333333333', '333333333333333333', '333333333333333334'],
        swapFee: '1000000000000000',
      },
    ];
    const opened = open(pools, 6);
    for (const [sold, known] of [
      [310, 23_006.43],
      [1000, 23_339.15],
    ] as const) {
      const amount = BigInt(sold) * whole;
      const limited = search(opened, { amount, perGas: 0, maxHops: 4 });
      expect(Number(limited.route?.output) / 1e18, `${sold}`).to.be.above(known);
      const bound = dualBound(opened.market, opened.sell, opened.buy, Number(amount));
      expect(Number(limited.route?.output), `${sold}`).to.be.at.most((bound?.bound ?? 0) * (1 + FLOAT));
    }
  });
});

/**
 * The trade is more than a part of what a pool holds of the sold token. Then the limits of each entry decide, and it pays to go round in a pool for the fees that it left there: floats of the
 * whole pool know neither, and it is no trade that anybody makes.
 */
function isDrained(market: Market, sell: number, amount: number): boolean {
  return (market.entering[sell] as Int32Array).some((edge) => amount > market.held(edge) * MOST_PART);
}

/** A pool on the way is drained: its entries find something else than the floats of the whole pool know. */
function isOff({ route, settled }: ReferenceOutcome): boolean {
  return route !== null && settled !== null && Math.abs(Number(route.output) / settled.amount - 1) > MOST_OFF;
}

const MOST_OFF = 0.01;
const MOST_PART = 0.2;
/** What whole units on the way, where a pool holds few of them, may change of an input. */
const DIGITS = 1e-4;
