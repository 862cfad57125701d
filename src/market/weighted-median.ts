/** A price and what stands behind it. */
export type Opinion = { readonly price: number; readonly weight: number };

/** The middle of some opinions. `agreeing`: the weight of those near it. `weight`: of all. */
export type Median = { readonly price: number; readonly agreeing: number; readonly weight: number };

/** Opinions that differ from the median by at most this share agree with it. */
const AGREES = 0.05;

/**
 * The lowest price at or below which half of the weight lies: who has less than half can not move it past what others say. The same for the same opinions in whatever order, to the last bit.
 * null without any.
 */
export function weightedMedian(opinions: readonly Opinion[]): Median | null {
  const sorted = [...opinions].sort((one, other) => one.price - other.price || one.weight - other.weight);
  const weight = sumOf(sorted);
  let below = 0;
  const middle = sorted.find((opinion) => {
    below += opinion.weight;
    return 2 * below >= weight;
  });
  if (middle === undefined) return null;
  const { price } = middle;
  const agreeing = sumOf(sorted.filter((opinion) => Math.abs(opinion.price - price) <= AGREES * price));
  return { price, agreeing, weight };
}

function sumOf(opinions: readonly Opinion[]): number {
  return opinions.reduce((sum, { weight }) => sum + weight, 0);
}
