import { createRandom, type Random } from '../random.ts';

/** How a concentrated pool's liquidity lies. 'none': the pool exists and was never given a price. */
export type Shape = 'full' | 'layered' | 'narrow' | 'gaps' | 'ladder' | 'stable' | 'none';

/** A pool to be made. The order of the symbols says nothing: pools have their tokens in the order of addresses. */
export type PoolSpec = {
  /** The name of the venue's file in src/devnet/venues, and the family label of the pool. */
  readonly family: string;
  readonly symbols: readonly [string, string, ...string[]];
  /** Millionths. */
  readonly feePpm: number;
  /** Value of all sides; 0: the pool exists and holds nothing. */
  readonly liquidityUsd: number;
  readonly shape: Shape;
  /** Starting price over the table's price. */
  readonly skew: number;
};

/** Two or more symbols with slashes between them, fee, value, shape. */
export type PoolRow = readonly [symbols: string, feePpm: number, liquidityUsd: number, shape: Shape];

/** Makes a row into a pool: its value and its price vary with the seed. */
export type LayPool = (...row: PoolRow) => PoolSpec;

/** A pool starts off the table by up to this share of its own fee, so that closing the gap is worth little. */
const SKEW_OF_FEE = 1.1;
const LARGEST_SKEW = 0.004;
/** Sizes vary with the seed by up to this factor either way. */
const SIZE_SPREAD = 1.4;

/** The pools of one venue for a seed. Same seed and tokens, same pools. */
export function poolsOfVenue(
  family: string,
  venue: { pools(lay: LayPool, random: Random, tail: readonly string[]): readonly PoolSpec[] },
  seed: number,
  tail: readonly string[],
): readonly PoolSpec[] {
  const random = createRandom(seed ^ hashOf(family));
  const lay: LayPool = (symbols, feePpm, liquidityUsd, shape) => {
    const [first = '', second = '', ...others] = symbols.split('/');
    const reach = Math.min((SKEW_OF_FEE * feePpm) / 1e6, LARGEST_SKEW);
    return {
      family,
      symbols: [first, second, ...others],
      feePpm,
      liquidityUsd: Math.round(liquidityUsd * SIZE_SPREAD ** random.between(-1, 1)),
      shape,
      skew: 1 + random.between(-reach, reach),
    };
  };
  return venue.pools(lay, random, tail);
}

/** 32 bits of a name (FNV-1a), so that each venue has dice of its own. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
