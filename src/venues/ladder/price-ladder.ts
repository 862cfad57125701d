import type { SegmentsCurve } from '../../snapshot/snapshot.ts';

/** One rung: `size` further base units of input at `price` base units out per base unit in. Both above zero. */
export type LadderLevel = { readonly price: number; readonly size: number };

/** How much of its price a level loses from its start to its end, so that a marginal price belongs to one flow. */
const CURVATURE = 1e-9;

/**
 * The curve of prices that hold up to a size: a straight piece for each level, the capacity at the end of the last. Levels come best price first; one that is
 * no worse than the one before it goes on at that one's price, so that no curve promises a better price for more. `gas` in gas units.
 */
export function priceLadder(levels: readonly LadderLevel[], gas: number): SegmentsCurve {
  const columns: number[] = [];
  let [input, output, bestPrice] = [0, 0, Number.POSITIVE_INFINITY];
  for (const { price, size } of levels) {
    // The marginal price of a piece is that at its start times (reserveIn / (reserveIn + d))².
    const reserveIn = size * (2 / CURVATURE);
    const startPrice = Math.min(price, bestPrice);
    const reserveOut = startPrice * reserveIn;
    columns.push(input, output, reserveIn, reserveOut);
    input += size;
    output += (reserveOut * size) / (reserveIn + size);
    bestPrice = startPrice * (reserveIn / (reserveIn + size)) ** 2;
  }
  return { kind: 'segments', keep: 1, capacity: input, gas, gasPerPiece: 0, gasPerLogPrice: 0, columns: Float64Array.from(columns) };
}
