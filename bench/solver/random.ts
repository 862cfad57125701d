/** A reproducible source of random numbers: the same seed gives the same sets on every machine. */
export type Random = {
  /** 0 ≤ x < 1. */
  unit(): number;
  /** An integer, both ends included. */
  integer(min: number, max: number): number;
  /** Standard normal. */
  normal(): number;
  /** Between both ends, its logarithm uniform. */
  logUniform(min: number, max: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  /** An index, with the weights' likelihood. */
  weighted(cumulative: Float64Array): number;
  chance(probability: number): boolean;
  hex(digits: number): string;
};

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(unit() * (max - min + 1));
  return {
    unit,
    integer,
    // Box and Muller; 1 − u is above zero.
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    logUniform: (min, max) => min * (max / min) ** unit(),
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    weighted: (cumulative) => firstAbove(cumulative, unit() * (cumulative[cumulative.length - 1] ?? 0)),
    chance: (probability) => unit() < probability,
    hex: (digits) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join(''),
  };
}

/** Running sums, for `weighted`. */
export function cumulativeOf(weights: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => {
    sum += weight;
    return sum;
  });
}

function firstAbove(cumulative: Float64Array, value: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cumulative[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
