import { expect } from 'chai';
import fc from 'fast-check';
import { curveFlowAt, curveInputFor, curveOutput, curveStartPrice, curveTangent, emptyFlow, emptyTangent } from '../../src/curves/curves.ts';
import { type LadderLevel, priceLadder } from '../../src/venues/ladder/price-ladder.ts';
import { type Rung, validateLadders } from '../../src/venues/ladder/rungs.ts';
import { PoolRefused } from '../../src/venues/venue.ts';
import { check } from '../support/property.ts';

const RUNS = 300;
const GAS = 90_000;
/** Of all levels together: each loses 1e-9 of its price from its start to its end. */
const STRAIGHT = 1.001e-9;

const size = fc.double({ min: 6, max: 30, noNaN: true }).map((exponent) => 10 ** exponent);
/** Best price first, some levels at the price of the one before. */
const ladders: fc.Arbitrary<readonly LadderLevel[]> = fc
  .record({
    best: fc.double({ min: -12, max: 12, noNaN: true }).map((exponent) => 10 ** exponent),
    levels: fc.array(fc.record({ size, fall: fc.constantFrom(0, 0, 1e-6, 0.001, 0.2) }), { minLength: 1, maxLength: 8 }),
  })
  .map(({ best, levels }) => {
    let price = best;
    return levels.map((level) => {
      price *= 1 - level.fall;
      return { price, size: level.size };
    });
  });
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the quotes of a maker', () => {
  it('are none where any step gives a better price than the one before', () => {
    const steps = fc.array(fc.record({ size: fc.integer({ min: 1, max: 9 }), price: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 6 });
    check(
      fc.property(steps, fc.boolean(), (some, falling) => {
        const taken = falling ? some.toSorted((a, b) => b.price - a.price) : some;
        let last: Rung = { amountIn: 0n, amountOut: 0n };
        const ladder = taken.map(({ size: more, price }) => {
          last = { amountIn: last.amountIn + BigInt(more), amountOut: last.amountOut + BigInt(more * price) };
          return last;
        });
        const falls = taken.every(({ price }, at) => at === 0 || price <= (taken[at - 1]?.price ?? 0));
        expect(refusal(ladder)).to.equal(falls ? null : 'malformed');
      }),
      RUNS,
    );
  });
});

function refusal(ladder: readonly Rung[]): string | null {
  try {
    validateLadders([ladder, []]);
    return null;
  } catch (error) {
    if (!(error instanceof PoolRefused)) throw error;
    return error.reason;
  }
}

describe('the curve of a price ladder', () => {
  it('gives what its levels give, one after another, and never more', () => {
    check(
      fc.property(ladders, share, (levels, a) => {
        const curve = priceLadder(levels, GAS);
        const input = curve.capacity * a;
        const output = filled(levels, input);
        expect(curveOutput(curve, input)).to.be.within(output * (1 - STRAIGHT * levels.length), output * (1 + 1e-12));
        expect(curveStartPrice(curve)).to.be.closeTo(levels[0]?.price ?? 0, (levels[0]?.price ?? 0) * 1e-15);
      }),
      RUNS,
    );
  });

  it('takes what its levels take together and nothing beyond', () => {
    check(
      fc.property(ladders, (levels) => {
        const curve = priceLadder(levels, GAS);
        const all = levels.reduce((sum, level) => sum + level.size, 0);
        expect(curve.capacity).to.equal(all);
        expect(curveOutput(curve, all * 1.000001)).to.equal(-1);
        expect(curveInputFor(curve, filled(levels, all) * 1.001)).to.equal(Number.POSITIVE_INFINITY);
      }),
      RUNS,
    );
  });

  it('gives more for more, at a price that only falls', () => {
    const [first, second] = [emptyTangent(), emptyTangent()];
    check(
      fc.property(ladders, share, share, (levels, a, b) => {
        const curve = priceLadder(levels, GAS);
        const [less, more] = [Math.min(a, b) * curve.capacity, Math.max(a, b) * curve.capacity];
        curveTangent(curve, less, first);
        curveTangent(curve, more, second);
        expect(second.marginal).to.be.at.most(first.marginal * (1 + 1e-14));
        expect(second.output - first.output).to.be.at.least(0);
        expect(first.bend).to.be.greaterThan(0);
      }),
      RUNS,
    );
  });

  it('promises no better price for more where a later level has one', () => {
    const rising = [
      { price: 1, size: 1e9 },
      { price: 2, size: 1e9 },
    ];
    const curve = priceLadder(rising, GAS);
    expect(curveOutput(curve, 2e9)).to.be.within(2e9 * (1 - 2 * STRAIGHT), 2e9);
  });

  it('has for a price between two levels the flow that ends the better one, and for the price in the middle of a level half of it', () => {
    const levels = [
      { price: 2, size: 1e21 },
      { price: 1, size: 3e21 },
    ];
    const curve = priceLadder(levels, GAS);
    const flow = emptyFlow();
    curveFlowAt(curve, 1.5, flow);
    expect(flow.input).to.be.closeTo(1e21, 1e12);
    curveFlowAt(curve, 2 * (1 - 0.5e-9), flow);
    expect(flow.input).to.be.closeTo(0.5e21, 1e18);
    curveFlowAt(curve, 0.9, flow);
    expect(flow.input).to.be.closeTo(4e21, 1e12);
    curveFlowAt(curve, 2.1, flow);
    expect(flow.input).to.equal(0);
  });
});

function filled(levels: readonly LadderLevel[], input: number): number {
  let left = input;
  let output = 0;
  for (const level of levels) {
    const taken = Math.min(left, level.size);
    output += taken * level.price;
    left -= taken;
  }
  return output;
}
