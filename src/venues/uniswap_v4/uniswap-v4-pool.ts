import { checkConcentratedState } from '../concentrated/check-concentrated-state.ts';
import type { ConcentratedState } from '../concentrated/concentrated-state.ts';
import { PoolRefused } from '../venue.ts';
import type { HookModel, HookParameters } from './hook-model.ts';
import { HOOK_MODELS } from './known-hooks.ts';

/** Exact state of a pool of the manager. `Pool`: as followed, it has more than what pricing needs. */
export type UniswapV4State<Pool extends ConcentratedState = ConcentratedState> = {
  /** `feePpm` is what liquidity providers get, as the manager has stored it: 0 … 1,000,000. */
  readonly pool: Pool;
  /** As the manager has stored it: millionths of an input of currency 0 in the low 12 bits, of currency 1 in the high 12. */
  readonly protocolFee: number;
  /** Whether the fee is the hook's, by the pool's key: only then it may impose another one for a swap. */
  readonly dynamicFee: boolean;
  /** Whether currency 0 is the native token. */
  readonly native: boolean;
  /** Of HOOK_MODELS; null where there is no hook. */
  readonly variant: string | null;
  /** What the hook's model reads of the hook. */
  readonly parameters: HookParameters;
};

/** Fees are millionths; at all of them a pool takes an input and gives nothing. */
export const WHOLE_FEE = 1_000_000;
const PROTOCOL_FEE_BITS = 12;
const MAX_PROTOCOL_FEE = 1000;
/** TickMath.MAX_TICK_SPACING: an int16. */
const MAX_TICK_SPACING = 32_767;

/** The model of a pool's hook, or null. */
export function hookOf({ variant }: UniswapV4State): HookModel | null {
  return variant === null ? null : (HOOK_MODELS.get(variant) ?? null);
}

/**
 * What a swap takes of its input in all, in millionths: the protocol's fee, and of what that leaves the liquidity providers', rounded as ProtocolFeeLibrary.calculateSwapFee does. From WHOLE_FEE on nothing comes out.
 */
export function swapFeePpm(state: UniswapV4State, zeroForOne: boolean): number {
  const imposed = state.dynamicFee ? hookOf(state)?.lpFeePpm?.(state.parameters, zeroForOne) : null;
  const lpFee = imposed ?? state.pool.feePpm;
  const protocolFee = protocolFeePpm(state.protocolFee, zeroForOne);
  return protocolFee + lpFee - Math.floor((protocolFee * lpFee) / WHOLE_FEE);
}

function protocolFeePpm(both: number, zeroForOne: boolean): number {
  return zeroForOne ? both & ((1 << PROTOCOL_FEE_BITS) - 1) : both >> PROTOCOL_FEE_BITS;
}

/** Throws PoolRefused where the state breaks an invariant of the contract, or can not be traded with. */
export function validateState(state: UniswapV4State): void {
  const { pool, protocolFee, variant } = state;
  if (variant !== null && hookOf(state) === null) throw new PoolRefused('not-routable', 'nothing is known of the hook');
  for (const zeroForOne of [true, false]) {
    const part = protocolFeePpm(protocolFee, zeroForOne);
    if (!(part >= 0 && part <= MAX_PROTOCOL_FEE)) throw new PoolRefused('malformed', `no protocol fee: ${protocolFee}`);
  }
  if ([true, false].every((zeroForOne) => swapFeePpm(state, zeroForOne) >= WHOLE_FEE)) throw new PoolRefused('not-routable', 'the fee is the whole input');
  // A stored fee of the whole may stand where the hook imposes another one, or only one direction is dear.
  checkConcentratedState({ ...pool, feePpm: Math.min(pool.feePpm, WHOLE_FEE - 1) }, MAX_TICK_SPACING);
}
