// Gas decides which pools a route uses: what the search counts for a hop has to be what the exact swap costs.

import { expect } from 'chai';
import { type Market, readMarket } from '../../src/bound/market.ts';
import { curveGas } from '../../src/curves/curves.ts';
import { PoolModels } from '../../src/routing/market/pool-models.ts';
import type { Curve, SnapshotView } from '../../src/snapshot/snapshot.ts';
import { UNISWAP_V3_GAS } from '../../src/venues/uniswap_v3/venue.ts';
import { loadSolverVenues } from '../../src/venues/venues.ts';
import { openMarket, randomPoolsOfAllKinds } from '../routing-oracle/small-market.ts';
import { MOMENT } from '../support/moment.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';

describe('the gas of a hop in the float model', () => {
  it('is that of the exact swap to less than a word of the tick bitmap, whatever ticks it crosses, but for amounts that end within a hair of a tick', async () => {
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
          const input = BigInt(Math.ceil(Math.min(edge.curve.capacity, 10 ** (3 + random.unit() * 14)) * random.unit()));
          const quote = exact.price.exactIn(exact.state, slotIn, 1 - slotIn, input, MOMENT);
          if (!quote.ok) continue;
          hops++;
          if (quote.gas > edge.curve.gas) crossing++;
          const words = edge.curve.kind === 'segments' && edge.curve.gasPerLogPrice > 0 ? UNISWAP_V3_GAS.wordWalked : 0;
          if (Math.abs(curveGas(edge.curve, Number(input)) - quote.gas) > words)
            wrong.push(`run ${run}, pool ${id}, ${input}: ${curveGas(edge.curve, Number(input))} for ${quote.gas}`);
        }
      });
    }
    expect(crossing).to.be.above(hops / 20);
    expect(wrong.length, `seed ${SEED}, ${hops} hops; ${wrong.slice(0, 5).join('; ')}`).to.be.at.most(HAIR * hops);
  });

  it('is what the bound counts, which has its own sums', async () => {
    const venues = await loadSolverVenues();
    const random = seededRandom('gas of the bound');
    let walking = 0;
    for (let run = 0; run < (FULL_SCALE ? 2000 : 100); run++) {
      openMarket(randomPoolsOfAllKinds(random, 3, 4, false), 3, venues).read((view) => {
        const market = readMarket(view);
        for (let edge = 0; edge < market.edgeCount; edge++) {
          const curve = curveOf(view, market, edge);
          const input = Math.min(curve.capacity, 10 ** (3 + random.unit() * 14)) * random.unit();
          const gas = market.gas(edge, input);
          if (gas % 100 !== 0) walking++;
          expect(gas, `seed ${SEED}, run ${run}, edge ${edge}, ${input}`).to.be.closeTo(curveGas(curve, input), 1e-3);
        }
      });
    }
    expect(walking).to.be.above(100);
  });
});

function curveOf(view: SnapshotView, market: Market, edge: number): Curve {
  const key = market.poolKeys[market.pool[edge] as number];
  const pool = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).find((known) => known?.key === key);
  const slots = [market.from, market.to].map((tokens) => pool?.tokens.indexOf(tokens[edge] as number) ?? -1);
  const curve = pool?.curve(slots[0] ?? -1, slots[1] ?? -1);
  if (curve === undefined) throw new Error('an edge of the bound has no curve');
  return curve;
}
