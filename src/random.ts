/** A seeded source of numbers, for what is laid out, drawn or measured the same way again: the same seed gives the same sequence on every machine. No source of secrets. */
export type Random = {
  /** 32 uniform bits. */
  word(): number;
  /** Uniform in [0, 1). */
  unit(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** A uniform integer 0 … bound − 1. */
  below(bound: number): number;
  /** A uniform integer, both ends included. */
  integer(min: number, max: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
};

/** Mulberry32: 32 bits of state are plenty for pools, trades and cases of tests. Of the seed the lowest 32 bits count. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const unit = (): number => word() / 2 ** 32;
  const below = (bound: number): number => Math.floor(unit() * bound);
  const integer = (min: number, max: number): number => min + below(max - min + 1);
  return {
    word,
    unit,
    between: (low, high) => low + (high - low) * unit(),
    below,
    integer,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    chance: (probability) => unit() < probability,
  };
}
