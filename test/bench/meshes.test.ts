import { expect } from 'chai';
import { generateMesh, type Mesh, meshPoolSet } from '../../bench/solver/generate/mesh.ts';
import { openMesh } from '../../bench/solver/measure-meshes.ts';
import { createRandom } from '../../bench/solver/random.ts';
import { bestRates, type Market } from '../../src/bound/bound.ts';
import { loadSolverVenues } from '../../src/venues/venues.ts';
import { SEED } from '../support/seeded-random.ts';

const SHARE = { least: 0.05, most: 2 };
const COUNT = 60;

function meshes(seed: number): readonly Mesh[] {
  const random = createRandom(seed);
  return Array.from({ length: COUNT }, () => generateMesh(random, SHARE));
}

/** The most that a unit of a token comes back as, over cycles of any length. */
function bestCycle({ firstRate, from, leaving, to, tokenCount }: Market, rateTo: (token: number) => Float64Array): number {
  let best = 0;
  for (let token = 0; token < tokenCount; token++) {
    const back = rateTo(token);
    for (const edge of leaving[token] as Int32Array) {
      expect(from[edge]).to.equal(token);
      best = Math.max(best, (firstRate[edge] as number) * (back[to[edge] as number] as number));
    }
  }
  return best;
}

describe('the meshes of small pools', () => {
  it('are the same for the same seed and others for another', () => {
    const [one, again, other] = [meshes(SEED), meshes(SEED), meshes(SEED + 1)].map((made) =>
      made.map((mesh) => [JSON.stringify(meshPoolSet(mesh, mesh.pools)), mesh.sell.address, mesh.buy.address, String(mesh.amount)]),
    );
    expect(again).to.deep.equal(one);
    expect(other).to.not.deep.equal(one);
  });

  it('hold every pool and join every token, with and without their last pool, and no cycle gains in them: so a bound counts the trade alone', async () => {
    const venues = await loadSolverVenues();
    const kinds = new Set<string>();
    for (const [index, mesh] of meshes(SEED).entries()) {
      for (const pools of [mesh.pools, mesh.pools.slice(0, -1)]) {
        const name = `seed ${SEED}, mesh ${index}, ${pools.length} pools`;
        const { market, requests, tokens } = openMesh(name, mesh, venues, pools);
        expect([...market.poolKeys].sort(), name).to.deep.equal(pools.map(({ id }) => id).sort());
        expect(tokens.length, name).to.equal(mesh.tokens.length);
        expect(
          requests.map(({ amount }) => amount),
          name,
        ).to.deep.equal([mesh.amount]);
        expect(
          Array.from(bestRates(market, 0)).every((rate) => rate > 0),
          name,
        ).to.equal(true);
        expect(
          bestCycle(market, (token) => bestRates(market, token)),
          name,
        ).to.be.below(1);
      }
      for (const { kind } of mesh.pools) kinds.add(kind);
    }
    expect([...kinds].sort()).to.deep.equal(['concentrated', 'constantProduct', 'weighted']);
  });
});
