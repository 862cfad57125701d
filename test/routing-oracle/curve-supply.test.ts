import { expect } from 'chai';
import { firstRate, outputAt, type Supply, supplyAt } from '../../src/bound/curve-supply.ts';
import type { StableCurve, WeightedCurve } from '../../src/snapshot/snapshot.ts';
import { seededRandom } from '../support/seeded-random.ts';

const CASES = 200;

/** D of a stable pool by bisection on its equation: A·n·Σx + D = A·n·D + D^(n+1) / (n^n · Πx). */
function invariantOf(ann: number, balances: readonly number[]): number {
  const sum = balances.reduce((total, balance) => total + balance, 0);
  const excess = (d: number): number => ann * d + balances.reduce((product, balance) => (product * d) / (balances.length * balance), d) - ann * sum - d;
  let [low, high] = [0, sum];
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) high = middle;
    else low = middle;
  }
  return low;
}

describe('what a weighted or stable edge supplies at a price', () => {
  const random = seededRandom('curve supply');
  const curves: (WeightedCurve | StableCurve)[] = Array.from({ length: CASES }, (_, index) => {
    const keep = 1 - random.unit() * 0.02;
    const capacity = random.chance(0.3) ? 10 ** (3 + random.unit() * 12) : Number.POSITIVE_INFINITY;
    if (index % 2 === 0) {
      const [balanceIn, balanceOut] = [10 ** (6 + random.unit() * 15), 10 ** (6 + random.unit() * 15)];
      return { kind: 'weighted', keep, capacity, gas: 0, balanceIn, balanceOut, exponent: random.pick([1, 4, 0.25, 1.5]) };
    }
    const balances = Float64Array.from({ length: random.integer(2, 4) }, () => 10 ** (20 + random.unit()));
    const ann = random.pick([100, 400, 2000]);
    const facts = { keep, feeOnOutput: random.chance(0.5), capacity, gas: 0, slotIn: 0, slotOut: 1, ann, balances };
    return { kind: 'stable', ...facts, invariant: invariantOf(ann, [...balances]), scaleIn: random.pick([1, 1e12]), scaleOut: random.pick([1, 1e12]) };
  });

  it('is worth more than any other input at that price, and what it says comes out', () => {
    const supply: Supply = { input: 0, output: 0, compliance: 0 };
    for (const [index, curve] of curves.entries()) {
      const rate = firstRate(curve) * (0.2 + 0.75 * random.unit());
      supplyAt(curve, rate, supply);
      const { input, output } = supply;
      expect(input, `case ${index}`).to.be.within(0, curve.capacity);
      expect(Math.abs(output - outputAt(curve, input)), `case ${index}`).to.be.at.most(1e-9 * output);
      const gain = output - rate * input;
      for (const other of [input * 0.5, input * 0.9, input * 0.999, input * 1.001, input * 1.1, input * 2]) {
        if (other > curve.capacity) continue;
        expect(outputAt(curve, other) - rate * other, `case ${index} at ${other}`).to.be.at.most(gain + 1e-9 * output);
      }
    }
  });

  it('is nothing at or above the first unit’s rate', () => {
    const supply: Supply = { input: 1, output: 1, compliance: 1 };
    for (const curve of curves) {
      supplyAt(curve, firstRate(curve) * 1.0001, supply);
      expect(supply.input).to.equal(0);
    }
  });

  it('a stable pool keeps its equation after a trade', () => {
    for (const curve of curves) {
      if (curve.kind !== 'stable') continue;
      const { ann, invariant, keep, feeOnOutput, scaleIn, scaleOut } = curve;
      const input = ((curve.balances[0] as number) / scaleIn) * 0.1;
      const balances = [...curve.balances];
      balances[0] = (balances[0] as number) + input * scaleIn * (feeOnOutput ? 1 : keep);
      balances[1] = (balances[1] as number) - (outputAt(curve, input) * scaleOut) / (feeOnOutput ? keep : 1);
      expect(Math.abs(invariantOf(ann, balances) / invariant - 1)).to.be.below(1e-11);
    }
  });

  it('moves with the price as its compliance says', () => {
    const [at, beside]: Supply[] = [
      { input: 0, output: 0, compliance: 0 },
      { input: 0, output: 0, compliance: 0 },
    ];
    for (const [index, curve] of curves.entries()) {
      const rate = firstRate(curve) * 0.7;
      supplyAt(curve, rate, at as Supply);
      supplyAt(curve, rate * (1 - 1e-5), beside as Supply);
      if (at === undefined || beside === undefined || at.compliance === 0 || beside.compliance === 0) continue;
      expect((beside.input - at.input) / (at.compliance * rate * 1e-5), `case ${index}`).to.be.within(0.99, 1.01);
    }
  });
});
