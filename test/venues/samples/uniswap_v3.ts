import fc from 'fast-check';
import { tickTable } from '../../../src/venues/concentrated/concentrated-state.ts';
import { sqrtRatioAtTick, tickAtSqrtRatio } from '../../../src/venues/concentrated/tick-math.ts';
import type { UniswapV3State } from '../../../src/venues/uniswap_v3/state.ts';
import type { VenueSample } from '../venue-sample.ts';

const liquidity = fc.tuple(fc.integer({ min: 40, max: 79 }), fc.bigInt(0n, (1n << 40n) - 1n)).map(([bits, low]) => (1n << BigInt(bits)) + low);
const range = fc.record({ start: fc.integer({ min: -300, max: 300 }), width: fc.integer({ min: 1, max: 300 }), liquidity });
const pool = fc.record({
  traits: fc.constantFrom(
    { feePpm: 100, tickSpacing: 1 },
    { feePpm: 500, tickSpacing: 10 },
    { feePpm: 3000, tickSpacing: 60 },
    { feePpm: 10_000, tickSpacing: 200 },
  ),
  centre: fc.integer({ min: -200, max: 200 }),
  within: fc.integer({ min: 0, max: 999_999 }),
  ranges: fc.array(range, { minLength: 1, maxLength: 8 }),
  truncated: fc.boolean(),
});

export const sample: VenueSample<UniswapV3State> = {
  states: pool.map(({ traits: { feePpm, tickSpacing }, centre, within, ranges, truncated }) => {
    const [low, high] = [sqrtRatioAtTick(centre * tickSpacing), sqrtRatioAtTick((centre + 1) * tickSpacing)];
    const sqrtPriceX96 = low + ((high - low) * BigInt(within)) / 1_000_000n;
    const tick = tickAtSqrtRatio(sqrtPriceX96);
    const nets = new Map<number, bigint>();
    let active = 0n;
    for (const { start, width, liquidity: amount } of ranges) {
      const [lower, upper] = [(centre + start) * tickSpacing, (centre + start + width) * tickSpacing];
      nets.set(lower, (nets.get(lower) ?? 0n) + amount);
      nets.set(upper, (nets.get(upper) ?? 0n) - amount);
      if (lower <= tick && tick < upper) active += amount;
    }
    return { feePpm, tickSpacing, sqrtPriceX96, liquidity: active, tick, ticks: tickTable([...nets].sort(([a], [b]) => a - b)), truncated };
  }),
  entry: {
    id: '0xa305f3aad48e285c002a2dbadbbba58fea10ad45',
    venue: 'uniswap_v3',
    feePpm: 3000,
    tickSpacing: 60,
    sqrtPriceX96: '79228162514264337593543960336',
    liquidity: '2000000',
    tick: 0,
    ticks: [
      [-120, '2000000'],
      [60, '-2000000'],
    ],
  },
  optionalFields: ['id', 'venue'],
  tokenCount: 2,
  // Each step rounds the input up by less than two units and the output down by less than one.
  roundingUnits: (state, curve) => {
    if (curve.kind !== 'segments') throw new Error('not a curve of segments');
    const bestRate = (curve.columns[3] as number) / (curve.columns[2] as number);
    return steps(state) * (1 + 2 * bestRate) + 2;
  },
  // The contract takes a whole step for any output that reaches the step's own, rounded down: up to one unit of output more than asked, at the price there.
  excessInput: (state, curve) => {
    if (curve.kind !== 'segments') throw new Error('not a curve of segments');
    const [x0 = 0, , reserveIn = 0, reserveOut = 0] = curve.columns.subarray(-4);
    const atEnd = reserveIn + curve.capacity * curve.keep - x0;
    const inputPerOutput = atEnd ** 2 / (reserveIn * reserveOut) / curve.keep;
    return BigInt(Math.ceil(steps(state) * (3 + inputPerOutput)));
  },
};

function steps({ ticks, tickSpacing }: UniswapV3State): number {
  const span = (ticks.indices.at(-1) ?? 0) - (ticks.indices[0] ?? 0);
  return ticks.indices.length + Math.ceil(span / (256 * tickSpacing)) + 3;
}
