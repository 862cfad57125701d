import { expect } from 'chai';
import { type ExactPool, execute, readExactPools } from '../../bench/solver/exact-pools.ts';
import { type ReferenceOutcome, searchReference } from '../../bench/solver/reference/reference.ts';
import { dualBound, type Market, readMarket } from '../../src/bound/bound.ts';
import { asAddress } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { openMarket, randomPoolsOfManyTokens, type SmallPool, tokenAddress } from '../routing-oracle/small-market.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { bestOfSubsets } from './subsets.ts';

const CASES = FULL_SCALE ? 500 : 25;
/** Milliseconds of the processor: far more than a tiny market takes. */
const BUDGET = 10_000;
/** Rounding to basis points, of what is traded. */
const ROUNDING = 1e-6;
/** Of a bound: a sum of float64 terms, and what a pool's later entries get of the fees that the first ones left. */
const FLOAT = 1e-9;

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
    this.timeout(FULL_SCALE ? 600_000 : 60_000);
    const random = seededRandom('reference against subsets');
    let compared = 0;
    let shared = 0;
    for (let run = 0; run < CASES; run++) {
      const tokens = random.integer(3, 4);
      const pools = randomPoolsOfManyTokens(random, tokens, random.integer(2, 4), false);
      const opened = open(pools, tokens);
      if (opened.sell < 0 || opened.buy < 0) continue;
      const amount = 10n ** 7n + random.logUniform(10n ** 13n);
      const maxHops = random.integer(1, 3);
      const bound = dualBound(opened.market, opened.sell, opened.buy, Number(amount));
      if (bound === null) continue;
      const perGas = (bound.bound / 1e5) * random.pick([0, 1e-4, 1e-3, 1e-2]);
      const slow = bestOfSubsets({ pools: [...opened.pools.values()], sell: opened.sell, buy: opened.buy, amount, perGas, maxHops, size: 4 });
      const found = search(opened, { amount, perGas, maxHops });
      const about = `seed ${SEED}, case ${run}: ${JSON.stringify({ pools, amount: String(amount), perGas, maxHops, slow: slow?.net, found: found.net, bound })}`;
      if (slow === null || !(slow.net > 0)) continue;
      compared++;
      expect(found.cutOff, about).to.equal(false);
      expect(found.net, about).to.be.at.least(slow.net - ROUNDING * Number(slow.output) - 4);
      const keys = found.route?.legs.map(({ pool }) => pool.key) ?? [];
      if (new Set(keys).size < keys.length) shared++;
      expect(Number(found.route?.output), about).to.be.at.most(bound.bound * (1 + FLOAT) + 4);
    }
    expect(compared, 'markets with a route').to.be.above(CASES / 3);
    void shared;
  });
});

void execute;
