import { LIMITS } from '../config/limits.ts';
import type { EpochSeconds } from '../units/units.ts';
import type { HopToFirm } from './firm-up.ts';

/** Until when what is signed for a hop has to hold: the swap's deadline, within what a maker can be asked for. The shortest still outlasts the answer and its checks, whatever deadline a client names. */
export function leastExpiryOf({ deadline }: HopToFirm, now: EpochSeconds): number {
  const { leastSeconds, shortestSeconds } = LIMITS.outbound.orders;
  return Math.max(now + shortestSeconds, Math.min(deadline, now + leastSeconds));
}
