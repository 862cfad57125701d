import type { LegFacts } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';

/** What a leg needs to know of a hop of a plan beside its share. */
export type HopToEncode = {
  /** The hop's `protocol`: a family label of the venue, or of a fork that a pool set names. */
  readonly family: string;
  readonly poolAddress: Address;
  /** The pool's key: for a pool of a singleton the id by which the singleton knows it. */
  readonly poolKey: string;
  readonly hook: Address | null;
  /** The pool's traits as `track.ts` discovered them, with what `state.ts` adds. */
  readonly legFacts: LegFacts;
  /** Places of the tokens in the pool's own list: coin indices. */
  readonly slotIn: number;
  readonly slotOut: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Base units: what the hop is planned to give, less the slippage that the request allows. For venues that are told a bound of their own; the Router holds the whole route to its floor. */
  readonly leastOut: bigint;
  /** Whether less than the planned input may reach the venue, since tokenIn taxes transfers; only where the venue `takesTaxedInput`. */
  readonly taxedInput: boolean;
};

/** How several hops in a row are written as one leg, where what lies between them does not come to the Router. */
export type PathFacet = {
  /** Name of the leg's file, without its ending. */
  readonly leg: string;
  /** What that leg reads after the venue's address. `hops`: two or more, each of which takes all that the one before it gives. Throws RangeError as `legData` does. */
  pathData(hops: readonly HopToEncode[]): `0x${string}`;
};

/** How a hop with what was signed for it is written. */
export type SignedLegFacet = Pick<EncodeFacet, 'leg' | 'legData'> & {
  /** Whether a hop is such a one. */
  wants(hop: HopToEncode): boolean;
};

/** The shape of `encode.ts` in a venue folder: how a hop is written for the venue's leg in contracts/legs/. Loaded in the main thread. Pure. */
export type EncodeFacet = {
  /** Name of the leg's file, without its ending. */
  readonly leg: string;
  /** What the leg reads after the venue's address: 0x-prefixed hex. Throws RangeError on a family that is not the venue's: a bug of the caller. */
  legData(hop: HopToEncode): `0x${string}`;
  /** There exactly where the venue says in `joinedHops` which hops are joined. */
  readonly path?: PathFacet;
  /** For hops that need what somebody signed where others of the venue do not. Absent: there are none, or all hops do. */
  readonly signed?: SignedLegFacet;
};
