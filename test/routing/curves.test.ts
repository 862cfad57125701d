import { expect } from 'chai';
import fc from 'fast-check';
import { curveFlowAt, curveGas, curveInputFor, curveOutput, curveStartPrice, curveTangent, emptyFlow, emptyTangent } from '../../src/curves/curves.ts';
import type { Curve } from '../../src/snapshot/snapshot.ts';
import { evaluateCurve } from '../support/evaluate-curve.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';

const runs = { seed: SEED, numRuns: FULL_SCALE ? 20_000 : 500 };
const share = fc.double({ min: 0, max: 1, noNaN: true });
const size = fc.double({ min: 3, max: 25, noNaN: true }).map((exponent) => 10 ** exponent);
const keep = fc.constantFrom(1, 0.9999, 0.9995, 0.997, 0.99, 0.8);

/** Pieces that meet in price, or with a gap, made from liquidity and square-root prices as a concentrated pool has them. */
const segments: fc.Arbitrary<Curve> = fc
  .record({
    keep,
    price: fc.double({ min: -6, max: 6, noNaN: true }),
    pieces: fc.array(fc.tuple(size, fc.double({ min: 0.001, max: 1, noNaN: true }), fc.boolean()), { minLength: 1, maxLength: 8 }),
  })
  .map((spec) => {
    const columns: number[] = [];
    let root = Math.sqrt(10 ** spec.price);
    let [x, y] = [0, 0];
    for (const [liquidity, width, gap] of spec.pieces) {
      if (gap) root *= 1 - width / 20;
      columns.push(x, y, liquidity / root, liquidity * root);
      const next = root * (1 - width / 10);
      x += liquidity / next - liquidity / root;
      y += liquidity * (root - next);
      root = next;
    }
    return { kind: 'segments', keep: spec.keep, capacity: x / spec.keep, gas: 100, gasPerPiece: 10, gasPerLogPrice: 1000, columns: Float64Array.from(columns) };
  });

const weighted: fc.Arbitrary<Curve> = fc
  .record({ keep, balanceIn: size, balanceOut: size, exponent: fc.constantFrom(0.25, 0.5, 1, 2, 4) })
  .map((spec) => ({ kind: 'weighted', ...spec, gas: 110, capacity: spec.balanceIn * 0.3 }));

/** Balances near each other, with the invariant from the defining equation by bisection. */
const stable: fc.Arbitrary<Curve> = fc
  .record({
    keep,
    feeOnOutput: fc.boolean(),
    amplification: fc.constantFrom(5, 100, 2000),
    unit: fc.double({ min: 9, max: 24, noNaN: true }).map((exponent) => 10 ** exponent),
    balances: fc.array(fc.double({ min: 0.2, max: 5, noNaN: true }), { minLength: 2, maxLength: 4 }),
    scales: fc.tuple(fc.constantFrom(1, 1e12), fc.constantFrom(1, 1e12)),
  })
  .map((spec) => {
    const balances = Float64Array.from(spec.balances, (balance) => balance * spec.unit);
    const ann = spec.amplification * balances.length;
    const capacity = ((balances[0] ?? 0) * 3) / spec.scales[0];
    return {
      kind: 'stable',
      keep: spec.keep,
      feeOnOutput: spec.feeOnOutput,
      capacity,
      gas: 130,
      slotIn: 0,
      slotOut: 1,
      ann,
      invariant: invariantOf(balances, ann),
      balances,
      scaleIn: spec.scales[0],
      scaleOut: spec.scales[1],
    };
  });

const kinds: readonly (readonly [string, fc.Arbitrary<Curve>, number])[] = [
  ['segments', segments, 1e-7],
  ['weighted', weighted, 1e-9],
  ['stable', stable, 1e-9],
];

