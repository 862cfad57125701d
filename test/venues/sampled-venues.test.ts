import { expect } from 'chai';
import fc from 'fast-check';
import { DUST } from '../../src/venues/sampled/sample-concave.ts';
import { loadSolverVenues, type SolverVenue } from '../../src/venues/venues.ts';
import { evaluateCurve } from '../support/evaluate-curve.ts';
import { MOMENT } from '../support/moment.ts';
import { check } from '../support/property.ts';
import { sourceFiles } from '../support/source-files.ts';
import { sample as curve } from './samples/curve.ts';
import { coarseness, sample as crypto } from './samples/curve_crypto.ts';
import { sample as solidly } from './samples/solidly.ts';
import { stableRoundingUnits } from './stable-tolerances.ts';

/** Of what samples promise, of every venue: a tenth of a basis point. */
const TOLERANCE = 1e-5;
const AMOUNTS = 12;

/** A venue that samples its curves: pools whose curves are sampled, and what integer rounding may take of an output. */
type Sampled<State> = {
  readonly states: fc.Arbitrary<State>;
  readonly runs: number;
  rounding(state: State, slotIn: number, slotOut: number, amountIn: number, facets: SolverVenue): number;
  /** Whether the fee of the smallest exchange is that of all, or grows with them: elsewhere the curve may promise less than the tolerance says. */
  follows(state: State, slotIn: number, slotOut: number): boolean;
};

const stable: Sampled<SampleState<typeof solidly>> = {
  states: solidly.states.map((pool) => ({ ...pool, stable: true })),
  runs: 40,
  rounding: ({ decimals: [first, second] }) => 2 + 10 ** Math.abs(second - first),
  follows: () => true,
};

const moving: Sampled<SampleState<typeof curve>> = {
  states: fc
    .record({ pool: curve.states, form: fc.constantFrom('early-ng' as const, 'ng' as const), multiplier: fc.constantFrom(15_000_000_000n, 50_000_000_000n) })
    .map(({ pool, form, multiplier }) => ({ ...pool, form, offpegFeeMultiplier: multiplier })),
  runs: 12,
  rounding(pool, slotIn, slotOut, amountIn, { state }) {
    const fixed = state.curves({ ...pool, offpegFeeMultiplier: 0n }).find((edge) => edge.slotIn === slotIn && edge.slotOut === slotOut);
    return fixed === undefined ? 0 : stableRoundingUnits(fixed.curve, amountIn, 2);
  },
  follows: ({ balances, scales }, slotIn, slotOut) => {
    const worth = (slot: number) => ((balances[slot] ?? 0n) * (scales[slot]?.numerator ?? 1n)) / (scales[slot]?.denominator ?? 1n);
    return worth(slotIn) >= worth(slotOut);
  },
};

const volatile: Sampled<SampleState<typeof crypto>> = {
  states: crypto.states,
  runs: 8,
  rounding: ({ possible: [pool] }) => 2 * coarseness(pool),
  // Its fee follows all three balances: curve-crypto-curve.test.ts has a pool that is even.
  follows: () => false,
};

const SAMPLED: ReadonlyMap<string, Sampled<unknown>> = new Map<string, Sampled<unknown>>([
  ['solidly', stable],
  ['curve', moving],
  ['curve_crypto', volatile],
]);

type SampleState<Sample> = Sample extends { readonly states: fc.Arbitrary<infer State> } ? State : never;

describe('every venue that samples its curves', () => {
  it('is tried here', () => {
    const samplers = sourceFiles('src/venues').filter(({ text }) => text.includes("/sampled/sample-concave.ts'"));
    const folders = new Set(samplers.map(({ file }) => /venues\/([^/]+)\//.exec(file)?.[1]));
    expect([...folders].sort()).to.deep.equal([...SAMPLED.keys()].sort());
  });

  for (const [name, { states, runs, rounding, follows }] of SAMPLED) {
    it(`${name} promises no more than the exact maths gives but for its rounding, over the whole length, and little less`, async () => {
      const facets = (await loadSolverVenues()).get(name);
      if (facets === undefined) throw new Error(`no venue ${name}`);
      const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: AMOUNTS, maxLength: AMOUNTS });
      const seen = { edges: 0, followed: 0 };
      check(
        fc.property(states, shares, (state, parts) => {
          for (const { slotIn, slotOut, curve: edge } of facets.state.curves(state)) {
            expect(edge.kind).to.equal('segments');
            seen.edges++;
            for (const part of parts) {
              const amountIn = Math.floor(1e6 * (edge.capacity / 1e6) ** part);
              if (amountIn > edge.capacity) continue;
              const quote = facets.price.exactIn(state, slotIn, slotOut, BigInt(amountIn), MOMENT);
              const exact = quote.ok ? Number(quote.amountOut) : 0;
              const unsure = 2 * rounding(state, slotIn, slotOut, amountIn, facets);
              const promised = evaluateCurve(edge, amountIn);
              const what = `${slotIn} to ${slotOut}, ${amountIn}: ${promised} for ${exact}`;
              expect(promised, what).to.be.at.most(exact + unsure);
              if (!follows(state, slotIn, slotOut) || exact < (DUST * unsure) / TOLERANCE) continue;
              seen.followed++;
              expect(promised, what).to.be.at.least(exact * (1 - TOLERANCE));
            }
          }
        }),
        runs,
      );
      expect(seen.edges).to.be.above(runs);
      if (name !== 'curve_crypto') expect(seen.followed).to.be.above(runs);
    });
  }
});
