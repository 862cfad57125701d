import { expect } from 'chai';
import fc from 'fast-check';
import { curveFlowAt, curveInputFor, curveOutput, curveStartPrice, curveTangent, emptyFlow, emptyTangent } from '../../src/curves/curves.ts';
import { WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { price as balancerStable } from '../../src/venues/balancer_v2_stable/price.ts';
import { state as balancerStableState, type StableState } from '../../src/venues/balancer_v2_stable/state.ts';
import { price as weighted } from '../../src/venues/balancer_v2_weighted/price.ts';
import { type WeightedState, state as weightedState } from '../../src/venues/balancer_v2_weighted/state.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { price as curve } from '../../src/venues/curve/price.ts';
import { state as curveState } from '../../src/venues/curve/state.ts';
import type { TokenScale } from '../../src/venues/scaled/token-scale.ts';
import type { PriceFacet, StateFacet } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { check } from '../support/property.ts';

const RUNS = 400;
const ONE = 10n ** 18n;

/** From one wei to the largest balance, as many small as large. */
function magnitude(bits: number): fc.Arbitrary<bigint> {
  return fc.integer({ min: 1, max: bits }).chain((length) => fc.bigInt(1n << BigInt(length - 1), (1n << BigInt(length)) - 1n));
}

const rate = fc.oneof(fc.constant(ONE), magnitude(120));
const lift = fc.constantFrom(1n, 10n ** 10n, 10n ** 12n, ONE);
const scale: fc.Arbitrary<TokenScale> = fc.oneof(
  fc.record({ numerator: lift, denominator: fc.constant(1n) }),
  fc.record({ numerator: rate, denominator: fc.constant(ONE) }),
  fc.record({ numerator: fc.constant(ONE), denominator: rate }),
);
const stableToken = fc.record({ balance: magnitude(112), scale });
/** Balances of a real pool's proportions at any size, down to a few wei, where roundings are as large as what is traded. */
const alike = fc
  .tuple(magnitude(100), fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 8 }))
  .map(([size, tilts]) => tilts.map((tilt) => ({ balance: (size * BigInt(tilt)) / 8n + 1n, scale: { numerator: 1n, denominator: 1n } })));
type Token = { readonly balance: bigint; readonly scale: TokenScale };
const stableTokens: fc.Arbitrary<readonly Token[]> = fc.oneof(fc.array(stableToken, { minLength: 2, maxLength: 8 }), alike);

const stableStates: fc.Arbitrary<StableState> = fc
  .record({
    tokens: stableTokens,
    amplification: fc.bigInt(1n, 1_000_000n).map((whole) => whole * 1000n),
    // 10^12 is the contract's least: without a fee its roundings may favour a trader in pools of dust beside a fortune.
    swapFee: fc.constantFrom(10n ** 12n, 10n ** 17n, ONE - 1n),
    rule: fc.constantFrom('up' as const, 'down' as const),
  })
  .map(({ tokens, ...rest }) => ({ ...rest, balances: tokens.map(({ balance }) => balance), scales: tokens.map((token) => token.scale) }));

const curveStates = (tokens: fc.Arbitrary<readonly Token[]>): fc.Arbitrary<CurveState> =>
  fc
    .record({
      tokens,
      form: fc.constantFrom('plain' as const, 'early-ng' as const, 'ng' as const),
      amplification: fc.bigInt(100n, 100_000_000n),
      ramp: fc.constant(null),
      fee: fc.constantFrom(0n, 1n, 4_000_000n, 1_000_000_000n),
      adminFee: fc.constantFrom(0n, 5_000_000_000n, 10_000_000_000n),
      offpegFeeMultiplier: fc.constantFrom(0n, 10_000_000_000n, 20_000_000_000n, 50_000_000_000n),
    })
    .map(({ tokens, ...rest }) => ({ ...rest, balances: tokens.map(({ balance }) => balance), scales: tokens.map((token) => token.scale) }));

const weightedStates: fc.Arbitrary<WeightedState> = fc
  .record({
    tokens: fc.array(fc.record({ balance: magnitude(112), lift, share: fc.integer({ min: 1, max: 93 }) }), { minLength: 2, maxLength: 8 }),
    swapFee: fc.constantFrom(0n, 10n ** 12n, 10n ** 17n, ONE - 1n),
    powers: fc.constantFrom('logarithm' as const, 'multiplied' as const),
  })
  .map(({ tokens, swapFee, powers }) => {
    const total = tokens.reduce((sum, { share }) => sum + share, 0);
    const weights = tokens.map(({ share }) => (BigInt(share) * ONE) / BigInt(total)).map((weight) => (weight < ONE / 100n ? ONE / 100n : weight));
    return { balances: tokens.map(({ balance }) => balance), lifts: tokens.map((token) => token.lift), weights, swapFee, powers };
  });

