import { expect } from 'chai';
import { searchSinglePaths } from '../../bench/solver/best-single-path.ts';
import { type Market, readMarket } from '../../src/bound/bound.ts';
import { loadSolverVenues } from '../../src/venues/venues.ts';
import { openMarket, randomPoolsOfAllKinds } from '../routing-oracle/small-market.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';

const CASES = FULL_SCALE ? 5000 : 120;
const TOKENS = 6;

/** Every route without splits, one after the other. */
function bestOfAll(market: Market, perGas: number, sell: number, buy: number, amount: number, maxHops: number): number {
  let best = Number.NEGATIVE_INFINITY;
  const goOn = (token: number, held: number, gas: number, hopsLeft: number, tokens: readonly number[], pools: readonly number[]): void => {
    if (token === buy) best = Math.max(best, held - perGas * gas);
    if (token === buy || hopsLeft === 0) return;
    for (let edge = 0; edge < market.edgeCount; edge++) {
      const [to, pool] = [market.to[edge] as number, market.pool[edge] as number];
      if (market.from[edge] !== token || tokens.includes(to) || pools.includes(pool)) continue;
      const output = market.output(edge, held);
      if (output > 0) goOn(to, output, gas + market.gas(edge, held), hopsLeft - 1, [...tokens, to], [...pools, pool]);
    }
  };
  goOn(sell, amount, 0, maxHops, [sell], []);
  return best;
}

describe("the benchmark's best single path", () => {
  it('is the best of all single paths, gross and net of gas, whatever the size of the trade', async () => {
    const venues = await loadSolverVenues();
    const random = seededRandom('best single path');
    let found = 0;
    let differ = 0;
    for (let run = 0; run < CASES; run++) {
      const { read } = openMarket(randomPoolsOfAllKinds(random, TOKENS, 14, random.chance(0.3)), TOKENS, venues);
      const market = read(readMarket);
      const amount = 10 ** (6 + random.unit() * 12);
      const maxHops = random.integer(1, 4);
      if (market.tokenCount < 2) continue;
      const search = searchSinglePaths(market, 0, 1, amount, maxHops);
      const gross = bestOfAll(market, 0, 0, 1, amount, maxHops);
      const perGas = Math.max(gross, 0) * 10 ** (-9 + random.unit() * 5);
      const outcome = { gross: search.best(0), net: search.best(perGas) };
      const name = `seed ${SEED}, case ${run}`;
      if (gross === Number.NEGATIVE_INFINITY) {
        expect([outcome.gross.paths.length, outcome.net.paths.length], name).to.deep.equal([0, 0]);
        continue;
      }
      found++;
      const [best, bestNet] = [outcome.gross.paths[0], outcome.net.paths[0]];
      if (best === undefined || bestNet === undefined) throw new Error(`${name}: no path`);
      if (best.edges.join() !== bestNet.edges.join()) differ++;
      expect(best.amount, name).to.equal(gross);
      expect(bestNet.amount - perGas * bestNet.gas, name).to.equal(bestOfAll(market, perGas, 0, 1, amount, maxHops));
      expect(outcome.gross.complete && outcome.net.complete, name).to.equal(true);
    }
    expect(found).to.be.above(CASES / 2);
    expect(differ).to.be.above(CASES / 50);
  });
});
