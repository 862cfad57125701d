import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import { SAMPLING_TOLERANCE, sampleConcave } from '../sampled/sample-concave.ts';
import { downscaleDown } from '../scaled/token-scale.ts';
import type { CurveState } from './curve-state.ts';
import { exchangeOf, type PoolAt } from './exchange-of.ts';
import { FEE_DENOMINATOR, feeAt } from './fee.ts';
import { CURVE_GAS } from './venue.ts';

/** Of what the pool has of the token, for what a unit of it is worth. */
const PROBE = 1000n;

/**
 * The edge of a pool whose fee moves with its balances, sampled over the capacity of `fixed`, which takes the highest fee and is the edge where no concave curve is found. An exchange that evens the
 * balances out pays less than the smallest does, and then more comes out for more than in proportion, which no curve of the search can say: it keeps the fee of the smallest there. While the
 * amplification moves it gives the less of both ends.
 */
export function movingFeeEdge(
  pool: CurveState,
  upscaled: readonly bigint[],
  ends: readonly { readonly end: bigint; readonly invariant: bigint | null }[],
  fixed: EdgeCurve,
): EdgeCurve {
  const { slotIn, slotOut } = fixed;
  const poolsAt = ends.flatMap(({ end, invariant }) => (invariant === null ? [] : [{ amplification: end, balances: upscaled, invariant }]));
  const smallest = feeAt(pool, upscaled[slotIn] ?? 0n, upscaled[slotOut] ?? 0n);
  if (smallest === null || poolsAt.length < ends.length) return fixed;
  const exactIn = (amountIn: bigint) => leastOutput(pool, poolsAt, smallest, slotIn, slotOut, amountIn);
  const sampled = sampleConcave(exactIn, BigInt(Math.floor(fixed.curve.capacity)), SAMPLING_TOLERANCE, roundingOf(pool, slotIn, slotOut, exactIn));
  return sampled === null ? fixed : { slotIn, slotOut, curve: { ...sampled, gas: CURVE_GAS[pool.form], gasPerPiece: 0, gasPerLogPrice: 0 } };
}

function leastOutput(pool: CurveState, poolsAt: readonly PoolAt[], smallest: bigint, slotIn: number, slotOut: number, amountIn: bigint): bigint | null {
  const scaleOut = pool.scales[slotOut];
  let least: bigint | null = null;
  for (const poolAt of poolsAt) {
    const exchange = exchangeOf(pool, poolAt, slotIn, slotOut, amountIn);
    if (exchange === null || scaleOut === undefined) return null;
    const { given, rate } = exchange;
    const fee = (given * (rate > smallest ? rate : smallest)) / FEE_DENOMINATOR;
    if (fee > given) return null;
    const output = downscaleDown(given - fee, scaleOut);
    if (least === null || output < least) least = output;
  }
  return least;
}

/** What rounding may take of an output, in its base units: a unit of the input may be worth many of the output, and so may a unit with 18 decimals. */
function roundingOf({ balances, scales }: CurveState, slotIn: number, slotOut: number, exactIn: (amountIn: bigint) => bigint | null): number {
  const probe = (balances[slotIn] ?? 0n) / PROBE + 1n;
  const worth = Number(exactIn(probe) ?? 0n) / Number(probe);
  const { numerator = 1n, denominator = 1n } = scales[slotOut] ?? {};
  return 2 + 2 * Math.max(worth, Number(denominator) / Number(numerator));
}
