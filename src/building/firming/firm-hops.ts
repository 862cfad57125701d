import type { EpochSeconds } from '../../units/units.ts';
import type { FirmHopBy, FirmUpFacet, FirmUpFailure } from '../../venues/venues.ts';

/** How hops that somebody has to sign are made firm on one chain, by the folder of their venue. */
export type FirmHops = ReadonlyMap<string, { readonly signs: FirmUpFacet['signs']; readonly firm: FirmHopBy }>;

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

/** What came of one hop that was to be signed. 'signed-for-less': for less than was indicated, and yet within what the request allows; 'cancelled': another of the route had failed already. */
export type FirmUpFacts = {
  /** Label of the hop's venue. */
  readonly source: string;
  readonly outcome: 'signed' | 'signed-for-less' | FirmUpFailure | 'cancelled';
  readonly millis: number;
};
