// A pool with an invariant as a star: one swap through it is what the pair's own curve says, and its sides are what they are defined as.
import { expect } from 'chai';
import fc from 'fast-check';
import { curveTangent, emptyTangent, type WithdrawalCurve, withdrawalInputAt, withdrawalInputFor, withdrawalOutput } from '../../src/curves/curves.ts';
import { equilibrate } from '../../src/routing/flow/equilibrate.ts';
import { startNetwork } from '../../src/routing/flow/start-network.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { problemOf } from './problem-of.ts';
import { manyTokenPool } from './random-world.ts';
import { openWorld } from './world.ts';

const runs = { seed: SEED, numRuns: FULL_SCALE ? 5000 : 150 };
const pools = fc.record({
  depth: fc.double({ min: 12, max: 26, noNaN: true }).map((exponent) => 10 ** exponent),
  skews: fc.array(fc.double({ min: 0.2, max: 5, noNaN: true }), { minLength: 3, maxLength: 5 }),
  /** Of the smaller of the two balances: from next to nothing to a drained pool. */
  share: fc.double({ min: -6, max: 0.5, noNaN: true }).map((exponent) => 10 ** exponent),
});

describe('a pool with an invariant as a star', () => {
  it('gives at rest what the curve of the pair gives, at its marginal price', () => {
    fc.assert(
      fc.property(pools, ({ depth, skews, share }) => {
        // Tokens 1 and 2 are sold and bought.
        const members = [1, 2, 0, 3, 4].slice(0, skews.length);
        const world = openWorld({ pools: [{ ...manyTokenPool(members, true, depth, skews), id: `0x${'c'.repeat(40)}` }], tokenCount: 5 });
        const amount = depth * Math.min(skews[0] as number, skews[1] as number) * share;
        const problem = problemOf(world, { mode: 'sell', fixed: BigInt(Math.ceil(amount)), maxHops: 1 });
        const pair = problem.market.pair(world.view, problem.sell, problem.buy);
        const edge = pair?.edges[0];
        if (edge === undefined || amount > edge.curve.capacity) return;
        curveTangent(edge.curve, Number(problem.fixed), tangent);
        const network = startNetwork(problem, { hops: [{ from: problem.sell, to: problem.buy, edge }], amount: tangent.output });
        expect(network.edges.filter(({ carrier }) => carrier.kind === 'deposit' || carrier.kind === 'withdrawal')).to.have.lengthOf(2);
        // The artificial edge would take what is worth less than it pays.
        network.edges = network.edges.filter(({ carrier }) => carrier.kind !== 'artificial');
        const { amount: output, atRest } = equilibrate(network);
        expect(atRest, 'comes to rest').to.equal(true);
        expect(output / tangent.output).to.be.closeTo(1, 1e-6);
        expect(Math.exp((network.logPrice[0] as number) - (network.logPrice[1] as number)) / tangent.marginal).to.be.closeTo(1, 1e-4);
      }),
      runs,
    );
  });

  it('gives on a side what its definition says, with a marginal price and a bend that short steps confirm', () => {
    const curves = fc.record({
      keep: fc.constantFrom(1, 0.9996, 0.99),
      balance: fc.double({ min: 3, max: 25, noNaN: true }).map((exponent) => 10 ** exponent),
      weight: fc.constantFrom(1, 0.25, 4),
      /** Units of the sum for one of the logarithm, of all the balance. */
      slope: fc.oneof(
        fc.constant(0),
        fc.double({ min: -3, max: 6, noNaN: true }).map((exponent) => 10 ** exponent),
      ),
      taken: fc.double({ min: 1e-6, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(curves, ({ keep, balance, weight, slope, taken }) => {
        const curve: WithdrawalCurve = { kind: 'withdrawal', keep, balance, weight, linear: slope / balance, capacity: Number.POSITIVE_INFINITY };
        const output = taken * balance * keep;
        const units = withdrawalInputFor(curve, output);
        expect(units / (slope * taken - weight * Math.log1p(-taken))).to.be.closeTo(1, 1e-12);
        expect(withdrawalOutput(curve, units) / output).to.be.closeTo(1, 1e-9);
        curveTangent(curve, units, tangent);
        const { marginal, bend } = tangent;
        const step = (weight / (1 - taken) + slope) * Math.min(taken, 1 - taken) * 1e-4;
        const [less, more] = [units - step, units + step].map((at) => withdrawalOutput(curve, at)) as [number, number];
        expect((more - less) / (2 * step) / marginal).to.be.closeTo(1, 1e-3);
        const marginals = [units - step, units + step].map((at) => {
          curveTangent(curve, at, tangent);
          return tangent.marginal;
        }) as [number, number];
        expect(marginals[0] - marginals[1]).to.be.closeTo(bend * 2 * step, 1e-2 * bend * 2 * step + 1e-9 * marginal);
        curveTangent(curve, withdrawalInputAt(curve, marginal), tangent);
        expect(tangent.marginal / marginal).to.be.closeTo(1, 1e-9);
      }),
      runs,
    );
  });
});

const tangent = emptyTangent();
