import type { EpochSeconds } from '../../units/units.ts';
import type { FirmHops, FirmUpFacet } from '../../venues/venues.ts';

/** Of a chain where nobody signs anything. */
export const NO_FIRM_HOPS: FirmHops = new Map();

/** What was signed for the hop at a place of a plan, amounts in base units. `expiry`: the last second at which it holds. */
export type SignedHop = {
  readonly place: number;
  readonly signs: FirmUpFacet['signs'];
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly expiry: EpochSeconds;
};
