import { expect } from 'chai';
import fc from 'fast-check';
import { strandsOf } from '../../src/curves/curves.ts';
import type { SegmentsCurve } from '../../src/snapshot/snapshot.ts';
import { DUST, sampleConcave } from '../../src/venues/sampled/sample-concave.ts';
import { loadSolverVenues } from '../../src/venues/venues.ts';
import { evaluateCurve } from '../support/evaluate-curve.ts';
import { MOMENT } from '../support/moment.ts';
import { check } from '../support/property.ts';
import type { VenueSample } from './venue-sample.ts';

type Exact = (amountIn: bigint) => bigint | null;

const tolerance = fc.constantFrom(1e-4, 1e-5, 1e-6);
/** Where within the capacity: as many small amounts as large ones. */
const share = fc.double({ min: 0, max: 1, noNaN: true });
const amount = (least: number, most: number) =>
  fc.tuple(fc.integer({ min: least, max: most }), fc.bigInt(0n, (1n << 12n) - 1n)).map(([size, low]) => (1n << BigInt(size)) + low);

function curveOf(exactIn: Exact, capacity: bigint, most: number, rounding = 1): SegmentsCurve {
  const sampled = sampleConcave(exactIn, capacity, most, rounding);
  if (sampled === null) throw new Error('it could not be sampled');
  return { ...sampled, gas: 0, gasPerPiece: 0, gasPerLogPrice: 0 };
}

/** No more than exact but for its rounding, and within the tolerance of all that is no dust. */
function expectWithin(curve: SegmentsCurve, exactIn: Exact, most: number, shares: readonly number[], rounding = 1): void {
  for (const part of shares) {
    const input = Math.floor(curve.capacity ** part);
    const exact = Number(exactIn(BigInt(input)) ?? 0n);
    const promised = evaluateCurve(curve, input);
    expect(promised, `for ${input}`).to.be.below(exact + 2 * rounding);
    if (exact > (DUST * rounding) / most) expect(promised, `for ${input}`).to.be.at.least(exact * (1 - most));
  }
}

function expectConcave({ columns }: SegmentsCurve): void {
  for (let at = 4; at < columns.length; at += 4) {
    const [x0 = 0, y0 = 0, reserveIn = 0, reserveOut = 0] = columns.subarray(at, at + 4);
    const [beforeX = 0, beforeY = 0, beforeIn = 0, beforeOut = 0] = columns.subarray(at - 4, at);
    const width = x0 - beforeX;
    expect(width).to.be.greaterThan(0);
    // Where a small piece follows a large one, x0 itself has an error that is large against the small one.
    const errorOfX = (4 * Number.EPSILON * x0) / Math.min(reserveIn, beforeIn);
    expect(reserveOut / reserveIn).to.be.at.most(((beforeOut / (beforeIn + width)) * beforeIn) / (beforeIn + width) / (1 - 1e-12 - errorOfX));
    expect(y0).to.be.closeTo(beforeY + (beforeOut * width) / (beforeIn + width), y0 * 1e-12);
  }
}

describe('a sampled curve', () => {
  it('of a constant product, whatever its size and its fee', () => {
    check(
      fc.property(
        amount(20, 100),
        amount(20, 100),
        fc.integer({ min: 0, max: 100_000 }),
        tolerance,
        fc.array(share, { minLength: 20, maxLength: 20 }),
        (reserveIn, reserveOut, feePpm, most, shares) => {
          const exactIn: Exact = (input) => {
            const kept = input * BigInt(1_000_000 - feePpm);
            return (kept * reserveOut) / (reserveIn * 1_000_000n + kept);
          };
          const curve = curveOf(exactIn, 100n * reserveIn, most);
          expectWithin(curve, exactIn, most, shares);
          expectConcave(curve);
          if (reserveIn > 10n ** 14n && reserveOut > 10n ** 14n) expect(strandsOf(curve), 'a smooth price has no jumps').to.have.lengthOf(1);
        },
      ),
      60,
    );
  });

  it('of prices that fall in steps, which no number of smooth pieces meets at their corners', () => {
    const level = fc.record({ size: amount(60, 70), permille: fc.integer({ min: 1, max: 1000 }) });
    check(
      fc.property(fc.array(level, { minLength: 1, maxLength: 5 }), tolerance, fc.array(share, { minLength: 20, maxLength: 20 }), (levels, most, shares) => {
        const book = [...levels].sort((a, b) => b.permille - a.permille);
        const exactIn: Exact = (input) => {
          let [left, thousandths] = [input, 0n];
          for (const { size, permille } of book) {
            const taken = left < size ? left : size;
            thousandths += taken * BigInt(permille);
            left -= taken;
          }
          return left > 0n ? null : thousandths / 1000n;
        };
        const curve = curveOf(
          exactIn,
          book.reduce((sum, { size }) => sum + size, 0n),
          most,
        );
        expectWithin(curve, exactIn, most, shares);
        expectConcave(curve);
      }),
      60,
    );
  });

  it('ends where more gives no more, and is none where nothing comes out or more pieces are needed than there may be', () => {
    const capped: Exact = (input) => (input < 10n ** 12n ? input : 10n ** 12n);
    const curve = curveOf(capped, 10n ** 18n, 1e-5);
    expect(curve.capacity).to.be.within(10 ** 12, 10 ** 18);
    expectWithin(curve, capped, 1e-5, [0.1, 0.5, 0.9, 0.99, 1]);
    expect(sampleConcave(() => null, 10n ** 18n, 1e-5)).to.equal(null);
    expect(sampleConcave(() => 0n, 10n ** 18n, 1e-5)).to.equal(null);
    expect(sampleConcave((input) => BigInt(Math.floor(Math.sqrt(Number(input)) * 1e12)), 10n ** 30n, 1e-9)).to.equal(null);
  });

  for (const name of ['balancer_v2_stable', 'balancer_v2_weighted', 'curve', 'erc4626', 'uniswap_v2']) {
    it(`of the exact mathematics of ${name} is theirs within its tolerance`, async () => {
      const facets = (await loadSolverVenues()).get(name);
      const { sample }: { readonly sample: VenueSample<unknown> } = await import(new URL(`samples/${name}.ts`, import.meta.url).href);
      if (facets === undefined) throw new Error(`no venue ${name}`);
      check(
        fc.property(sample.states, tolerance, fc.array(share, { minLength: 10, maxLength: 10 }), (state, most, shares) => {
          for (const edge of facets.state.curves(state).slice(0, 2)) {
            const largest = Math.min(edge.curve.capacity, 2 ** 100);
            if (largest < 1e6) continue;
            const exactIn: Exact = (input) => {
              const quote = facets.price.exactIn(state, edge.slotIn, edge.slotOut, input, MOMENT);
              return quote.ok ? quote.amountOut : null;
            };
            const rounding = 2 * Math.ceil(sample.roundingUnits(state, edge.curve, largest));
            // Of dust alone there is no curve to speak of.
            if (Number(exactIn(BigInt(Math.floor(largest))) ?? 0n) < (DUST * rounding) / most) continue;
            const curve = curveOf(exactIn, BigInt(Math.floor(largest)), most, rounding);
            expectWithin(curve, exactIn, most, shares, rounding);
            expectConcave(curve);
          }
        }),
        15,
      );
    });
  }
});
