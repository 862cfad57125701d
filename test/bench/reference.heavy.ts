import { expect } from 'chai';
import { type BenchSet, openBenchSet } from '../../bench/solver/bench-set.ts';
import { singlePathOutcomes } from '../../bench/solver/candidates.ts';
import { execute } from '../../bench/solver/exact-pools.ts';
import { gasInSought, selectRequests } from '../../bench/solver/measure.ts';
import { searchReference } from '../../bench/solver/reference/reference.ts';
import { dualBound } from '../../src/bound/bound.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { longestChain } from './longest-chain.ts';

const GAS_PRICE_WEI = 5_000_000_000n;
const REQUESTS = FULL_SCALE ? 12 : 3;
const BUDGET = 2000;
/** Of a bound: a sum of float64 terms. */
const FLOAT = 1e-9;

describe("the benchmark's reference on a set of 1,000 pools", () => {
  let set: BenchSet;
  before(async () => {
    set = await openBenchSet({ name: 'M', seed: 3, outside: 0, clear: true, blocks: false, requests: 200 });
  });

  for (const maxHops of [1, 2, 4]) {
    it(`gives routes that execute, within ${maxHops} hops, no worse than the best single path and no better than the bound`, () => {
      const { requests } = selectRequests(set, maxHops, REQUESTS, null);
      expect(requests.length).to.be.above(0);
      for (const request of requests) {
        const perGas = gasInSought(set, request, GAS_PRICE_WEI);
        const { route, net, settled } = searchReference(set, request, { maxHops, perGas, budget: BUDGET });
        const about = `${request.id}, ${maxHops} hops`;
        if (route === null) throw new Error(`${about}: no route`);
        const ran = execute(route.legs, request.sell, request.buy, request.amount);
        expect(ran, about).to.deep.equal({ ok: true, output: route.output, gas: route.gas });
        expect(longestChain(route.legs, request.sell, request.buy), about).to.be.within(1, maxHops);
        const single = singlePathOutcomes(set, request, request.amount, maxHops, perGas).net;
        expect(net, about).to.be.at.least((Number(single.output) - perGas * single.gas) * (1 - 1e-9));
        const bound = dualBound(set.market, request.sell, request.buy, Number(request.amount))?.bound ?? 0;
        expect(Number(route.output), about).to.be.at.most(bound * (1 + FLOAT) + 1);
        const unlimited = searchReference(set, request, { maxHops: null, perGas, budget: BUDGET }, settled);
        expect(unlimited.net, about).to.be.at.least(net - Math.abs(net) * 1e-9);
      }
    });
  }
});
