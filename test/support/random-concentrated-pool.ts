import { sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What UniswapV3Oracle.sol builds a pool from. */
export type PoolSpec = {
  readonly fee: number;
  readonly tickSpacing: number;
  readonly sqrtPriceX96: bigint;
  readonly positions: readonly PositionSpec[];
  /** Swaps that move the pool before it is asked. */
  readonly before: readonly SwapSpec[];
};
export type PositionSpec = { readonly lower: number; readonly upper: number; readonly liquidity: bigint };
export type SwapSpec = { readonly zeroForOne: boolean; readonly amountSpecified: bigint; readonly limit: bigint };

export const LOWEST_LIMIT = 4_295_128_740n;
export const HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;
const MIN_TICK = -887_272;
const MAX_TICK = 887_272;

const FEES: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [100, 1],
  [500, 10],
  [3000, 60],
  [10_000, 200],
  [0, 10],
  [1, 1],
  [2500, 50],
  [50_000, 7],
  [999_999, 100],
  [777, 16_383],
];

/** A pool of any kind: narrow, wide, adjacent and overlapping positions, gaps, prices on ticks and next to them, both ends of the range, no liquidity at all. */
export function randomPoolSpec(random: SeededRandom): PoolSpec {
  const [fee, tickSpacing] = random.chance(0.7) ? (FEES[random.integer(0, 3)] ?? FEES[0]) : random.pick(FEES);
  const lowest = Math.ceil(MIN_TICK / tickSpacing);
  const highest = Math.floor(MAX_TICK / tickSpacing);
  const centre = randomCentre(random, lowest, highest);
  const maxPerTick = (1n << 128n) / BigInt(highest - lowest + 1);
  const positions: PositionSpec[] = [];
  const count = random.chance(0.03) ? 0 : random.integer(1, 14);
  const usual = random.chance(0.7) ? random.logUniform(maxPerTick / 16n) : 0n;
  for (let i = 0; i < count; i++) {
    const [lower, upper] = randomRange(random, centre, lowest, highest, positions.at(-1), tickSpacing);
    const liquidity = usual === 0n || random.chance(0.1) ? random.logUniform(maxPerTick / 4n) : (usual * BigInt(random.integer(20, 200))) / 100n + 1n;
    positions.push({ lower: lower * tickSpacing, upper: upper * tickSpacing, liquidity });
  }
  return { fee, tickSpacing, sqrtPriceX96: randomPrice(random, centre * tickSpacing), positions, before: randomMoves(random, positions) };
}

function randomCentre(random: SeededRandom, lowest: number, highest: number): number {
  if (random.chance(0.08)) return lowest + random.integer(0, 3);
  if (random.chance(0.08)) return highest - random.integer(0, 3);
  if (random.chance(0.2)) return random.integer(lowest, highest);
  const near = Math.min(highest, Math.ceil((highest * 200_000) / MAX_TICK));
  return random.integer(-near, near);
}

function randomRange(
  random: SeededRandom,
  centre: number,
  lowest: number,
  highest: number,
  last: PositionSpec | undefined,
  tickSpacing: number,
): readonly [number, number] {
  const clamp = (tick: number): number => Math.min(Math.max(tick, lowest), highest);
  if (random.chance(0.08)) return [lowest, highest];
  // Adjacent to the position before: its end is this one's start, so a tick may have a net of zero.
  const start =
    last !== undefined && random.chance(0.3) ? last.upper / tickSpacing : centre + random.integer(-1, 1) * random.integer(0, random.pick([2, 30, 300, 2000]));
  const width = random.integer(1, random.pick([1, 3, 40, 600, 5000]));
  const lower = Math.min(clamp(start - (random.chance(0.5) ? width : 0)), highest - 1);
  return [lower, Math.max(clamp(lower + width), lower + 1)];
}

function randomPrice(random: SeededRandom, tick: number): bigint {
  const at = sqrtRatioAtTick(Math.min(Math.max(tick, MIN_TICK), MAX_TICK));
  const kind = random.integer(0, 5);
  const moved = kind < 3 ? at + BigInt(kind - 1) : at + (at * BigInt(random.integer(-40_000, 40_000))) / 1_000_000n;
  if (moved < LOWEST_LIMIT - 1n) return LOWEST_LIMIT - 1n;
  return moved > HIGHEST_LIMIT ? HIGHEST_LIMIT : moved;
}

/** Often a move down exactly onto a tick: the stored tick is then one below the price's own. */
function randomMoves(random: SeededRandom, positions: readonly PositionSpec[]): readonly SwapSpec[] {
  const moves: SwapSpec[] = [];
  for (const position of positions.slice(0, random.integer(0, 2))) {
    const zeroForOne = random.chance(0.5);
    const onto = sqrtRatioAtTick(random.chance(0.5) ? position.lower : position.upper);
    const limit = random.chance(0.6) ? onto : zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT;
    const amount = random.chance(0.6) ? 1n << 200n : random.logUniform(1n << 100n);
    moves.push({ zeroForOne, amountSpecified: random.chance(0.5) ? amount : -amount, limit });
  }
  return moves;
}
