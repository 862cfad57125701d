import type { Curve, StableCurve, WeightedCurve } from '../snapshot/snapshot.ts';
import type { WholePool } from './pool-trade.ts';
import { stablePool } from './stable-pool.ts';
import { weightedPool } from './weighted-pool.ts';

/** A curve of a pool, between positions in its token list. */
export type PoolCurve = { readonly from: number; readonly to: number; readonly curve: Curve };

/** null where the curves are of a kind that has no trading set in common: then each pair is a pool of its own. */
export function wholePool(tokens: Int32Array, curves: readonly PoolCurve[]): WholePool | null {
  if (tokens.length < 3) return null;
  const weighted = curves.filter((each): each is PoolCurve & { curve: WeightedCurve } => each.curve.kind === 'weighted');
  if (weighted.length === curves.length) return weightedPool(tokens, weighted);
  const stable = curves.filter((each): each is PoolCurve & { curve: StableCurve } => each.curve.kind === 'stable');
  return stable.length === curves.length ? stablePool(tokens, stable) : null;
}