const amounts = fc.oneof(magnitude(256), fc.constantFrom(1n, 2n, (1n << 112n) - 1n, 1n << 112n, 1n << 255n, (1n << 256n) - 1n));

hostile('balancer_v2_weighted', weightedStates, weighted, weightedState);
hostile('balancer_v2_stable', stableStates, balancerStable, balancerStableState);
// StableSwap's invariant is cut off, not rounded up: in the contract itself a few units may come back too many, and more in a pool of dust beside a fortune.
hostile('curve', curveStates(stableTokens), curve, curveState, { states: curveStates(alike), gain: ({ balances }) => 4n * BigInt(balances.length) });

function hostile<State extends { readonly balances: readonly bigint[] }>(
  name: string,
  states: fc.Arbitrary<State>,
  price: PriceFacet<State>,
  facet: StateFacet<State>,
  undone: { readonly states: fc.Arbitrary<State>; gain(state: State): bigint } = { states, gain: () => 0n },
): void {
  describe(`${name}: pools of a wei, of 2^112 wei, and of both`, () => {
    it('fill or refuse any amount, and never throw', () => {
      check(
        fc.property(states, amounts, fc.nat(7), fc.nat(6), (state, amount, from, step) => {
          const count = state.balances.length;
          const slotIn = from % count;
          const slotOut = (slotIn + 1 + (step % (count - 1))) % count;
          for (const quote of [price.exactIn(state, slotIn, slotOut, amount, MOMENT), price.exactOut?.(state, slotIn, slotOut, amount, MOMENT)]) {
            if (!quote?.ok) continue;
            expect(quote.amountIn > 0n && quote.amountOut > 0n && quote.amountOut <= (state.balances[slotOut] ?? 0n)).to.equal(true);
            const words = new WordWriter();
            facet.pack(quote.next, words);
            expect(facet.unpack(new WordReader(words.finish()))).to.deep.equal(quote.next);
            facet.curves(quote.next);
          }
        }),
        RUNS,
      );
    });

    // In November 2025 tiny balances and an exact output whose rounding favoured the trader emptied pools.
    it('give no more back than was put in, after an exact input and after an exact output, at a wei as at 2^112 (Balancer v2 stable pools 2025)', () => {
      check(
        fc.property(undone.states, fc.double({ min: 0, max: 1, noNaN: true }), (state, share) => {
          const most = Number(state.balances[0]);
          const amount = BigInt(Math.floor(most ** share));
          for (const there of [price.exactIn(state, 0, 1, amount, MOMENT), price.exactOut?.(state, 0, 1, amount, MOMENT)]) {
            if (!there?.ok) continue;
            const back = price.exactIn(there.next, 1, 0, there.amountOut, MOMENT);
            if (back.ok) expect(back.amountOut <= there.amountIn + undone.gain(state), `${back.amountOut} back for ${there.amountIn}`).to.equal(true);
          }
        }),
        RUNS * 2,
      );
    });

    it('have curves that answer every question with a number', () => {
      const [tangent, flow] = [emptyTangent(), emptyFlow()];
      check(
        fc.property(states, fc.double({ min: 0, max: 1, noNaN: true }), (state, share) => {
          for (const { curve: model } of facet.curves(state)) {
            const input = model.capacity * share;
            curveTangent(model, input, tangent);
            curveFlowAt(model, curveStartPrice(model) * (1 - share * 0.999), flow);
            const output = curveOutput(model, input);
            const { marginal, bend, output: at } = tangent;
            const answers = {
              output,
              at,
              marginal,
              bend,
              flowIn: flow.input,
              flowOut: flow.output,
              start: curveStartPrice(model),
              back: curveInputFor(model, output),
            };
            for (const [question, answer] of Object.entries(answers)) {
              expect(Number.isNaN(answer) || answer < 0, `${question} is ${answer}: ${JSON.stringify(model)}`).to.equal(false);
            }
            expect(flow.input).to.be.at.most(model.capacity);
          }
        }),
        RUNS / 4,
      );
    });
  });
}
