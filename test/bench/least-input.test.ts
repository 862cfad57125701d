import { expect } from 'chai';
import { generateMesh } from '../../bench/solver/generate/mesh.ts';
import { leastInput } from '../../bench/solver/least-input.ts';
import { openMesh } from '../../bench/solver/measure-meshes.ts';
import { createRandom } from '../../bench/solver/random.ts';
import { dualBound, leastInputBound } from '../../src/bound/bound.ts';
import { loadSolverVenues } from '../../src/venues/venues.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';

const CASES = FULL_SCALE ? 2000 : 60;
/** A bound that is looser says little about where the input lies. */
const TIGHT_BPS = 1e-3;

describe('the least input that could give a target', () => {
  it('is what bisecting the bound finds, from below, whatever is asked too much', async () => {
    const venues = await loadSolverVenues();
    const random = createRandom(SEED);
    let compared = 0;
    for (let run = 0; run < CASES; run++) {
      const { market, requests } = openMesh(`case ${run}`, generateMesh(random, { least: 1e-4, most: 0.3 }), venues);
      const request = requests[0];
      if (request === undefined) throw new TypeError('a mesh has a request');
      const asked = Number(request.amount);
      const full = dualBound(market, request.sell, request.buy, asked);
      if (full === null || full.slackBps > TIGHT_BPS) continue;
      const target = full.bound * (1 - random.logUniform(1e-8, 0.3));
      const found = leastInput(market, request.sell, request.buy, target, asked);
      const known = leastInputBound(market, request.sell, request.buy, target, asked);
      const name = `seed ${SEED}, case ${run}`;
      if (found === null || known === null) throw new TypeError(`${name}: the asked input reaches the target`);
      compared++;
      expect(dualBound(market, request.sell, request.buy, found.input)?.bound ?? 0, name).to.be.below(target);
      // A hundredth of what is asked too much, or a thousandth of a basis point of the input.
      expect(found.input, name).to.be.at.least(known - Math.max(2e-7 * asked, 0.0101 * (asked - known)));
      expect(found.input, name).to.be.at.most(known * (1 + 1e-7));
    }
    expect(compared).to.be.above(CASES / 2);
  });

  it('is the asked input where no input of the market is known to need less', async () => {
    const venues = await loadSolverVenues();
    const { market, requests } = openMesh('case', generateMesh(createRandom(SEED), { least: 1e-3, most: 1e-2 }), venues);
    const request = requests[0];
    if (request === undefined) throw new TypeError('a mesh has a request');
    const asked = Number(request.amount);
    const { bound } = dualBound(market, request.sell, request.buy, asked) ?? { bound: Number.NaN };
    expect(leastInput(market, request.sell, request.buy, bound * (1 + 1e-9), asked)?.input).to.equal(asked);
  });
});
