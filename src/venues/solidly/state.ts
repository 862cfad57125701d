import { LIMITS } from '../../config/limits.ts';
import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import { withinSteps } from '../sampled/newton-steps.ts';
import { SAMPLING_TOLERANCE, type SampledCurve, sampleConcave } from '../sampled/sample-concave.ts';
import type { StateFacet } from '../venue.ts';
import { afterFee, outputOf } from './solidly-math.ts';
import { BPS, MAX_RESERVE, type SolidlyState } from './solidly-pool.ts';
import { SOLIDLY_GAS } from './venue.ts';

export const state: StateFacet<SolidlyState> = {
  pack({ stable, reserves, decimals, feeBps }, out) {
    out.unsigned(reserves[0], 2).unsigned(reserves[1], 2);
    for (const word of [Number(stable), ...decimals, feeBps]) out.unsigned(BigInt(word), 1);
  },
  unpack(words) {
    const reserves = [words.unsigned(2), words.unsigned(2)] as const;
    const [stable, decimals0, decimals1, feeBps] = [0, 1, 2, 3].map(() => Number(words.unsigned(1))) as [number, number, number, number];
    return { stable: stable === 1, reserves, decimals: [decimals0, decimals1], feeBps };
  },
  curves: (pool) => [...edge(pool, 0, 1), ...edge(pool, 1, 0)],
};

/** Times what a stable pool has of a token it is never sold more of it: by then a whole one buys hundredths of the other. */
const STABLE_REACH = 4n;

function edge(pool: SolidlyState, slotIn: 0 | 1, slotOut: 0 | 1): readonly EdgeCurve[] {
  const curve = pool.stable ? stableCurve(pool, slotIn) : volatileCurve(pool, slotIn, slotOut);
  const gas = SOLIDLY_GAS[pool.stable ? 'stable' : 'volatile'];
  return curve === null ? [] : [{ slotIn, slotOut, curve: { ...curve, gas, gasPerPiece: 0, gasPerLogPrice: 0 } }];
}

/** One piece. */
function volatileCurve({ reserves, feeBps }: SolidlyState, slotIn: 0 | 1, slotOut: 0 | 1): SampledCurve {
  const capacity = Number(MAX_RESERVE - reserves[slotIn]) * (1 - Number.EPSILON);
  const columns = Float64Array.of(0, 0, Number(reserves[slotIn]), Number(reserves[slotOut]));
  return { kind: 'segments', keep: 1 - feeBps / Number(BPS), capacity, columns };
}

/** null too where it would take too many steps: whoever opens a pool chooses decimals and reserves, and moves it in any block. */
function stableCurve(pool: SolidlyState, slotIn: 0 | 1): SampledCurve | null {
  const reserveIn = pool.reserves[slotIn];
  const room = MAX_RESERVE - reserveIn;
  const exactOutput = (amountIn: bigint) => {
    const kept = afterFee(pool, amountIn);
    return kept === null ? null : outputOf(pool, slotIn, kept);
  };
  const reach = STABLE_REACH * reserveIn < room ? STABLE_REACH * reserveIn : room;
  return withinSteps(LIMITS.venues.sampledSteps, () => sampleConcave(exactOutput, reach, SAMPLING_TOLERANCE, roundingOf(pool, slotIn)));
}

/** What rounding may take of an output, in its base units: the invariant is of 18 decimals, and a unit of the input may be worth many of the output. */
function roundingOf({ decimals }: SolidlyState, slotIn: 0 | 1): number {
  const [digitsIn, digitsOut] = slotIn === 0 ? decimals : [decimals[1], decimals[0]];
  return 2 + 10 ** Math.max(0, digitsOut - Math.min(18, digitsIn));
}
