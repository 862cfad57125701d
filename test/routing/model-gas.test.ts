// Gas decides which pools a route uses: what the search counts for a hop has to be what the exact swap costs.
import { expect } from 'chai';
import { curveGas } from '../../src/routing/curves/curves.ts';
import { PoolModels } from '../../src/routing/pool-models.ts';
import { loadSolverVenues } from '../../src/venues/venues.ts';
import { openMarket, randomPoolsOfAllKinds } from '../routing-oracle/small-market.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';

describe('the gas of a hop in the float model', () => {
  it('is that of the exact swap, whatever ticks it crosses, but for amounts that end within a hair of a tick', async () => {
    const HAIR = 1 / 500;
    const venues = await loadSolverVenues();
    const random = seededRandom('model gas');
    let hops = 0;
    let crossing = 0;
    const wrong: string[] = [];
    for (let run = 0; run < (FULL_SCALE ? 20_000 : 300); run++) {
      const pools = randomPoolsOfAllKinds(random, 2, 2, false);
      openMarket(pools, 2, venues).read((view) => {
        const models = new PoolModels(venues);
        for (let id = 0; id < view.poolCount; id++) {
          const pool = view.pool(id);
          const slotIn = random.integer(0, 1);
          const edge = pool === undefined ? null : models.edge(pool, slotIn, 1 - slotIn);
          const exact = pool === undefined ? null : models.exact(pool);
          if (edge === null || exact === null) continue;
          const input = BigInt(Math.ceil(Math.min(edge.curve.capacity, 10 ** (3 + random.float() * 14)) * random.float()));
          const quote = exact.price.exactIn(exact.state, slotIn, 1 - slotIn, input);
          if (!quote.ok) continue;
          hops++;
          if (quote.gas > edge.curve.gas) crossing++;
          if (curveGas(edge.curve, Number(input)) !== quote.gas)
            wrong.push(`run ${run}, pool ${id}, ${input}: ${curveGas(edge.curve, Number(input))} for ${quote.gas}`);
        }
      });
    }
    expect(crossing).to.be.above(hops / 20);
    expect(wrong.length, `seed ${SEED}, ${hops} hops; ${wrong.slice(0, 5).join('; ')}`).to.be.at.most(HAIR * hops);
  });
});
