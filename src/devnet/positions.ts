import type { Shape } from './pool-spec.ts';

/** A liquidity position: a price range around the start, and its share of the pool's value. */
export type Position = { readonly tickLower: number; readonly tickUpper: number; readonly share: number };

export const TICK_SPACING: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 };

/** Of Uniswap V3 (TickMath). */
const MAX_TICK = 887_272;

type Range = readonly [below: number, above: number, share: number];

/** Price ranges as fractions of the starting price: [−0.05, 0.05] is 5% either way. Infinity: the end of the tick range. */
const RANGES: Readonly<Record<Shape, readonly Range[]>> = {
  none: [],
  full: [[-1, Infinity, 1]],
  layered: [
    [-1, Infinity, 0.1],
    [-0.4, 0.6, 0.3],
    [-0.12, 0.15, 0.35],
    [-0.05, 0.05, 0.25],
  ],
  narrow: [
    [-0.1, 0.1, 0.3],
    [-0.03, 0.03, 0.7],
  ],
  // Nothing between the pieces: a swap crosses empty ranges.
  gaps: [
    [-0.03, 0.03, 0.4],
    [0.06, 0.14, 0.2],
    [-0.14, -0.06, 0.2],
    [0.25, 0.6, 0.1],
    [-0.4, -0.22, 0.1],
  ],
  ladder: [...Array.from({ length: 9 }, (_, step): Range => [-0.18 + step * 0.04, -0.14 + step * 0.04, step % 2 === 0 ? 0.12 : 0.05]), [-1, Infinity, 0.2]],
  stable: [
    [-0.0015, 0.0015, 0.6],
    [-0.005, 0.005, 0.25],
    [-0.03, 0.03, 0.15],
  ],
};

/** The positions of a shape around a tick, with ends on the pool's tick spacing and never empty. */
export function positionsFor(shape: Shape, tick: number, tickSpacing: number): readonly Position[] {
  const edge = Math.floor(MAX_TICK / tickSpacing) * tickSpacing;
  return RANGES[shape].map(([below, above, share]) => {
    const tickLower = below <= -1 ? -edge : Math.floor((tick + ticksOf(1 + below)) / tickSpacing) * tickSpacing;
    const tickUpper = above === Infinity ? edge : Math.ceil((tick + ticksOf(1 + above)) / tickSpacing) * tickSpacing;
    return { tickLower, tickUpper: Math.max(tickUpper, tickLower + tickSpacing), share };
  });
}

/** Ticks of a price ratio: ratio = 1.0001^tick. */
export function ticksOf(ratio: number): number {
  return Math.log(ratio) / Math.log(1.0001);
}

/** A square root price in Q64.96 from a price (token1 base units per token0 base unit). Float precision: a starting point, not a price of trades. */
export function approxSqrtPriceX96(price: number): bigint {
  return BigInt(Math.floor(Math.sqrt(price) * 2 ** 96));
}
