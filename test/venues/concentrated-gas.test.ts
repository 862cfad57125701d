import { expect } from 'chai';
import fc from 'fast-check';
import { segmentsGas } from '../../src/curves/curves.ts';
import { type ConcentratedState, tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import { type SwapOutcome, swapConcentrated } from '../../src/venues/concentrated/swap.ts';
import { MAX_TICK, sqrtRatioAtTick, tickAtSqrtRatio } from '../../src/venues/concentrated/tick-math.ts';
import { price } from '../../src/venues/uniswap_v3/price.ts';
import { state as facet } from '../../src/venues/uniswap_v3/state.ts';
import { UNISWAP_V3_GAS } from '../../src/venues/uniswap_v3/venue.ts';
import { MOMENT } from '../support/moment.ts';
import { check } from '../support/property.ts';
import { sample } from './samples/uniswap_v3.ts';

const RUNS = 300;
const { swap, tickCrossed, wordWalked } = UNISWAP_V3_GAS;

/** Positions far apart, so that most of the way has no liquidity. */
const withGaps: fc.Arbitrary<ConcentratedState> = fc
  .record({
    tickSpacing: fc.constantFrom(1, 10, 60, 200),
    near: fc.integer({ min: -200, max: 200 }),
    gaps: fc.array(fc.record({ gap: fc.integer({ min: 0, max: 800 }), width: fc.integer({ min: 1, max: 200 }) }), { minLength: 1, maxLength: 4 }),
    up: fc.boolean(),
    within: fc.integer({ min: 0, max: 1_000_000 }),
  })
  .map(({ tickSpacing, near, gaps, up, within }) => {
    const nets = new Map<number, bigint>();
    const liquidity = 10n ** 18n;
    const add = (lower: number, upper: number): void => {
      nets.set(lower * tickSpacing, (nets.get(lower * tickSpacing) ?? 0n) + liquidity);
      nets.set(upper * tickSpacing, (nets.get(upper * tickSpacing) ?? 0n) - liquidity);
    };
    add(near - 1, near + 1);
    let at = 1;
    for (const { gap, width } of gaps) {
      if (up) add(near + at + gap, near + at + gap + width);
      else add(near - at - gap - width, near - at - gap);
      at += gap + width;
    }
    const [low, high] = [sqrtRatioAtTick((near - 1) * tickSpacing), sqrtRatioAtTick((near + 1) * tickSpacing)];
    const sqrtPriceX96 = low + ((high - 1n - low) * BigInt(within)) / 1_000_000n;
    const ticks = tickTable([...nets].sort(([a], [b]) => a - b));
    return { feePpm: 500, tickSpacing, sqrtPriceX96, liquidity, tick: tickAtSqrtRatio(sqrtPriceX96), ticks, truncated: false };
  });

/** One position over all ticks. */
const fullRange: fc.Arbitrary<ConcentratedState> = fc
  .record({ tickSpacing: fc.constantFrom(10, 60, 200), tick: fc.integer({ min: -100_000, max: 100_000 }), bits: fc.integer({ min: 30, max: 90 }) })
  .map(({ tickSpacing, tick, bits }) => {
    const [end, liquidity] = [Math.floor(MAX_TICK / tickSpacing) * tickSpacing, 1n << BigInt(bits)];
    const ticks = tickTable([
      [-end, liquidity],
      [end, -liquidity],
    ]);
    return { feePpm: 500, tickSpacing, sqrtPriceX96: sqrtRatioAtTick(tick), liquidity, tick, ticks, truncated: false };
  });

const states = fc.oneof(sample.states, withGaps, fullRange);
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Swaps near and far: either the amount is even up to the capacity, or its logarithm. */
function forEachSwap(runs: number, body: (state: ConcentratedState, slotIn: number, amount: bigint) => void): void {
  check(
    fc.property(states, share, fc.boolean(), (state, fraction, even) => {
      for (const { slotIn, curve } of facet.curves(state)) {
        const largest = Math.min(curve.capacity, 2 ** 112);
        if (largest < 1e6) continue;
        body(state, slotIn, BigInt(Math.floor(even ? 1e6 + fraction * (largest - 1e6) : 1e6 * (largest / 1e6) ** fraction)));
      }
    }),
    runs,
  );
}

/** Steps of the contract from a stored tick to the one it stores after the swap, word by word as TickBitmap has them. */
function walk({ tick, tickSpacing, ticks }: ConcentratedState, zeroForOne: boolean, end: number): { crossed: number; words: number } {
  const initialised = new Set(ticks.indices);
  const found = { crossed: 0, words: 0 };
  const first = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1);
  for (let at = first; zeroForOne ? at * tickSpacing > end : at * tickSpacing <= end; at += zeroForOne ? -1 : 1) {
    const lastOfWord = zeroForOne ? at % 256 === 0 : (at + 1) % 256 === 0;
    if (initialised.has(at * tickSpacing)) found.crossed++;
    else if (lastOfWord) found.words++;
  }
  return found;
}

/** The curve counts words by the length of the way; the contract pays a border that is an initialised tick besides as a tick. */
function tolerance({ ticks, tickSpacing }: ConcentratedState, zeroForOne: boolean): number {
  const borders = [...ticks.indices].filter((tick) => (tick / tickSpacing + (zeroForOne ? 0 : 1)) % 256 === 0);
  return wordWalked * (1 + borders.length);
}

