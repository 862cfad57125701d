import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { type ConcentratedState, tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import { amount0DeltaUp, lessFee, priceAfterInput, withFee } from '../../src/venues/concentrated/sqrt-price-math.ts';
import { swapConcentrated } from '../../src/venues/concentrated/swap.ts';
import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, sqrtRatioAtTick, tickAtSqrtRatio } from '../../src/venues/concentrated/tick-math.ts';
import { RATIO_AT_TICK, STEPS, SWAPS, type SwapFact, TICK_AT_RATIO } from '../fixtures/concentrated-facts.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { check } from '../support/property.ts';

describe('TickMath', () => {
  it('gives the ratios that the contract gives', () => {
    for (const [tick, ratio] of RATIO_AT_TICK) expect(sqrtRatioAtTick(tick), `tick ${tick}`).to.equal(ratio);
    expect(sqrtRatioAtTick(MIN_TICK)).to.equal(MIN_SQRT_RATIO);
    expect(sqrtRatioAtTick(MAX_TICK)).to.equal(MAX_SQRT_RATIO);
  });

  it('gives the ticks that the contract gives', () => {
    for (const [ratio, tick] of TICK_AT_RATIO) expect(tickAtSqrtRatio(ratio), `ratio ${ratio}`).to.equal(tick);
  });

  it('gives the greatest tick whose ratio is at most the price, also one unit off a tick', () => {
    const tick = fc.oneof(
      fc.integer({ min: MIN_TICK, max: MAX_TICK - 1 }),
      fc.integer({ min: MIN_TICK, max: MIN_TICK + 50 }),
      fc.integer({ min: MAX_TICK - 50, max: MAX_TICK - 1 }),
    );
    check(
      fc.property(tick, fc.integer({ min: 0, max: 1_000_000 }), (lower, share) => {
        const [low, high] = [sqrtRatioAtTick(lower), sqrtRatioAtTick(lower + 1)];
        expect(tickAtSqrtRatio(low)).to.equal(lower);
        expect(tickAtSqrtRatio(high - 1n)).to.equal(lower);
        expect(tickAtSqrtRatio(low + ((high - 1n - low) * BigInt(share)) / 1_000_000n)).to.equal(lower);
        if (lower > MIN_TICK) expect(tickAtSqrtRatio(low - 1n)).to.equal(lower - 1);
      }),
      3000,
    );
  });

  it('refuses ticks and prices out of range', () => {
    for (const tick of [MIN_TICK - 1, MAX_TICK + 1, 0.5, Number.NaN]) expect(() => sqrtRatioAtTick(tick)).to.throw(RangeError);
    for (const ratio of [0n, MIN_SQRT_RATIO - 1n, MAX_SQRT_RATIO]) expect(() => tickAtSqrtRatio(ratio)).to.throw(RangeError);
  });
});

describe('SwapMath', () => {
  for (const { name, price, target, liquidity, amount, feePpm, amountIn, amountOut, fee } of STEPS) {
    it(`computeSwapStep: ${name}`, () => {
      // A spacing of 16,383 has its word borders beyond the range of ticks: one step to the limit.
      const edge = 54 * 16_383;
      const ticks = tickTable([
        [-edge, liquidity],
        [edge, -liquidity],
      ]);
      const state: ConcentratedState = { feePpm, tickSpacing: 16_383, sqrtPriceX96: price, liquidity, tick: tickAtSqrtRatio(price), ticks, truncated: false };
      const outcome = swapConcentrated(state, target < price, amount > 0n ? 'in' : 'out', amount > 0n ? amount : -amount, target);
      expect(outcome.kind === 'swapped' && [outcome.amountIn, outcome.amountOut]).to.deep.equal([amountIn + fee, amountOut]);
    });
  }

  it('computeSwapStep: target price of 1 uses partial input; entire input taken as fee', () => {
    expect(amount0DeltaUp(1n, 2n, 1n)).to.equal(39_614_081_257_132_168_796_771_975_168n);
    const taken = 39_614_081_257_132_168_796_771_975_168n;
    expect(withFee(taken, 1) - taken).to.equal(39_614_120_871_253_040_049_813n);
    expect(priceAfterInput(2413n, 1_985_041_575_832_132_834_610_021_537_970n, lessFee(10n, 1872), false)).to.equal(2413n);
  });
});

describe('UniswapV3Pool.swap', () => {
  for (const fact of SWAPS) it(fact.name, () => agrees(fact));
});

describeWithSharedData('UniswapV3Pool.swap, all recorded answers of the contract', () => {
  it('240 swaps to the wei, 50 of them reverts', () => {
    const facts = readSwapFacts();
    expect(facts).to.have.lengthOf(240);
    expect(facts.filter(({ answer }) => answer === null)).to.have.lengthOf(50);
    for (const fact of facts) agrees(fact);
  });
});

function agrees({ name, pool, zeroForOne, amountSpecified, limit, answer }: SwapFact): void {
  const state: ConcentratedState = { ...pool, ticks: tickTable(pool.ticks), truncated: false };
  const exact = amountSpecified > 0n ? 'in' : 'out';
  const outcome = swapConcentrated(state, zeroForOne, exact, amountSpecified > 0n ? amountSpecified : -amountSpecified, limit);
  if (answer === null) {
    expect(outcome.kind, name).to.equal('reverts');
    return;
  }
  if (outcome.kind === 'reverts') throw new Error(`reverts where the contract swaps: ${name}`);
  const [amount0, amount1] = zeroForOne ? [outcome.amountIn, -outcome.amountOut] : [-outcome.amountOut, outcome.amountIn];
  expect({ amount0, amount1, tick: outcome.tick }, name).to.deep.equal(answer);
}

type RecordedSwap = {
  readonly name: string;
  readonly pool: {
    readonly feePpm: number;
    readonly tickSpacing: number;
    readonly sqrtPriceX96: string;
    readonly tick: number;
    readonly liquidity: string;
    readonly ticks: readonly (readonly [number, string])[];
  };
  readonly zeroForOne: boolean;
  readonly amountSpecified: string;
  readonly sqrtPriceLimitX96: string | null;
  readonly error?: string;
  readonly amount0Delta?: string;
  readonly amount1Delta?: string;
  readonly tickAfter?: number;
};

function readSwapFacts(): readonly SwapFact[] {
  const { vectors } = JSON.parse(readFileSync(sharedData('vectors/uniswap-v3-core-swaps.json'), 'utf8')) as { readonly vectors: readonly RecordedSwap[] };
  return vectors.map(({ name, pool, zeroForOne, amountSpecified, sqrtPriceLimitX96, error, amount0Delta, amount1Delta, tickAfter }) => ({
    name,
    pool: {
      ...pool,
      sqrtPriceX96: BigInt(pool.sqrtPriceX96),
      liquidity: BigInt(pool.liquidity),
      ticks: pool.ticks.map(([tick, net]) => [tick, BigInt(net)] as const),
    },
    zeroForOne,
    amountSpecified: BigInt(amountSpecified),
    limit: sqrtPriceLimitX96 === null ? null : BigInt(sqrtPriceLimitX96),
    answer: error === undefined ? { amount0: BigInt(amount0Delta ?? ''), amount1: BigInt(amount1Delta ?? ''), tick: tickAfter ?? Number.NaN } : null,
  }));
}
