import { LIMITS } from '../config/limits.ts';
import type { FlowCurve } from './flow-curve.ts';

/** A stretch of a curve over which the marginal price falls without a jump. Base units. */
export type Strand = {
  /** Input and output of the curve where the stretch starts, and how much more input it takes. */
  readonly input: number;
  readonly output: number;
  readonly width: number;
};

/**
 * Cuts a curve where its price jumps, as it does over ticks without liquidity. Each strand may then be treated as a pool of its own: strands are better
 * priced the earlier they come, so none carries before those in front of it are full.
 */
export function strandsOf(curve: FlowCurve): readonly Strand[] {
  const known = cache.get(curve);
  if (known !== undefined) return known;
  const strands = curve.kind === 'segments' ? cut(curve.columns, curve.keep, curve.capacity) : [{ input: 0, output: 0, width: curve.capacity }];
  cache.set(curve, strands);
  return strands;
}

/** Curves live as long as the pool state that they belong to. */
const cache = new WeakMap<FlowCurve, readonly Strand[]>();

/** A fall of the price by more than this share, at one input, is a jump. */
const JUMP = 1e-6;

function cut(columns: Float64Array, keep: number, capacity: number): readonly Strand[] {
  const starts: { input: number; output: number }[] = [{ input: 0, output: 0 }];
  for (let base = 4; base < columns.length && starts.length < LIMITS.routing.strandsPerCurve; base += 4) {
    const [x0 = 0, y0 = 0, reserveIn = 0, reserveOut = 0] = columns.subarray(base, base + 4);
    const [xBefore = 0, , inBefore = 0, outBefore = 0] = columns.subarray(base - 4, base);
    const reach = inBefore + (x0 - xBefore);
    const endPrice = ((outBefore / reach) * inBefore) / reach;
    if (reserveOut / reserveIn < endPrice * (1 - JUMP)) starts.push({ input: x0 / keep, output: y0 });
  }
  return starts.map((start, index) => ({ ...start, width: (starts[index + 1]?.input ?? capacity) - start.input })).filter((strand) => strand.width > 0);
}
