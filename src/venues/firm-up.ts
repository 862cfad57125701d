import type { LegFacts } from '../snapshot/snapshot.ts';
import type { Address, EpochSeconds } from '../units/units.ts';
import type { HopToEncode } from './encode.ts';

/** A planned hop that somebody has to sign before it can be settled. Amounts in base units. */
export type HopToFirm = HopToEncode & {
  /** Which amount the request fixes: what is worse than planned is then the other one. */
  readonly mode: 'sell' | 'buy';
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly taker: Address;
  /** The user behind the taker, for makers that meter; the taker itself where the request names none. */
  readonly user: Address;
  /** The contract that settles, which an order is made out to. */
  readonly router: Address;
  /** Unix seconds: an order has to hold until then, or says when it ends. */
  readonly deadline: EpochSeconds;
};

/**
 * What came of it. `legFacts`: what the leg needs of the signed order, added to the hop's before it is encoded. `expiry`: the last second at which it holds.
 * 'refused': they would not; 'unreachable': no answer in time, or none that can be read; 'invalid': another trade than was asked for, or a signature that does not hold; 'worse': less than planned by more than is allowed.
 */
export type FirmHop =
  | { readonly ok: true; readonly amountIn: bigint; readonly amountOut: bigint; readonly legFacts: LegFacts; readonly expiry: EpochSeconds }
  | { readonly ok: false; readonly reason: 'refused' | 'unreachable' | 'invalid' | 'worse' };

/** The shape of `firm-up.ts` in a venue folder. Loaded in the main thread. */
export type FirmUpFacet = {
  /** Ends at once when the signal does, as unreachable. Never throws for what the other side sends. */
  firmUp(hop: HopToFirm, signal: AbortSignal): Promise<FirmHop>;
};