describe('gas of a concentrated swap', () => {
  it('is that of the ticks crossed and the words walked, one by one, gaps without liquidity included', () => {
    let words = 0;
    forEachSwap(RUNS, (state, slotIn, amount) => {
      const quote = price.exactIn(state, slotIn, 1 - slotIn, amount, MOMENT);
      if (!quote.ok) return;
      const walked = walk(state, slotIn === 0, quote.next.tick);
      words += walked.words;
      expect(quote.gas).to.equal(swap + tickCrossed * walked.crossed + wordWalked * walked.words);
    });
    expect(words).to.be.above(RUNS);
  });

  it('counts the same for an exact output and up to a price limit', () => {
    forEachSwap(RUNS, (state, slotIn, amount) => {
      const outcome = swapConcentrated(state, slotIn === 0, 'in', amount);
      if (outcome.kind !== 'swapped' || outcome.unfilled !== 0n || outcome.amountOut === 0n) return;
      const limited = swapConcentrated(state, slotIn === 0, 'in', 1n << 200n, outcome.sqrtPriceX96);
      // A limit on a tick stops before it is crossed, or after, as the amount that reaches it does.
      if (outcome.sqrtPriceX96 !== state.sqrtPriceX96 && sqrtRatioAtTick(tickAtSqrtRatio(outcome.sqrtPriceX96)) !== outcome.sqrtPriceX96)
        expect(counts(limited)).to.deep.equal(counts(outcome));
      const asked = swapConcentrated(state, slotIn === 0, 'out', outcome.amountOut);
      if (asked.kind === 'swapped' && asked.tick === outcome.tick) expect(counts(asked)).to.deep.equal(counts(outcome));
    });
  });

  it('counts the words of an empty half of the range up to the end of it, without a step for each', () => {
    const liquidity = 10n ** 18n;
    const ticks = tickTable([
      [-1, liquidity],
      [1, -liquidity],
    ]);
    const state: ConcentratedState = { feePpm: 100, tickSpacing: 1, sqrtPriceX96: 1n << 96n, liquidity, tick: 0, ticks, truncated: false };
    const up = swapConcentrated(state, false, 'in', 10n ** 20n);
    expect(counts(up)).to.deep.equal([1, Math.floor((MAX_TICK - 1 - 255) / 256) + 1]);
    const down = swapConcentrated(state, true, 'in', 10n ** 20n);
    expect(counts(down)).to.deep.equal([1, Math.ceil(MAX_TICK / 256)]);
  });

  it("is in the curve to less than a word, and one for each tick that is a word's border", () => {
    let far = 0;
    forEachSwap(RUNS * 2, (state, slotIn, amount) => {
      const curve = facet.curves(state).find((edge) => edge.slotIn === slotIn)?.curve;
      const quote = price.exactIn(state, slotIn, 1 - slotIn, amount, MOMENT);
      const outcome = swapConcentrated(state, slotIn === 0, 'in', amount);
      if (curve?.kind !== 'segments' || !quote.ok || outcome.kind !== 'swapped' || onTick(state, outcome.sqrtPriceX96)) return;
      if (outcome.wordsWalked > 5) far++;
      expect(Math.abs(segmentsGas(curve, Number(amount)) - quote.gas)).to.be.at.most(tolerance(state, slotIn === 0));
    });
    expect(far).to.be.above(RUNS / 20);
  });

  it('is that of the tick on which the price rests from the first unit on, where it is crossed, and the curve bends as the liquidity behind it does', () => {
    const [before, behind] = [10n ** 18n, 3n * 10n ** 18n];
    const state: ConcentratedState = {
      feePpm: 100,
      tickSpacing: 1,
      sqrtPriceX96: sqrtRatioAtTick(0),
      liquidity: before,
      tick: 0,
      ticks: tickTable([
        [-100, behind],
        [0, before - behind],
        [100, -before],
      ]),
      truncated: false,
    };
    const curve = facet.curves(state).find(({ slotIn }) => slotIn === 0)?.curve;
    if (curve?.kind !== 'segments') throw new Error('not a curve of segments');
    // Input, output and what there is of both tokens, by piece: the way to the tick has no width, and is the piece behind it once more.
    const [first, second] = [curve.columns.slice(0, 4), curve.columns.slice(4, 8)];
    expect(curve.columns).to.have.length(8);
    expect(first).to.deep.equal(second);
    expect(first[2]).to.be.closeTo(Number(behind), Number(behind) * 1e-9);
    const quote = price.exactIn(state, 0, 1, 10n ** 6n, MOMENT);
    expect(quote.ok && quote.gas).to.equal(swap + tickCrossed);
    expect(segmentsGas(curve, 1e6)).to.be.closeTo(swap + tickCrossed, wordWalked);
  });

  it('rises in the curve with the input, from that of a swap without any', () => {
    check(
      fc.property(states, share, share, (state, one, other) => {
        for (const { curve } of facet.curves(state)) {
          if (curve.kind !== 'segments') throw new Error('not a curve of segments');
          const [less, more] = [Math.min(one, other) * curve.capacity, Math.max(one, other) * curve.capacity];
          expect(segmentsGas(curve, 0)).to.be.at.least(swap);
          // Roots of a price are integers in the pool and floats in the curve: pieces meet to 1e-9 of a price, a thousandth of a unit of gas.
          expect(segmentsGas(curve, more)).to.be.at.least(segmentsGas(curve, less) - 0.001);
          expect(segmentsGas(curve, more)).to.equal(segmentsGas(curve, more));
        }
      }),
      RUNS,
    );
  });
});

function counts(outcome: SwapOutcome): readonly number[] | null {
  return outcome.kind === 'swapped' ? [outcome.crossed, outcome.wordsWalked] : null;
}

/** Within a hair of an initialised tick, where the float model may see the swap on its other side. */
function onTick({ ticks }: ConcentratedState, sqrtPriceX96: bigint): boolean {
  return [...ticks.indices].some((tick) => Math.abs(Number(sqrtRatioAtTick(tick)) / Number(sqrtPriceX96) - 1) < 1e-9);
}