for (const [kind, curves, precision] of kinds) {
  describe(`the ${kind} curve`, () => {
    it('gives nothing for nothing, more for more, and no more than its start price', () => {
      fc.assert(
        fc.property(curves, share, share, (curve, a, b) => {
          const [less, more] = [Math.min(a, b) * curve.capacity, Math.max(a, b) * curve.capacity];
          expect(curveOutput(curve, 0)).to.be.closeTo(0, largest(curve) * 1e-12);
          expect(curveOutput(curve, more) - curveOutput(curve, less)).to.be.at.least(-largest(curve) * 1e-12);
          expect(curveOutput(curve, more)).to.be.at.most(more * curveStartPrice(curve) * (1 + precision) + largest(curve) * 1e-12);
          expect(curveOutput(curve, curve.capacity * 1.01)).to.equal(-1);
          expect(curveGas(curve, less)).to.be.at.most(curveGas(curve, more));
        }),
        runs,
      );
    });

    it('is what its definition says, also for amounts that are small against the balances', () => {
      fc.assert(
        fc.property(curves, share, (curve, a) => {
          const input = curve.capacity * 10 ** (-15 * a);
          const output = evaluateCurve(curve, input);
          expect(curveOutput(curve, input)).to.be.closeTo(output, output * 1e-10);
          expect(curveInputFor(curve, curveOutput(curve, input * 0.999))).to.be.closeTo(input * 0.999, input * 1e-6);
        }),
        runs,
      );
    });

    // Pieces are left out: a step over the end of one has the bend of two.
    const bent = kind === 'segments' ? [] : [curves];
    for (const smooth of bent)
      it('has a bend that two marginal prices confirm', () => {
        fc.assert(
          fc.property(smooth, share, (curve, a) => {
            const [at, nearby] = [emptyTangent(), emptyTangent()];
            const input = a * curve.capacity * 0.999;
            const step = curve.capacity * 1e-6;
            curveTangent(curve, input, at);
            curveTangent(curve, input + step, nearby);
            expect((at.marginal - nearby.marginal) / step).to.be.closeTo(at.bend, at.bend * 1e-3 + (at.marginal * 1e-8) / curve.capacity);
          }),
          runs,
        );
      });

    it('has a tangent that bounds it from above and that short steps confirm', () => {
      fc.assert(
        fc.property(curves, share, share, (curve, a, b) => {
          const at = a * curve.capacity;
          const other = b * curve.capacity;
          const tangent = emptyTangent();
          curveTangent(curve, at, tangent);
          expect(tangent.output).to.be.closeTo(curveOutput(curve, at), largest(curve) * 1e-12);
          expect(tangent.bend).to.be.at.least(0);
          expect(curveOutput(curve, other)).to.be.at.most(tangent.output + tangent.marginal * (other - at) + largest(curve) * precision);
        }),
        runs,
      );
    });

    it('finds the input for an output, and the flow at a marginal price', () => {
      fc.assert(
        fc.property(curves, share, (curve, a) => {
          const input = a * curve.capacity * 0.999;
          const output = curveOutput(curve, input);
          const back = curveInputFor(curve, output);
          expect(curveOutput(curve, Math.min(back, curve.capacity))).to.be.closeTo(output, largest(curve) * 1e-9);
          expect(curveInputFor(curve, largest(curve) * 1.1)).to.equal(Infinity);

          const tangent = emptyTangent();
          const flow = emptyFlow();
          curveTangent(curve, input, tangent);
          curveFlowAt(curve, tangent.marginal, flow);
          // The surplus over any price is largest at the flow that the price implies: no other input may beat it.
          const surplus = (x: number) => curveOutput(curve, x) - x * tangent.marginal;
          expect(surplus(Math.min(flow.input, curve.capacity))).to.be.at.least(surplus(input) - largest(curve) * precision);
          expect(flow.output).to.be.closeTo(curveOutput(curve, Math.min(flow.input, curve.capacity)), largest(curve) * 1e-9);
          curveFlowAt(curve, curveStartPrice(curve) * 1.001, flow);
          expect(flow.input).to.be.closeTo(0, curve.capacity * 1e-9);
        }),
        runs,
      );
    });
  });
}

/** The output at the capacity: the scale that errors are measured by. */
function largest(curve: Curve): number {
  return curveOutput(curve, curve.capacity);
}

/** D of A·n·Σx + D = A·n·D + D^(n+1) / (n^n · Πx). */
function invariantOf(balances: Float64Array, ann: number): number {
  const sum = balances.reduce((total, balance) => total + balance, 0);
  const excess = (d: number) => ann * d + balances.reduce((product, balance) => (product * d) / (balances.length * balance), d) - ann * sum - d;
  let [low, high] = [0, 2 * sum];
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) high = middle;
    else low = middle;
  }
  return low;
}
