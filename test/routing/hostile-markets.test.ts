// Markets that nobody would build, small enough that a failure can be read: no answer may throw, mislead or leave out what is there.
import { expect } from 'chai';
import fc from 'fast-check';
import { LIMITS } from '../../src/config/limits.ts';
import { check } from '../support/property.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { hostilePools } from './random-world.ts';
import { bestSingleNet, expectRouteShape } from './route-shape.ts';
import { job, openWorld, replay, token } from './world.ts';

const TOKENS = 5;
const amounts = fc.double({ min: 0, max: 30, noNaN: true }).map((exponent) => BigInt(Math.max(1, Math.round(10 ** exponent))));
const modes = fc.constantFrom('sell' as const, 'buy' as const);
const gasPrices = fc.constantFrom(null, 0n, 1n, 10n ** 6n, 10n ** 12n, 10n ** 20n);

describe('a hostile market', () => {
  it('gives routes that are what they list, to the wei, in both modes and at any gas price', function () {
    this.timeout(FULL_SCALE ? 600_000 : 300_000);
    check(
      fc.property(hostilePools(TOKENS, 5), amounts, fc.integer({ min: 1, max: 7 }), modes, gasPrices, (pools, amount, maxHops, mode, gasPriceWei) => {
        const open = openWorld({ pools, tokenCount: TOKENS });
        const result = open.solve(job(token(1), token(2), amount, { mode, maxHops, gasPriceWei }), open.view);
        if (!result.ok) {
          expect(result.reason).to.equal('no-route');
          return;
        }
        const { plan } = result;
        expectRouteShape(plan.hops, maxHops);
        expect(replay(open, plan, token(1), plan.sellAmount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
        const first = plan.hops.filter(({ tokenIn }) => tokenIn === token(1)).reduce((sum, { amountIn }) => sum + amountIn, 0n);
        expect(first).to.equal(plan.sellAmount);
        if (mode === 'sell') expect(plan.sellAmount).to.equal(amount);
        else expect(plan.grossAmount >= amount, 'the target').to.equal(true);
        const gas = plan.hops.reduce((sum, hop) => sum + hop.gas, 0);
        expect(gas).to.be.at.most(LIMITS.routing.routeGas);
      }),
      75,
      3000,
    );
  });

  it('owes a quote wherever one path fills, also where gas costs more than the trade is worth: then the least gas, and for that the most output', function () {
    this.timeout(FULL_SCALE ? 600_000 : 300_000);
    check(
      fc.property(hostilePools(TOKENS, 3), amounts, fc.integer({ min: 1, max: 3 }), (pools, amount, maxHops) => {
        const open = openWorld({ pools, tokenCount: TOKENS });
        const gasPriceWei = 10n ** 40n;
        const best = bestSingleNet(open, 0, amount, maxHops, gasPriceWei);
        const result = open.solve(job(token(1), token(0), amount, { maxHops, gasPriceWei }), open.view);
        if (best === null) return;
        expect(result.ok, 'a quote').to.equal(true);
        if (!result.ok) return;
        const gas = result.plan.hops.reduce((sum, hop) => sum + BigInt(hop.gas), 0n);
        const net = result.plan.grossAmount - gas * gasPriceWei;
        expect(net >= best, `${net} of ${best}`).to.equal(true);
      }),
      75,
      3000,
    );
  });
});
