import type { Address } from '../units/units.ts';

/** What a leg needs to know of a hop of a plan beside its share. */
export type HopToEncode = {
  /** The hop's `protocol`: a family label of the venue. */
  readonly family: string;
  readonly poolAddress: Address;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Whether tokenIn taxes transfers, so that less than the planned input may reach the venue. */
  readonly taxedInput: boolean;
};

/** The shape of `encode.ts` in a venue folder: how a hop is written for the venue's leg in contracts/legs/. Loaded in the main thread. Pure. */
export type EncodeFacet = {
  /** Name of the leg's file, without its ending. */
  readonly leg: string;
  /** Whether the leg may be given an input that is taxed. */
  readonly takesTaxedInput: boolean;
  /** What the leg reads after the venue's address: 0x-prefixed hex. Throws RangeError on a family that is not the venue's: a bug of the caller. */
  legData(hop: HopToEncode): `0x${string}`;
};
