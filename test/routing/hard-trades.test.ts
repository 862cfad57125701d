// Trades that fill, drain or nearly exhaust pools: where equilibria are far from where a search starts, and rounding meets caps.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createSolver, type Plan } from '../../src/routing/routing.ts';
import { asAddress, instantNow } from '../../src/units/units.ts';
import { UNISWAP_V3_GAS } from '../../src/venues/uniswap_v3/venue.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { bruteForce } from '../routing-oracle/brute-force.ts';
import { type OpenMarket, openMarket, randomPoolsOfAllKinds, type SmallPool, tokenAddress } from '../routing-oracle/small-market.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { job } from './world.ts';

type Trade = { readonly sell: number; readonly buy: number; readonly amount: bigint; readonly maxHops: number; readonly gasPriceWei: bigint | null };

let venues: SolverVenues;

function planFor({ read, loaded }: OpenMarket, { sell, buy, amount, maxHops, gasPriceWei }: Trade): Plan | null {
  return read((view) => {
    const chain = { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 0n };
    const solver = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
    const [sellToken, buyToken] = [asAddress(tokenAddress(sell)), asAddress(tokenAddress(buy))];
    const result = solver.solve(job(sellToken, buyToken, amount, { chainId: 1, maxHops, gasPriceWei }), view);
    return result.ok ? result.plan : null;
  });
}

function recorded(name: string): readonly SmallPool[] {
  const pools: unknown = JSON.parse(readFileSync(new URL(`hard-trades/${name}.json`, import.meta.url), 'utf8'));
  if (!Array.isArray(pools)) throw new Error('a list of pools');
  return pools as readonly SmallPool[];
}

describe('trades that fill or drain pools', () => {
  before(async () => {
    venues = await loadSolverVenues();
  });

  const blind = { sell: 1, buy: 2, gasPriceWei: null };
  /** Markets that were lost once. `least`: what exact mathematics gave for the best split of a grid, of the gas-free ones a ten-thousandth less; `hopGas`: gas units of the venue hops. */
  const cases: readonly (Trade & { readonly title: string; readonly file: string; readonly least: bigint; readonly hopGas?: number })[] = [
    { ...blind, title: 'a pool may fill up beside another', file: 'pool-that-fills-up', amount: 24_380_220_282n, maxHops: 1, least: 65_155_500n },
    {
      ...blind,
      title: 'a pool stays that a share before it overfills',
      file: 'capped-pool-behind-a-share',
      amount: 265_516_003_422_379n,
      maxHops: 3,
      least: 27_030_000_000_000_000n,
    },
    { ...blind, title: 'a vault fills up beside a pool that is drained', file: 'drained-beside-a-vault', amount: 10_242n, maxHops: 2, least: 116_000_000n },
    {
      ...blind,
      gasPriceWei: 6_963n,
      title: 'a good pool comes back that was pruned with a bad one',
      file: 'pruned-together',
      amount: 119_400_343n,
      maxHops: 1,
      least: 11_151_419_783n,
    },
    {
      ...blind,
      gasPriceWei: 1n,
      title: 'a tick that the price rests on costs its gas',
      file: 'price-on-a-tick',
      amount: 1_059_615n,
      maxHops: 1,
      least: 137_076_175n,
      hopGas: UNISWAP_V3_GAS.swap,
    },
  ];
  for (const { title, file, least, hopGas, ...trade } of cases) {
    it(title, () => {
      const plan = planFor(openMarket(recorded(file), 5, venues), trade);
      expect(plan?.grossAmount ?? 0n).to.satisfy((gross: bigint) => gross >= least, `at least ${least}`);
      if (hopGas !== undefined) expect(plan?.hops.reduce((sum, hop) => sum + hop.gas, 0)).to.equal(hopGas);
    });
  }

  it('no grid of shares is much better, in all but a few markets of all kinds', () => {
    // What is left are amounts of a few units, which round, and trades of more than the pools take.
    const PARTS = 12;
    const MOST = 0.02;
    const random = seededRandom('hard trades');
    let markets = 0;
    const behind: string[] = [];
    for (let run = 0; run < (FULL_SCALE ? 5000 : 120); run++) {
      const pools = randomPoolsOfAllKinds(random, 3, random.integer(2, 6), run % 2 === 0);
      const amount = BigInt(Math.ceil(10 ** (3 + random.unit() * 14)));
      const grid = (of: bigint) => bruteForce(pools, venues, tokenAddress(0), tokenAddress(1), of, 2, PARTS).best;
      const best = grid(amount);
      // Where half as much gives nearly as much the rest is wasted.
      if (best === 0n || best * 100n < grid(amount / 2n) * 105n) continue;
      markets++;
      const gross = planFor(openMarket(pools, 3, venues), { sell: 0, buy: 1, amount, maxHops: 2, gasPriceWei: null })?.grossAmount ?? 0n;
      if (gross * 100n < best * 99n) behind.push(`market ${run}: ${gross} of ${best}`);
    }
    expect(markets).to.be.above(FULL_SCALE ? 2000 : 40);
    expect(behind.length, `seed ${SEED}, ${behind.join('; ')}`).to.be.at.most(MOST * markets);
  });
});
