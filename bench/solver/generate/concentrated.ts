import { MAX_TICK, MIN_TICK, sqrtRatioAtTick, tickAtSqrtRatio } from '../../../src/venues/concentrated/tick-math.ts';
import type { Random } from '../random.ts';
import { floatToInteger, type GeneratedToken } from './tokens.ts';

export type Position = { readonly lower: number; readonly upper: number; readonly liquidity: bigint };

const MAX_LIQUIDITY = 1n << 110n;

/**
 * Members of a concentrated pool between two sorted tokens. Positions come in the shapes that real pools show: the whole range, one range around the price,
 * many of all widths, a ladder of neighbouring rungs, and orders beside the price. Null where the price does not fit the range of ticks.
 */
export function concentratedFields(random: Random, a: GeneratedToken, b: GeneratedToken, liquidity: number, mispricing: number, pegged: boolean) {
  const price = ((a.usd / 10 ** a.decimals) * Math.exp(mispricing)) / (b.usd / 10 ** b.decimals);
  const centre = Math.log(price) / Math.log(1.0001);
  if (!(Math.abs(centre) < MAX_TICK - 20_000)) return null;
  const [feePpm, tickSpacing] = pegged
    ? random.pick([
        [100, 1],
        [100, 1],
        [500, 10],
      ] as const)
    : feeTier(random, liquidity);
  const sqrtPriceX96 = fromRoot(Math.sqrt(price));
  const tick = tickAtSqrtRatio(sqrtPriceX96);
  const shape = { random, tick, tickSpacing, reach: pegged ? 200 : 8000 };
  const ranges = shapes(shape, liquidity);
  // An equal part of the dollars for each range, but for the price's own side of it: what it holds is found from its width.
  const unit0 = a.usd / 10 ** a.decimals;
  const unit1 = b.usd / 10 ** b.decimals;
  const positions: Position[] = ranges.map(([lower, upper, share]) => {
    const worth = worthOfLiquidity(Math.sqrt(price), rootAt(lower), rootAt(upper), unit0, unit1);
    const amount = floatToInteger((liquidity * share) / worth);
    return { lower, upper, liquidity: amount > MAX_LIQUIDITY ? MAX_LIQUIDITY : amount + 1n };
  });
  return { feePpm, tickSpacing, sqrtPriceX96: String(sqrtPriceX96), tick, ...tickFields(positions, tick) };
}

function feeTier(random: Random, liquidity: number): readonly [number, number] {
  if (liquidity > 1e7)
    return random.pick([
      [500, 10],
      [3000, 60],
      [500, 10],
      [100, 1],
    ]);
  return random.pick([
    [3000, 60],
    [3000, 60],
    [10_000, 200],
    [500, 10],
  ]);
}

type Shape = { readonly random: Random; readonly tick: number; readonly tickSpacing: number; readonly reach: number };
/** Lower tick, upper tick, share of the pool's dollars. */
type Range = readonly [number, number, number];

function shapes(shape: Shape, liquidity: number): readonly Range[] {
  const { random, reach } = shape;
  const whole: Range = [aligned(shape, MIN_TICK + shape.tickSpacing), aligned(shape, MAX_TICK - shape.tickSpacing), 1];
  const kind = random.unit();
  if (kind < 0.15) return [whole];
  if (kind < 0.35) return [around(shape, reach * (0.1 + random.unit()), 1)];
  const count = Math.round(Math.min(120, 4 + (liquidity / 2e5) ** 0.5 * random.unit() * 2));
  if (kind < 0.5) return ladder(shape, count);
  const many: Range[] = Array.from({ length: count }, () => around(shape, reach * random.logUniform(0.02, 2), 0.8 / count));
  if (kind < 0.6) many.push(beside(shape, 0.1), beside(shape, 0.1));
  return [...many, [whole[0], whole[1], 0.2]];
}

function around(shape: Shape, width: number, share: number): Range {
  const centre = shape.tick + shape.random.normal() * width * 0.15;
  return ordered(shape, centre - width / 2, centre + width / 2, share);
}

/** Neighbouring rungs, deeper near the price. */
function ladder(shape: Shape, count: number): Range[] {
  const rung = Math.max(shape.tickSpacing, (shape.reach * 0.6) / count);
  const first = shape.tick - (rung * count) / 2;
  return Array.from({ length: count }, (_, index) => {
    const distance = (index - count / 2) / count;
    return ordered(shape, first + rung * index, first + rung * (index + 1), Math.exp(-8 * distance * distance) / count);
  });
}

/** An order that the price has not reached: a gap may lie between. */
function beside(shape: Shape, share: number): Range {
  const offset = shape.random.integer(1, 3) * shape.reach * 0.5 * (shape.random.chance(0.5) ? 1 : -1);
  return ordered(shape, shape.tick + offset, shape.tick + offset + shape.reach * 0.1, share);
}

function ordered(shape: Shape, from: number, to: number, share: number): Range {
  const lower = aligned(shape, from);
  return [lower, Math.max(aligned(shape, to), lower + shape.tickSpacing), share];
}

function aligned({ tickSpacing }: Shape, tick: number): number {
  const [lowest, highest] = [Math.ceil(MIN_TICK / tickSpacing), Math.floor(MAX_TICK / tickSpacing)];
  return Math.min(Math.max(Math.round(tick / tickSpacing), lowest), highest - 1) * tickSpacing;
}

/** Liquidity at a tick and the net changes of it, as a pool set has them. */
export function tickFields(positions: readonly Position[], tick: number) {
  const net = new Map<number, bigint>();
  let liquidity = 0n;
  for (const position of positions) {
    net.set(position.lower, (net.get(position.lower) ?? 0n) + position.liquidity);
    net.set(position.upper, (net.get(position.upper) ?? 0n) - position.liquidity);
    if (position.lower <= tick && tick < position.upper) liquidity += position.liquidity;
  }
  const ticks = [...net].sort(([a], [b]) => a - b).map(([at, change]) => [at, String(change)] as const);
  return { liquidity: String(liquidity), ticks };
}

/** Dollars that one unit of liquidity over a range holds at a price. */
function worthOfLiquidity(root: number, lower: number, upper: number, unit0: number, unit1: number): number {
  const at = Math.min(Math.max(root, lower), upper);
  return (1 / at - 1 / upper) * unit0 + (at - lower) * unit1;
}

function rootAt(tick: number): number {
  return Number(sqrtRatioAtTick(tick)) / 2 ** 96;
}

function fromRoot(root: number): bigint {
  // 53 bits are all that a float has; shifting the rest keeps small roots exact too.
  const exponent = Math.floor(Math.log2(root));
  const mantissa = BigInt(Math.round(root * 2 ** (52 - exponent)));
  const shift = 96 + exponent - 52;
  return shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
}
