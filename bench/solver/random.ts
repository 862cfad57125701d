import { createRandom as createPlain, type Random as Plain } from '../../src/random.ts';

/** The project's seeded source of numbers, with what made-up markets are drawn by. */
export type Random = Plain & {
  /** Standard normal. */
  normal(): number;
  /** Between both ends, its logarithm uniform. */
  logUniform(min: number, max: number): number;
  /** An index, with the weights' likelihood. */
  weighted(cumulative: Float64Array): number;
  hex(digits: number): string;
};

export function createRandom(seed: number): Random {
  const plain = createPlain(seed);
  const { unit, integer } = plain;
  return {
    ...plain,
    // Box and Muller; 1 − u is above zero.
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    logUniform: (min, max) => min * (max / min) ** unit(),
    weighted: (cumulative) => firstAbove(cumulative, unit() * (cumulative[cumulative.length - 1] ?? 0)),
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
