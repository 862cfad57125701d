import type { EdgeCurve, SegmentsCurve } from '../../snapshot/snapshot.ts';
import { concentratedCurve } from '../concentrated/concentrated-curve.ts';
import { packConcentrated, unpackConcentrated } from '../concentrated/pack-concentrated.ts';
import type { StateFacet } from '../venue.ts';
import { HOOK_MODELS } from './known-hooks.ts';
import { MAX_INT128 } from './price.ts';
import { swapPool } from './swap-pool.ts';
import { hookOf, type UniswapV4State } from './uniswap-v4-pool.ts';
import { UNISWAP_V4_GAS } from './venue.ts';

/** A place in this list is how a snapshot, which lives no longer than the process, names a variant. */
const VARIANTS: readonly (string | null)[] = [null, ...HOOK_MODELS.keys()];
const PARAMETER_LIMBS = 4;

export const state: StateFacet<UniswapV4State> = {
  pack({ pool, protocolFee, dynamicFee, native, variant, parameters }, out) {
    packConcentrated(pool, out);
    for (const word of [protocolFee, Number(dynamicFee), Number(native), VARIANTS.indexOf(variant), parameters.length]) out.unsigned(BigInt(word), 1);
    for (const parameter of parameters) out.unsigned(parameter, PARAMETER_LIMBS);
  },
  unpack(words) {
    const pool = unpackConcentrated(words);
    const [protocolFee = 0, dynamicFee, native, place = 0, count = 0] = Array.from({ length: 5 }, () => Number(words.unsigned(1)));
    const parameters = Array.from({ length: count }, () => words.unsigned(PARAMETER_LIMBS));
    return { pool, protocolFee, dynamicFee: dynamicFee === 1, native: native === 1, variant: VARIANTS[place] ?? null, parameters };
  },
  traits: ({ native }) => (native ? { nativeSlot: 0 } : {}),
  curves: (pool) => [...edge(pool, 0, 1), ...edge(pool, 1, 0)],
};

function edge(state: UniswapV4State, slotIn: 0 | 1, slotOut: 0 | 1): readonly EdgeCurve[] {
  const pool = swapPool(state, slotIn === 0);
  const hook = hookOf(state);
  const curve = pool === null ? undefined : concentratedCurve(pool, slotIn === 0, { ...UNISWAP_V4_GAS, swap: UNISWAP_V4_GAS.swap + (hook?.gas ?? 0) });
  const bounded = curve === undefined ? null : withinAccounts(curve, hook?.approxMostOut?.(state.parameters) ?? Number(MAX_INT128));
  if (bounded === null) return [];
  return [{ slotIn, slotOut, curve: afterHook(bounded, hook?.approxKeeps?.(state.parameters) ?? 1) }];
}

/** More than that the manager's accounts do not hold: of an input, what a full range takes to the end of prices is far more; of an output, no token that is worth something has so much. */
const MOST = Number(MAX_INT128) * (1 - 1e-12);

/** `mostOut`: what the pool may give at all. */
function withinAccounts(curve: SegmentsCurve, mostOut: number): SegmentsCurve | null {
  const [x0 = 0, y0 = 0, reserveIn = 0, reserveOut = 0] = curve.columns.subarray(-4);
  const rest = curve.capacity * curve.keep - x0;
  if (y0 + (reserveOut * rest) / (reserveIn + rest) > mostOut * (1 - 1e-12)) return null;
  return curve.capacity <= MOST ? curve : { ...curve, capacity: MOST };
}

/** Scales what comes out by a part of it. */
function afterHook(curve: SegmentsCurve, keeps: number): SegmentsCurve {
  if (keeps === 1) return curve;
  return { ...curve, columns: curve.columns.map((value, at) => (at % 2 === 1 ? value * keeps : value)) };
}
