import type { Address } from '../../units/units.ts';

/** Low bits of a hook's address by which the manager knows what to ask it for (v4-core Hooks.sol). */
const BEFORE_SWAP = 1n << 7n;
const AFTER_SWAP = 1n << 6n;
const BEFORE_SWAP_RETURNS_DELTA = 1n << 3n;
const AFTER_SWAP_RETURNS_DELTA = 1n << 2n;

const SWAP_PERMISSIONS = BEFORE_SWAP | AFTER_SWAP | BEFORE_SWAP_RETURNS_DELTA | AFTER_SWAP_RETURNS_DELTA;

/** In the place of a pool's fee: its hook sets the fee, at any time and without a log (LPFeeLibrary.sol). */
export const DYNAMIC_FEE = 0x800000;

/** Whether a swap of the pool may come out otherwise than without the hook: because the manager asks it, or because the fee is the hook's. */
export function canTouchSwap(hook: Address, fee: number): boolean {
  return fee === DYNAMIC_FEE || (BigInt(hook) & SWAP_PERMISSIONS) !== 0n;
}
